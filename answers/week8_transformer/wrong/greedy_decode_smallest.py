"""greedy_decode: takes the least likely token.

Question: greedy_decode
Mistakes: concept
Deserves: 40 %
Fails: greedy_decode_path, greedy_decode_max_len, greedy_decode_stop, greedy_decode_hidden_ends
Tell: It does not take the largest logit: take the argmax of the last row itself, without abs() or a minus.
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [bos]
    while len(ids) < max_len and ids[-1] != eos:
        ids.append(int(step(ids)[-1].argmin()))
    return ids
