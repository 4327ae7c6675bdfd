"""All tests deleted, to hand in a tidy notebook."""

REPAIRS = {"test_restored"}


def damage(submission):
    graders = [(cell, cell["metadata"].get("nbgrader", {})) for cell in submission.cells]
    submission.notebook["cells"] = [
        cell for cell, item in graders if not item.get("grade") or item["solution"]
    ]
