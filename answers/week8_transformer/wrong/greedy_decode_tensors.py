"""greedy_decode: a list of tensors.

Question: greedy_decode
Mistakes: slip
Deserves: 80 %
Fails: greedy_decode_hidden_calls
Tell: The list holds tensors: turn each token into an int.
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [bos]
    while len(ids) < max_len and ids[-1] != eos:
        ids.append(step(ids)[-1].argmax())
    return ids
