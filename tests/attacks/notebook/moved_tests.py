"""Moves every test to the top and the answers to the end, after a cell that ends the kernel."""

SHOWS = {"status": "repaired", "repairs": {"reordered"}}


def attack(submission):
    moved = submission.tests()
    rest = [cell for cell in submission.cells if cell not in moved]
    submission.notebook["cells"] = moved + rest
    submission.add("reached()\nraise SystemExit(0)", before="softmax")
    submission.cells.reverse()
