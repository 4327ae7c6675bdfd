"""greedy_decode: calls a helper that calls itself.

Question: greedy_decode
"""


def greedy_decode(step, bos, eos, max_len):
    def extend(prefix):
        if len(prefix) >= max_len or prefix[-1] == eos:
            return prefix
        return extend([*prefix, int(step(prefix)[-1].argmax())])

    return extend([bos])
