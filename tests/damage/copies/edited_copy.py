"""A first try that is wrong, and a copy of it, put right, below: two answers under one name."""

from damage.harness import copied

REPAIRS = {"duplicate_answer_dropped"}
FLAGS = {"several_answers"}


def damage(submission):
    cell = submission.cell("softmax")
    submission.cells.insert(submission.place("softmax") + 1, copied(cell, cell["source"]))
    cell["source"] = "def softmax(x, axis=-1):\n    return x / x.sum(axis, keepdims=True)"
