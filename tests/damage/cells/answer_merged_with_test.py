"""Shift+M on an answer and the test below it: one cell, with the answer's metadata."""

REPAIRS = {"cells_parted", "metadata_restored"}


def damage(submission):
    for name in ("softmax", "padding_mask"):
        place = submission.place(name)
        test = submission.cells.pop(place + 1)
        submission.cells[place]["source"] += "\n\n" + test["source"]
