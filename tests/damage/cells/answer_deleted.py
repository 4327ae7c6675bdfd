"""The cell of an answer deleted by a slip (D, D): the answer is nowhere."""

LOST = ("softmax",)
REPAIRS = {"missing_answer"}


def damage(submission):
    del submission.cells[submission.place("softmax")]
