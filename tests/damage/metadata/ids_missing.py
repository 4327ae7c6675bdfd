"""Saved by a program that does not know cell ids and drops them."""

WEEK = "week2_multi_head"


def damage(submission):
    for cell in submission.cells:
        del cell["id"]
    submission.notebook["nbformat_minor"] = 4
