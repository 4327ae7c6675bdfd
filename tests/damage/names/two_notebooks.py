"""The notebook, and an earlier version of it under another name."""

FLAGS = {"several_notebooks"}


def damage(submission):
    submission.files["attention_old.ipynb"] = submission.text(submission.empty()).encode()
