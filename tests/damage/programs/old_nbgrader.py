"""Begun with last years' release: nbgrader's metadata of versions 1 and 2, with checksums and without `task`."""


def damage(submission):
    for number, cell in enumerate(submission.cells):
        grader = cell["metadata"].get("nbgrader")
        if grader:
            del grader["task"]
            grader |= {"schema_version": 1 + number % 2, "checksum": "0a9f4cdb9d6f2b0a1e2f3a4b5c6d7e8f"}
