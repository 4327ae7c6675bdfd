"""Select all, copy, paste: the whole notebook a second time below itself, the first time without answers."""

from damage.harness import token

WEEK = "week2_multi_head"
REPAIRS = {"duplicate_answer_dropped", "duplicate_dropped", "reordered"}


def damage(submission):
    empty = submission.empty()["cells"]
    for cell in empty:
        if "nbgrader" not in cell["metadata"]:
            cell["id"] = token(cell["id"])
    submission.notebook["cells"] = empty + submission.cells
