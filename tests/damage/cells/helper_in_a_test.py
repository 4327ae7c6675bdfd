"""A helper function and an import written on top of a test cell, because the cursor happened to be there."""

REPAIRS = {"test_edited"}


def damage(submission):
    cell = submission.cell("softmax_large")
    cell["source"] = (
        "from functools import reduce as fold\n\n\ndef lower(n):\n    return [[j <= i for j in range(n)] "
        "for i in range(n)]\n\n\n" + cell["source"]
    )
    submission.cell("causal_mask")["source"] = (
        "def causal_mask(length):\n    assert fold\n    return torch.tensor(lower(length))"
    )
