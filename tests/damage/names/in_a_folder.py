"""Unpacked by the LMS into a folder in a folder."""

REPAIRS = {"renamed_file"}


def damage(submission):
    submission.name = "week 1/solution/attention.ipynb"
