"""Moves every test to the top, before there is anything to test, and the answers to the end, behind a cell that ends the kernel."""

SHOWS = {"status": "repaired", "repairs": {"reordered"}, "flags": set()}


def tests(submission):
    return [
        cell for cell in submission.notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("grade")
    ]


def attack(submission):
    moved = tests(submission)
    rest = [cell for cell in submission.notebook["cells"] if cell not in moved]
    submission.notebook["cells"] = moved + rest
    submission.add("reached()\nraise SystemExit(0)", before="softmax")
    submission.notebook["cells"].reverse()
