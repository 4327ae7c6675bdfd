"""Gives every field of the notebook a wrong type: dicts as sources, lists as metadata, numbers as types."""

SHOWS = {
    "status": "repaired",
    "repairs": {
        *("answer_found_elsewhere", "words_in_given_text"),
        *("given_edited", "given_type_restored", "metadata_restored", "test_edited"),
    },
    "flags": {"test_tampered"},
}


def attack(submission):
    odd = [None, 0, -1, 1e308, True, "", "code", [], ["a", 1, None, {}], {}, {"source": ["x"]}, [[[[]]]]]
    cells = submission.cells
    for number, cell in enumerate(list(cells)):
        key = ("source", "metadata", "cell_type", "outputs", "id", "execution_count")[number % 6]
        cell[key] = odd[number % len(odd)]
        if isinstance(cell.get("metadata"), dict):
            cell["metadata"]["tags"] = odd[(number + 5) % len(odd)]
            cell["metadata"]["nbgrader"] = (
                odd[(number + 7) % len(odd)] if number % 4 else cell["metadata"].get("nbgrader", {})
            )
    cells.extend([*odd, cells[:3], {"cells": cells[:2]}])
    submission.notebook["metadata"] = []
