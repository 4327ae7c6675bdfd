"""Exported by an online viewer that still writes format 2: no metadata at all, code in `input`."""

REPAIRS = {"format_upgraded", "metadata_restored"}


def damage(submission):
    cells = []
    for cell in submission.cells:
        if cell["cell_type"] == "code":
            cells.append({"cell_type": "code", "language": "python", "input": cell["source"], "outputs": []})
        else:
            cells.append({"cell_type": "markdown", "source": cell["source"]})
    submission.notebook = {"metadata": {"name": "attention"}, "nbformat": 2, "worksheets": [{"cells": cells}]}
