"""The first answer turned into comments, the second one written in a new cell behind the tests."""

from damage.harness import own_code

REPAIRS = {"answer_found_elsewhere"}


def damage(submission):
    cell = submission.cell("causal_mask")
    submission.cells.insert(submission.place("causal_mask") + 3, own_code(cell["source"]))
    cell["source"] = "\n".join(f"# {line}" for line in cell["source"].split("\n"))
