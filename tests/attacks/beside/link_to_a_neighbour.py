"""Has no notebook but a folder that links to a neighbour's submission, another to the answers, and one that leads to itself."""

from attacks.harness import Link


def attack(submission):
    submission.files["attention.ipynb"] = Link("copy/attention.ipynb")
    submission.files["copy"] = Link("../../a-neighbour/week1_attention")
    submission.files["answers"] = Link("../../../answers/week1_attention")
    submission.files["round"] = Link("../week1_attention")
    submission.files["self.ipynb"] = Link("self.ipynb")
    submission.files["root"] = Link("/")


SHOWS = {"status": "unreadable", "repairs": set(), "flags": {"unreadable"}}
