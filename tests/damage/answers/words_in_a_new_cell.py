"""The written answer in a new text cell below the one that says YOUR ANSWER HERE."""

from damage.harness import own_words

REPAIRS = {"answer_found_elsewhere"}


def damage(submission):
    cell = submission.cell("why_three")
    submission.cells.insert(submission.place("why_three") + 1, own_words(cell["source"]))
    cell["source"] = "YOUR ANSWER HERE"
