"""Some cells were cut and pasted between two programs, and those lost metadata and ids."""

from damage.harness import token

WEEK = "week4_encoder"
REPAIRS = {"metadata_restored"}


def damage(submission):
    for number, cell in enumerate(submission.cells):
        if number % 2:
            cell["metadata"], cell["id"] = {}, token(cell["id"])
