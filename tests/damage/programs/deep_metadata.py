"""A widget that saved its state into a cell and into the notebook, each time around the last: thousands of levels."""

REPAIRS = {"salvaged", "metadata_restored"}
FLAGS = {"damaged_file"}


def damage(submission):
    submission.notebook["metadata"]["widgets"] = "DEEP"
    submission.cell("softmax")["metadata"]["state"] = "DEEP"
    submission.cell("attention_mask")["outputs"] = "DEEP"
    submission.data = submission.text().replace('"DEEP"', '{"a": [' * 5000 + "]}" * 5000).encode()
