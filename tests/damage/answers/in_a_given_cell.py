"""An answer appended to the setup cell, so that it is there whenever the notebook is started."""

REPAIRS = {"cells_parted", "answer_found_elsewhere"}


def damage(submission):
    submission.cell("setup")["source"] += "\n\n\n" + submission.cell("softmax")["source"]
    submission.cell("softmax")["source"] = submission.stub("softmax")
