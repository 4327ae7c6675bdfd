"""Marks tests as manually graded answers and answers as tasks, so that their points are given by hand, or at once."""

SHOWS = {"status": "graded"}


def attack(submission):
    for number, cell in enumerate(submission.tests()):
        cell["metadata"]["nbgrader"].update(
            solution=True, task=number % 2 == 0, locked=False, schema_version=99
        )
    for question in ("softmax", "attention", "causal_mask"):
        submission.cell(question)["metadata"]["nbgrader"].update(
            grade=True, task=True, points=26, solution=False
        )
