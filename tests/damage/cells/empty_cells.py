"""Enter pressed again and again: an empty cell between any two, and an empty test."""

from damage.harness import own_code

REPAIRS = {"test_edited"}


def damage(submission):
    submission.cell("softmax_axis")["source"] = ""
    submission.notebook["cells"] = [
        item for number, cell in enumerate(submission.cells) for item in (cell, own_code("\n" * (number % 3)))
    ]
