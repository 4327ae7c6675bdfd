"""Adds tests of its own with new names, a thousand points each, that pass; and answers marked as tests."""

SHOWS = {"status": "graded", "repairs": set(), "flags": set()}


def attack(submission):
    for number in range(5):
        submission.add("print('passed')\n1000.0", before="attention")
        cell = submission.notebook["cells"][
            submission.notebook["cells"].index(submission.cell("attention")) - 1
        ]
        cell["metadata"] = {
            "nbgrader": {
                "grade": True,
                "solution": False,
                "task": False,
                "locked": True,
                "points": 1000,
                "grade_id": f"softmax_extra_{number}",
                "schema_version": 3,
            }
        }
    for question in ("softmax", "scaling"):
        submission.cell(question)["metadata"]["nbgrader"].update(grade=True, points=100)
