"""Both weeks' notebooks pasted into one, the other week first."""

WEEK = "week4_encoder"
# Some pictures of both weeks have a long line in common.
REPAIRS = {"given_edited", "duplicate_dropped", "reordered", "cells_parted"}


def damage(submission):
    submission.notebook["cells"] = submission.other_week("week1_attention").cells + submission.cells
