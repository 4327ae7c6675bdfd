"""Both weeks' notebooks pasted into one, the other week first."""

WEEK = "week4_encoder"
REPAIRS = {"given_edited", "duplicate_dropped", "reordered"}


def damage(submission):
    submission.notebook["cells"] = submission.other_week("week1_attention").cells + submission.cells
