"""A class split in three on Colab, where the lower parts have no metadata: none of them is Python for itself."""

from damage.harness import own_code

WEEK = "week4_encoder"
REPAIRS = {"cells_joined"}


def damage(submission):
    cell, place = submission.cell("encoder_block"), submission.place("encoder_block")
    lines = cell["source"].split("\n")
    third = len(lines) // 3
    cell["source"] = "\n".join(lines[:third])
    rest = ["\n".join(lines[third : 2 * third]), "\n".join(lines[2 * third :])]
    submission.cells[place + 1 : place + 1] = [own_code(source) for source in rest]
