"""greedy_decode: hands over the last token alone.

Question: greedy_decode
Mistakes: concept
Deserves: 45 %
Fails: greedy_decode_path, greedy_decode_hidden_calls
Tell: step sees only the last token: hand it all tokens so far.
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [bos]
    while len(ids) < max_len and ids[-1] != eos:
        ids.append(int(step(ids[-1:])[-1].argmax()))
    return ids
