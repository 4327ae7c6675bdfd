"""The answer in a new cell below the released one, which stays as it was."""

from damage.harness import own_code

REPAIRS = {"answer_found_elsewhere"}


def damage(submission):
    cell = submission.cell("softmax")
    submission.cells.insert(submission.place("softmax") + 1, own_code(cell["source"]))
    cell["source"] = submission.stub("softmax")
