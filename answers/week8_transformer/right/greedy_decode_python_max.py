"""greedy_decode: looks for the largest logit in Python.

Question: greedy_decode
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [bos]
    while ids[-1] != eos and len(ids) < max_len:
        scores = step(ids)[len(ids) - 1].tolist()
        ids.append(max(range(len(scores)), key=scores.__getitem__))
    return ids
