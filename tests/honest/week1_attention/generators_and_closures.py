"""Generators, closures, nested functions, comprehensions."""


def habit(submission):
    submission["causal_mask"] = """
def make_causal_mask():
    calls = 0
    def mask(length):
        nonlocal calls
        calls += 1
        def rows():
            for row in range(length):
                yield from ([column <= row for column in range(length)],)
        return torch.tensor(list(rows()))
    return mask
causal_mask = make_causal_mask()
"""
