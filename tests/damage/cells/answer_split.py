"""An answer of two functions split between them in JupyterLab: both halves carry the same metadata."""

from damage.harness import copied

REPAIRS = {"functions_joined"}


def damage(submission):
    cell = submission.cell("scaling")
    first, second = cell["source"].split("\n\n\ndef softmax_entropy")
    cell["source"] = first
    submission.cells.insert(submission.place("scaling") + 1, copied(cell, "def softmax_entropy" + second))
