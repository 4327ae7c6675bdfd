"""Mistakes in a source notebook, and the sentence that says what each is and what to do about it.

docs/mistakes.md is made of this list (`python tests/test_source_mistakes.py`); tests/test_source_mistakes.py holds it.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from small_course import DOUBLE, HIDDEN, edit

from coursekit.course.config import Course

# Who reports it: each command that reads the source; those that make the students' notebook; those that grade.
EVERY, RELEASING, GRADING = "every command", "release, check and publish", "grade, and check as a problem"


@dataclass(frozen=True)
class Mistake:
    """One mistake."""

    made: str  # what is wrong, in words
    change: Callable[[Course], None]  # makes it, in a course whose first week is right
    said: str  # what is reported, after the notebook's path
    who: str = EVERY


def source(key: str, text: str) -> Callable[[Course], None]:
    return lambda course: edit(course, key, source=text)


def in_file(change: Callable[[bytes], bytes]) -> Callable[[Course], None]:
    def make(course: Course) -> None:
        path = course.source(course.weeks[0])
        path.write_bytes(change(path.read_bytes()))

    return make


def in_notebook(change: Callable[[dict[str, Any]], None]) -> Callable[[Course], None]:
    def changed(data: bytes) -> bytes:
        notebook = json.loads(data)
        change(notebook)
        return json.dumps(notebook, indent=1).encode()

    return in_file(changed)


def in_cell(key: str, **changes: Any) -> Callable[[Course], None]:
    """Change a cell's own entries."""
    return in_notebook(lambda notebook: _cell(notebook, key).update(changes))


def in_grader(key: str, **changes: Any) -> Callable[[Course], None]:
    """Change entries of a cell's nbgrader metadata; None takes one out."""

    def change(notebook: dict[str, Any]) -> None:
        metadata = _cell(notebook, key)["metadata"]
        changed = metadata["nbgrader"] | changes
        metadata["nbgrader"] = {name: value for name, value in changed.items() if value is not None}

    return in_notebook(change)


def _cell(notebook: dict[str, Any], key: str) -> dict[str, Any]:
    return next(cell for cell in notebook["cells"] if cell["id"] == key)


def _first(notebook: dict[str, Any]) -> None:
    cells = notebook["cells"]
    cells.insert(1, cells.pop(cells.index(_cell(notebook, "double-values"))))


CORRECT = " Correct the source and run the same command again."
OPEN = " Open it in JupyterLab and save it again."

MISTAKES: dict[str, Mistake] = {
    # Code that is not Python.
    "a solution": Mistake(
        "`return x +` in a solution",
        source("double", DOUBLE.replace("return x + x", "return x +")),
        "Cell double, line 5 (`return x +`) is not Python: invalid syntax." + CORRECT,
    ),
    "a visible test": Mistake(
        "a bracket of a visible test is not closed",
        source("double-values", "# Test: values\nassert double(2 == 4"),
        "Cell double_values, line 2 (`assert double(2 == 4`) is not Python: '(' was never closed." + CORRECT,
    ),
    "a hidden test": Mistake(
        "a bracket of a hidden test is missing",
        source("double-hidden", HIDDEN.replace("double(-3)", "double -3)")),
        'Cell double_hidden, line 3 (`assert double -3) == -6, "negative numbers are not doubled"`) is not Python: '
        "unmatched ')'." + CORRECT,
    ),
    "a setup cell": Mistake(
        "`import math as` in the setup cell",
        source("setup", "import math as"),
        "Cell setup, line 1 (`import math as`) is not Python: invalid syntax." + CORRECT,
    ),
    "a null byte": Mistake(
        "a null byte in the setup cell",
        source("setup", "x = '\0'"),
        "Cell setup is not Python: source code string cannot contain null bytes." + CORRECT,
    ),
    # Regions.
    "a solution without its end": Mistake(
        "`### END SOLUTION` is missing",
        source("double", DOUBLE.replace("    ### END SOLUTION\n", "")),
        "Cell double has unequal numbers of `### BEGIN SOLUTION` (1) and `### END SOLUTION` (0)." + CORRECT,
    ),
    "a hidden test without its end": Mistake(
        "`### END HIDDEN TESTS` is missing",
        source("double-hidden", HIDDEN.replace("### END HIDDEN TESTS", "")),
        "Cell double_hidden has unequal numbers of `### BEGIN HIDDEN TESTS` (1) and `### END HIDDEN TESTS` (0)."
        + CORRECT,
    ),
    "a region in a wrong cell": Mistake(
        "a hidden test in a solution cell",
        source("double", DOUBLE + "\n### BEGIN HIDDEN TESTS\n### END HIDDEN TESTS"),
        "Cell double has a line of `### HIDDEN TESTS` but is not a test: nbgrader obeys it only there."
        + CORRECT,
    ),
    "no region": Mistake(
        "a solution without `### BEGIN SOLUTION`",
        source("double", "def double(x):\n    return x + x"),
        "- double: has no region between ### BEGIN SOLUTION and ### END SOLUTION",
        RELEASING,
    ),
    # nbgrader's metadata.
    "a name twice": Mistake(
        "two cells with one grade_id",
        in_grader("double-hidden", grade_id="double_values"),
        "grade_id 'double_values' is used twice. Each cell needs its own.",
    ),
    "no name": Mistake(
        "a cell without a grade_id",
        in_grader("double-hidden", grade_id=""),
        "cell 5 has nbgrader metadata but no grade_id. Give it one.",
    ),
    "a name with a space": Mistake(
        "the grade_id `double hidden`",
        in_grader("double-hidden", grade_id="double hidden"),
        "Cell 5 has the grade_id 'double hidden'. Use only letters, digits, _ and -.",
    ),
    "a key with a typo": Mistake(
        "`solutoin` in a cell's nbgrader metadata",
        in_grader("double", solution=None, solutoin=True),
        "Cell double has 'solutoin' in its nbgrader metadata, which nbgrader does not know. Did you mean 'solution'?",
    ),
    "no points": Mistake(
        "a test without points",
        in_grader("double-values", points=None),
        "Cell double_values is graded and has no points. Give it a number of points, 0 or more.",
    ),
    "points that are words": Mistake(
        'the points "two"',
        in_grader("double-values", points="two"),
        "cell 'double_values' has 'two' for its points. Give it a number, 0 or more.",
    ),
    "an old version": Mistake(
        "nbgrader metadata of version 1",
        in_grader("double-values", schema_version=1),
        "Cell double_values has nbgrader metadata of version 1, not 3. Run `nbgrader update` on the notebook.",
    ),
    "a test in words": Mistake(
        "a test in a markdown cell",
        in_cell("double-values", cell_type="markdown"),
        "Cell double_values is a test in a markdown cell. Make it a code cell.",
    ),
    "a test too early": Mistake(
        "a test above the first solution",
        in_notebook(_first),
        "test 'double_values' comes before the first solution cell.",
    ),
    "an id twice": Mistake(
        "two cells with one id",
        in_cell("double-hidden", id="double-values"),
        "- cell 5 has no id, or the id of another cell: write one of its own into the file",
        RELEASING,
    ),
    # The file.
    "no notebook": Mistake(
        "git's conflict markers",
        in_file(lambda data: data.replace(b"{", b"<<<<<<< HEAD\n{", 1)),
        'is not a notebook (Notebook does not appear to be JSON: \'<<<<<<< HEAD\\n{\\n "cells": [\\n {\\n "...).'
        + OPEN,
    ),
    "an empty file": Mistake(
        "0 bytes",
        in_file(lambda data: b""),
        "is not a notebook (Notebook does not appear to be JSON: '')." + OPEN,
    ),
    "another encoding": Mistake(
        "letters that are not UTF-8",
        in_file(lambda data: data.replace(b"Double", b"\xff\xfe")),
        "is not a notebook ('utf-8' codec can't decode byte 0xff in position 384: invalid start byte)."
        + OPEN,
    ),
    "an old format": Mistake(
        "a notebook of format 3",
        in_file(lambda _: b'{"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": []}'),
        "is not a notebook (version 3 of the format, not 4)." + OPEN,
    ),
    "a list": Mistake(
        "`[]`",
        in_file(lambda data: b"[]"),
        "is not a notebook ('list' object has no attribute 'get')." + OPEN,
    ),
    "no cells": Mistake(
        "a notebook without cells",
        in_notebook(lambda notebook: notebook.update(cells=[])),
        "It has no cells. Restore it from an earlier version.",
    ),
    "a number for a source": Mistake(
        "`5` for a cell's source",
        in_cell("double", source=5),
        "Cell 3 has 5 for its source. Restore it from an earlier version.",
    ),
    "a list for metadata": Mistake(
        "`[]` for a cell's nbgrader metadata",
        in_notebook(lambda notebook: _cell(notebook, "double")["metadata"].update(nbgrader=[])),
        "Cell 3 has [] for its nbgrader metadata. Set the cell's type in JupyterLab's Create Assignment toolbar.",
    ),
    "no file": Mistake(
        "the notebook is gone",
        lambda course: course.source(course.weeks[0]).unlink(),
        "cannot be read (No such file or directory). course.toml lists week1_attention: put its notebook there, or "
        "take the week out of course.toml.",
    ),
    # What only shows when it is run.
    "a name that is not there": Mistake(
        "a hidden test that calls `doubel`",
        source("double-hidden", HIDDEN.replace("double(-3)", "doubel(-3)")),
        "the reference gets 2 of 5 points, so nobody was graded."
        + CORRECT
        + " Test double_hidden, line 3: The test could "
        "not use what your code defines or returns. NameError: name 'doubel' is not defined",
        GRADING,
    ),
    "a wrong reference": Mistake(
        "`return x + x + 1` as the solution",
        source("double", DOUBLE.replace("x + x", "x + x + 1")),
        "the reference gets 0 of 5 points, so nobody was graded."
        + CORRECT
        + " Test double_values, line 2: The check was "
        "not true. Test double_hidden, line 3: negative numbers are not doubled",
        GRADING,
    ),
    "a module that is not there": Mistake(
        "`import mahts` in the setup cell",
        source("setup", "import math\nimport mahts"),
        "the reference gets 0 of 5 points, so nobody was graded."
        + CORRECT
        + " Cell setup, line 2: ModuleNotFoundError: No "
        "module named 'mahts'",
        GRADING,
    ),
}
