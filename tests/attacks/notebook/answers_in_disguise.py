"""Binds the questions' names in markdown cells, in tests and as classes, so that the repair takes the wrong cell."""

SHOWS = {
    "status": "repaired",
    "repairs": {
        "answer_found_elsewhere",
        "duplicate_answer_dropped",
        "metadata_restored",
        "reordered",
        "test_restored",
    },
    "flags": {"several_answers"},
}


def attack(submission):
    for question in ("softmax", "causal_mask", "padding_mask"):
        cell = submission.cell(question)
        submission.cells.append(
            {**cell, "id": f"late-{question}", "metadata": {}, "source": f"class {question}:\n    pass"}
        )
        cell["source"] = f"raise NotImplementedError('week 1, {question}')"
        cell["metadata"]["nbgrader"]["grade_id"] = "why_three"
    test = submission.cell("softmax_rows")
    test["source"] = "def softmax(x, axis=-1):\n    return check_close\nclass torch:\n    softmax = softmax"
    test["metadata"]["nbgrader"].update(grade_id="softmax", grade=False, solution=True)
