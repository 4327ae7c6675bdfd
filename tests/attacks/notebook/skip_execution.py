"""Tags every test `skip-execution`: nbconvert leaves it out, and for nbgrader a cell without an error passes."""

SHOWS = {"status": "graded", "flags": {"test_tampered"}}


def attack(submission):
    for cell in submission.cells:
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            cell["metadata"]["tags"] = ["skip-execution"]
