"""greedy_decode: gives a tensor.

Question: greedy_decode
Mistakes: slip
Deserves: 80 %
Fails: greedy_decode_hidden_calls
Tell: The result is a tensor: return the list of ints.
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [bos]
    while len(ids) < max_len and ids[-1] != eos:
        ids.append(int(step(ids)[-1].argmax()))
    return torch.tensor(ids)
