"""Hands in cells made of the letters of the course's cells: comparing any two takes as long as it can."""

import random


def attack(submission):
    chance = random.Random(0)
    cells = []
    for number, cell in enumerate(submission.cells * 12):
        letters = list("".join(cell["source"]))
        chance.shuffle(letters)
        kind = cell["cell_type"]
        cells.append({"cell_type": kind, "id": f"c{number}", "metadata": {}, "source": "".join(letters)})
    submission.notebook["cells"] = cells


SHOWS = {
    "status": "repaired",
    "repairs": {"cell_restored", "missing_answer", "nothing_recognised", "test_restored"},
    "flags": {"nothing_recognised", "too_many_cells"},
}
