"""Written by a converter that knows the format by hearsay: nulls, counts as words, NaN, a wrong minor version."""

import json


def damage(submission):
    for cell in submission.cells:
        if cell["cell_type"] == "code":
            cell |= {"execution_count": "12", "outputs": None}
        if not cell["metadata"]:
            cell["metadata"] = None
    submission.cells.insert(3, None)
    submission.notebook |= {"nbformat_minor": "x", "metadata": {"loss": float("nan"), "best": float("inf")}}
    submission.data = json.dumps(submission.notebook).encode()
