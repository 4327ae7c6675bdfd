"""Merged from below: one cell with the test's metadata, the answer on top of it."""

WEEK = "week2_multi_head"
REPAIRS = {"cells_parted", "metadata_restored"}


def damage(submission):
    place = submission.place("multi_head")
    answer = submission.cells.pop(place)
    submission.cells[place]["source"] = answer["source"] + "\n\n" + submission.cells[place]["source"]
