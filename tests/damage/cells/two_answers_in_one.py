"""Two answers in one cell, one of which does not pass its test in between; the other cell was deleted."""

REPAIRS = {"cells_parted", "metadata_restored", "reordered"}


def damage(submission):
    source = submission.cell("causal_mask")["source"] + "\nassert causal_mask(2).sum() == 4\n\n"
    submission.cell("causal_mask")["source"] = source + submission.cell("padding_mask")["source"]
    del submission.cells[submission.place("padding_mask")]
