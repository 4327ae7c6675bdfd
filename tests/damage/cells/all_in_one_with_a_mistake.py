"""All answers in one cell, where a colon is missing in one of them: Python reads none, a person reads the others."""

from damage.harness import own_code

LOST = ("softmax",)
REPAIRS = {"cells_parted", "metadata_restored", "reordered"}


def damage(submission):
    answers = {name: source for name, source in submission.answers.items() if name != "why_three"}
    answers["softmax"] = answers["softmax"].replace("axis=-1):", "axis=-1)")
    for name in answers:
        del submission.cells[submission.place(name)]
    submission.cells.insert(3, own_code("\n\n\n".join(answers.values())))
