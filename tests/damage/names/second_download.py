"""The browser's name for a second download."""

REPAIRS = {"renamed_file"}


def damage(submission):
    submission.name = "attention (1).ipynb"
