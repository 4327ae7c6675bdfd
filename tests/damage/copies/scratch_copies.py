"""Copies of an answer's cell used as scratch paper: three more cells with its name, none of them an answer."""

from damage.harness import copied

REPAIRS = {"duplicate_answer_dropped"}


def damage(submission):
    place = submission.place("causal_mask")
    cell = submission.cell("causal_mask")
    for source in ("causal_mask(3)", "torch.tril(torch.ones(2, 2))", "length = 4"):
        submission.cells.insert(place + 1, copied(cell, source))
