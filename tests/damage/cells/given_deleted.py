"""The setup and every other given cell deleted after they had been run once."""

WEEK = "week2_multi_head"
REPAIRS = {"cell_restored"}


def damage(submission):
    submission.notebook["cells"] = [cell for cell in submission.cells if "nbgrader" in cell["metadata"]]
