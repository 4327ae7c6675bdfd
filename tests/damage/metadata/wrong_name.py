"""The cell of one answer was copied to write the next one in, and that one's own cell was deleted."""

from damage.harness import copied

REPAIRS = {"metadata_restored"}


def damage(submission):
    place = submission.place("causal_mask")
    submission.cells[place] = copied(submission.cell("softmax"), submission.cell("causal_mask")["source"])
