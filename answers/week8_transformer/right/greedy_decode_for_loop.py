"""greedy_decode: a for loop that returns early.

Question: greedy_decode
"""


def greedy_decode(step, bos, eos, max_len):
    out = [bos]
    for _ in range(max_len - 1):
        out = out + [step(out)[-1].argmax().item()]
        if out[-1] == eos:
            return out
    return out
