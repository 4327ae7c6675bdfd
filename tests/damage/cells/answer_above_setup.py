"""An answer dragged to the very top, above the imports, to have it at hand."""

REPAIRS = {"reordered"}


def damage(submission):
    submission.cells.insert(0, submission.cells.pop(submission.place("attention")))
