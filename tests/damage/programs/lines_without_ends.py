"""Saved by a script that split each source into lines and dropped their ends."""


def damage(submission):
    for cell in submission.cells:
        cell["source"] = cell["source"].splitlines()
