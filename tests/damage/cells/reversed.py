"""Opened in a program that lists the newest cell first, and saved: the whole notebook upside down."""

WEEK = "week5_tokenizer"
REPAIRS = {"reordered"}


def damage(submission):
    submission.cells.reverse()
