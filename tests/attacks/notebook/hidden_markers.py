"""Writes the markers of hidden tests and solutions into cells, so that a tool cuts in the wrong place."""

SHOWS = {"status": "graded"}


def attack(submission):
    markers = [
        "### BEGIN HIDDEN TESTS",
        "### END HIDDEN TESTS",
        "### BEGIN SOLUTION",
        "### END SOLUTION",
        "### BEGIN MARK SCHEME",
    ]
    for question in ("softmax", "attention", "scaling"):
        cell = submission.cell(question)
        cell["source"] = "\n".join(
            [markers[1], markers[0], cell["source"], *markers, "raise SystemExit", markers[0]]
        )
    submission.add("\n".join(reversed(markers)) + '\nprint("softmax_rows: passed")\nreached()')
    for name in ("softmax_rows", "softmax_hidden_edges"):
        submission.cell(name)["source"] = markers[0] + "\n" + submission.cell(name)["source"]
