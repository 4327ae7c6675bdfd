"""Two downloads joined into one file by a script: the release, and the notebook with the answers."""

REPAIRS = {"concatenated"}
FLAGS = {"concatenated_file", "several_in_file"}


def damage(submission):
    submission.data = (submission.text(submission.empty()) + submission.text()).encode()
