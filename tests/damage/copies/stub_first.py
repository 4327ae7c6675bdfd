"""The released cell kept as a template: the answer stands in a pasted copy below it."""

from damage.harness import copied

REPAIRS = {"duplicate_answer_dropped"}


def damage(submission):
    cell = submission.cell("attention")
    submission.cells.insert(submission.place("attention") + 1, copied(cell, cell["source"]))
    cell["source"] = submission.stub("attention")
