"""The answer in a new cell above the released one, whose last line would now undo it."""

from damage.harness import own_code

WEEK = "week8_transformer"
REPAIRS = {"answer_found_elsewhere"}


def damage(submission):
    cell = submission.cell("transformer")
    submission.cells.insert(submission.place("transformer"), own_code(cell["source"]))
    cell["source"] = submission.stub("transformer")
