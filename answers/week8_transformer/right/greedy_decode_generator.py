"""greedy_decode: a generator inside, and a new list for each call.

Question: greedy_decode
"""


def greedy_decode(step, bos, eos, max_len):
    def tokens():
        so_far = [bos]
        yield bos
        while len(so_far) < max_len:
            so_far = so_far + [torch.argmax(step(so_far), dim=-1).tolist()[-1]]
            yield so_far[-1]
            if so_far[-1] == eos:
                return

    return list(tokens())
