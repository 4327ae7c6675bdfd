"""Jupyter's checkpoint came along and is newer than the file: the file is what was handed in."""


def damage(submission):
    checkpoint = ".ipynb_checkpoints/attention-checkpoint.ipynb"
    submission.files[checkpoint] = submission.text(submission.empty()).encode()
