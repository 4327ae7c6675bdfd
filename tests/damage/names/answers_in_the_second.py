"""The untouched release under the right name, and the answers in the browser's second download."""

REPAIRS = {"renamed_file"}
FLAGS = {"several_notebooks"}


def damage(submission):
    submission.files["attention.ipynb"] = submission.text(submission.empty()).encode()
    submission.name = "attention (1).ipynb"
