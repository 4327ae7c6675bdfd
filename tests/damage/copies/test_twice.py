"""A test pasted a second time further up, and one given cell as well."""

from damage.harness import copied

REPAIRS = {"duplicate_dropped", "reordered"}


def damage(submission):
    submission.cells.insert(submission.place("attention"), copied(submission.cell("attention_mask")))
    submission.cells.insert(submission.place("scaling"), copied(submission.cell("setup")) | {"id": "setup"})
