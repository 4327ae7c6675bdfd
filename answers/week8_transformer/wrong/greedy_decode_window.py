"""greedy_decode: hands over the last four tokens at most.

Question: greedy_decode
Mistakes: slip
Deserves: 75 %
Fails: greedy_decode_hidden_calls
Tell: step sees at most four tokens: hand it all tokens so far.
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [bos]
    while len(ids) < max_len and ids[-1] != eos:
        ids.append(int(step(ids[-4:])[-1].argmax()))
    return ids
