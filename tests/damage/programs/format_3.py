"""Saved by a program from before 2015: notebook format 3, with worksheets."""

import nbformat

WEEK = "week5_tokenizer"
REPAIRS = {"format_upgraded"}


def damage(submission):
    submission.notebook = nbformat.convert(nbformat.from_dict(submission.notebook), 3)
