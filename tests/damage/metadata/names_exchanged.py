"""Two answers written into each other's cell, after both had been emptied: each carries the other's name."""

REPAIRS = {"metadata_restored", "reordered"}


def damage(submission):
    one, other = submission.cell("softmax"), submission.cell("causal_mask")
    one["source"], other["source"] = other["source"], one["source"]
