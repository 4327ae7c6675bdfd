"""Keeps the tests' names and puts code in them that always passes, prints that it passed and is worth full marks."""

SHOWS = {"status": "repaired", "repairs": {"test_edited"}, "flags": set()}


def tests(submission):
    return [
        cell for cell in submission.notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("grade")
    ]


def attack(submission):
    for cell in tests(submission):
        if cell["cell_type"] == "code":
            name = cell["metadata"]["nbgrader"]["grade_id"]
            cell["source"] = f'print("{name}: passed")\n1.0'
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": f"{name}: passed\n"}]
            cell["execution_count"] = 1
