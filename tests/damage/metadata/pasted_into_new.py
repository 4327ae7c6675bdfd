"""All cells pasted into a fresh notebook: no metadata, other ids; nothing is left but the text."""

from damage.harness import token

WEEK = "week8_transformer"
REPAIRS = {"metadata_restored"}


def damage(submission):
    for cell in submission.cells:
        cell["metadata"], cell["id"] = {}, token(cell["id"])
