"""Saved by Colab, then cleaned by a script that keeps only what Colab itself wrote: its ids are all that is left."""

from damage.harness import saved_by_colab

WEEK = "week2_multi_head"
REPAIRS = {"metadata_restored"}


def damage(submission):
    for cell in submission.cells:
        cell["metadata"] = {"id": cell.pop("id")}
    submission.notebook["nbformat_minor"] = 0
    saved_by_colab(submission.notebook)
