"""The released cell pasted back below the answer, to compare, and left there."""

from damage.harness import copied

REPAIRS = {"duplicate_answer_dropped"}


def damage(submission):
    stub = copied(submission.cell("attention"), submission.stub("attention"))
    submission.cells.insert(submission.place("attention") + 1, stub)
