"""Two downloads joined into one file by a script: the release, and the notebook with the answers."""

REPAIRS = {"salvaged"}
FLAGS = {"damaged_file", "several_notebooks"}


def damage(submission):
    submission.data = (submission.text(submission.empty()) + submission.text()).encode()
