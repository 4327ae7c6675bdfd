"""Both weeks' notebooks pasted into one, the other week first."""

WEEK = "week4_encoder"
# One of the pictures of week 1 has long lines of two of week 4.
REPAIRS = {"given_edited", "duplicate_dropped", "reordered", "cells_parted"}


def damage(submission):
    submission.notebook["cells"] = submission.other_week("week1_attention").cells + submission.cells
