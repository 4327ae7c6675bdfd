"""The file was emptied by a full disk; Jupyter's checkpoint beside it is whole."""

REPAIRS = {"renamed_file"}


def damage(submission):
    submission.files["attention.ipynb"] = b""
    submission.name = ".ipynb_checkpoints/attention-checkpoint.ipynb"
