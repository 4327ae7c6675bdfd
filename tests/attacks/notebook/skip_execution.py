"""Tags every test `skip-execution`, nothing else: nbconvert leaves such a cell out, and a cell without an error has
passed for nbgrader."""

SHOWS = {"status": "graded", "repairs": set(), "flags": {"test_tampered"}}


def attack(submission):
    for cell in submission.notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            cell["metadata"]["tags"] = ["skip-execution"]
