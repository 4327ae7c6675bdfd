"""The function under a name of one's own in a new cell, and one line at the end that gives it the name asked for."""

from damage.harness import own_code

REPAIRS = {"answer_found_elsewhere", "helper_moved"}


def damage(submission):
    cell = submission.cell("softmax")
    submission.cells.append(own_code(cell["source"].replace("def softmax", "def my_softmax")))
    submission.cells.append(own_code("softmax = my_softmax"))
    cell["source"] = submission.stub("softmax")
