"""Sent by a phone that knows no .ipynb and made it a text file."""

WEEK = "week2_multi_head"
REPAIRS = {"renamed_file"}


def damage(submission):
    submission.name = "multi_head.ipynb.txt"
