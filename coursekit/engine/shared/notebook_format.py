"""Check that a notebook has the form that Jupyter and nbgrader give it: valid JSON may still have another one."""

import difflib
import re
from collections.abc import Iterator
from typing import Any

CELL_TYPES = ("code", "markdown", "raw")
METADATA_VERSION = 3  # of nbgrader's metadata
METADATA_KEYS = (
    "grade",
    "grade_id",
    "locked",
    "solution",
    "task",
    "points",
    "schema_version",
    "cell_type",
    "checksum",
)
GRADE_ID = re.compile(r"[\w-]+", re.ASCII)


def malformed(notebook: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence for each malformed part of a notebook, with what to do about it."""
    cells = notebook.get("cells")
    if not isinstance(cells, list) or not cells:
        yield "It has no cells. Restore it from an earlier version."
        return
    for index, cell in enumerate(cells):
        if not isinstance(cell, dict) or cell.get("cell_type") not in CELL_TYPES:
            yield f"Cell {index} is not a Jupyter cell. Restore the notebook from an earlier version."
        elif not isinstance(cell.get("source"), str) or not isinstance(cell.get("metadata"), dict):
            field = "source" if not isinstance(cell.get("source"), str) else "metadata"
            yield f"Cell {index} has {cell.get(field)!r} for its {field}. Restore it from an earlier version."
        elif "nbgrader" in cell["metadata"]:
            yield from _nbgrader_mistakes(index, cell)


def _nbgrader_mistakes(index: int, cell: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence for each mistake in a cell's nbgrader metadata."""
    data = cell["metadata"]["nbgrader"]
    if not isinstance(data, dict):
        yield (
            f"Cell {index} has {data!r} for its nbgrader metadata. "
            "Set the cell's type in JupyterLab's Create Assignment toolbar."
        )
        return
    name = data.get("grade_id") or index
    for key in data:
        if key not in METADATA_KEYS:
            (meant,) = difflib.get_close_matches(key, METADATA_KEYS, 1, 0.7) or ("",)
            yield (
                f"Cell {name} has {key!r} in its nbgrader metadata, which nbgrader does not know. "
                + (f"Did you mean {meant!r}?" if meant else "Take it out.")
            )
    if data.get("schema_version", METADATA_VERSION) != METADATA_VERSION:
        yield (
            f"Cell {name} has nbgrader metadata of version {data['schema_version']}, not {METADATA_VERSION}. "
            "Run `nbgrader update` on the notebook."
        )
    if not isinstance(data.get("grade_id", ""), str) or not GRADE_ID.fullmatch(data.get("grade_id") or "x"):
        yield f"Cell {index} has the grade_id {data['grade_id']!r}. Use only letters, digits, _ and -."
    grade, solution = bool(data.get("grade")), bool(data.get("solution"))
    if grade and "points" not in data:
        yield f"Cell {name} is graded and has no points. Give it a number of points, 0 or more."
    if grade != solution and cell["cell_type"] != "code":
        role = "test" if grade else "solution"
        yield f"Cell {name} is a {role} in a {cell['cell_type']} cell. Make it a code cell."
