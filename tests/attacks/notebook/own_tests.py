"""Adds tests of its own with new names, a thousand points each, that pass; and answers marked as tests."""

from small_course import graded

SHOWS = {"status": "graded"}


def attack(submission):
    for number in range(5):
        cell = submission.add("print('passed')\n1000.0", before="attention")
        cell["metadata"] = graded(f"softmax_extra_{number}", grade=True, points=1000)
    for question in ("softmax", "scaling"):
        submission.cell(question)["metadata"]["nbgrader"].update(grade=True, points=100)
