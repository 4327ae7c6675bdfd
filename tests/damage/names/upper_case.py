"""From a system that writes names in capitals."""

REPAIRS = {"renamed_file"}


def damage(submission):
    submission.name = "ATTENTION.IPYNB"
