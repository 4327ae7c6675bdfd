"""Gives all cells the same name, tests the names of answers, answers the names of tests, and ids of every JSON type."""

SHOWS = {"status": "repaired", "repairs": {"duplicate_answer_dropped", "metadata_restored"}}


def attack(submission):
    odd = [None, 7, True, [], {}, ["softmax"], "", "softmax", "../softmax", "softmax\u0000", "x" * 100_000]
    cells = submission.cells
    for number, cell in enumerate(cells):
        cell["id"] = odd[number % len(odd)]
        cell["metadata"]["id"] = odd[(number + 3) % len(odd)]
    for number, cell in enumerate(submission.tests()):
        cell["metadata"]["nbgrader"]["grade_id"] = odd[number % len(odd)]
