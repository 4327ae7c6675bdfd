"""A faulty editor extension gave every cell the same id, after the metadata had been cleared."""

REPAIRS = {"metadata_restored"}


def damage(submission):
    for cell in submission.cells:
        cell["metadata"], cell["id"] = {}, "cell"
