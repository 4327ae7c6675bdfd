"""greedy_decode: leaves <BOS> out of the result.

Question: greedy_decode
Mistakes: slip
Deserves: 70 %
Fails: greedy_decode_max_len, greedy_decode_hidden_ends
Tell: <BOS> is missing at the front: it belongs to the result.
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [bos]
    while len(ids) < max_len and ids[-1] != eos:
        ids.append(int(step(ids)[-1].argmax()))
    return ids[1:]
