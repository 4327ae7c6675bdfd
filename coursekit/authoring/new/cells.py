"""Cells of a source notebook, as JupyterLab's Create Assignment toolbar would make them."""

from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell

GO_ON = "raises-exception"  # with this tag Run All goes on after an error


def markdown(key: str, source: str) -> nbformat.NotebookNode:
    """Prose. `key` is the cell's id, by which repair finds it: it must not change."""
    return new_markdown_cell(source, id=key)


def code(key: str, source: str, *tags: str) -> nbformat.NotebookNode:
    """Code that students get as it is."""
    return new_code_cell(source, id=key, metadata={"tags": list(tags)} if tags else {})


def solution(key: str, source: str) -> nbformat.NotebookNode:
    """A question's answer; students do not get what is in its solution region."""
    return _graded(code(_id(key), source, GO_ON), key, solution=True)


def test(key: str, source: str, points: float) -> nbformat.NotebookNode:
    """A test of the question above it."""
    return _graded(code(_id(key), source, GO_ON), key, points=points)


def written(key: str, source: str, points: float) -> nbformat.NotebookNode:
    """A question that a person grades, with its model answer."""
    return _graded(markdown(_id(key), source), key, points=points, solution=True)


def _id(key: str) -> str:
    return key.replace("_", "-")


def _graded(
    cell: nbformat.NotebookNode, key: str, *, points: float | None = None, solution: bool = False
) -> nbformat.NotebookNode:
    grade = points is not None
    data: dict[str, Any] = {
        "grade": grade,
        "grade_id": key,
        "locked": grade and not solution,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    cell.metadata["nbgrader"] = data | ({"points": points} if grade else {})
    return cell


def write(notebook: nbformat.NotebookNode) -> bytes:
    """A source notebook's bytes."""
    return nbformat.writes(notebook, version=4).encode() + b"\n"
