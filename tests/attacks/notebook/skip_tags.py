"""Tags every test with each tag by which some tool leaves a cell out: skip-execution, skip-grading, raises-exception, remove-cell."""

SHOWS = {"status": "graded", "flags": {"test_tampered"}}


def attack(submission):
    tags = [
        "skip-execution",
        "skip-grading",
        "raises-exception",
        "remove-cell",
        "remove_input",
        "setup",
        "hide",
        "no-execute",
    ]
    for cell in submission.tests():
        cell["metadata"]["tags"] = tags
        cell["metadata"]["jupyter"] = {"source_hidden": True, "outputs_hidden": True}
        cell["metadata"]["execution"] = {"allow_errors": True, "timeout": 0}
