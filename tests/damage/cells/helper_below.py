"""A helper and an import added at the bottom of the notebook, run before the answers that need them."""

from damage.harness import own_code

REPAIRS = {"helper_moved"}


def damage(submission):
    submission.cell("causal_mask")["source"] = (
        "def causal_mask(length):\n    return torch.tensor(list(rows(length))).bool()"
    )
    submission.cells.append(own_code("from itertools import chain, repeat"))
    source = "def rows(n):\n    for i in range(1, n + 1):\n        yield list(chain(repeat(1, i), repeat(0, n - i)))"
    submission.cells.append(own_code(source))
