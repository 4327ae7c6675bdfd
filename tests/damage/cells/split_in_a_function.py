"""Ctrl+Shift+Minus pressed in the middle of a function: the second half begins with its indented lines."""

from damage.harness import copied

REPAIRS = {"cells_joined"}


def damage(submission):
    cell = submission.cell("attention")
    lines = cell["source"].split("\n")
    middle = len(lines) - 3
    cell["source"] = "\n".join(lines[:middle])
    submission.cells.insert(submission.place("attention") + 1, copied(cell, "\n".join(lines[middle:])))
