"""A browser that knows what JSON is and added its extension."""

REPAIRS = {"renamed_file"}


def damage(submission):
    submission.name = "attention.ipynb.json"
