"""Hands in each test three times under one name: the real one, one without asserts, and last one that passes."""

import copy


def attack(submission):
    for cell in submission.tests():
        if cell["cell_type"] != "code":
            continue
        place = submission.cells.index(cell)
        for number, source in enumerate(("pass", 'print("passed")')):
            twin = copy.deepcopy(cell)
            twin["id"] = f"{cell['id']}-{number}"
            twin["source"] = source
            submission.cells.insert(place + 1, twin)


SHOWS = {"status": "repaired", "repairs": {"duplicate_dropped"}}
