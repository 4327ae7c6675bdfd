"""The function under a name of one's own in a new cell, and nothing that gives it the name asked for."""

from damage.harness import own_code

LOST = ("softmax",)
FLAGS = {"maybe_an_answer"}


def damage(submission):
    cell = submission.cell("softmax")
    renamed = cell["source"].replace("def softmax", "def softmax_v2")
    submission.cells.insert(submission.place("softmax") + 1, own_code(renamed))
    cell["source"] = submission.stub("softmax")
