"""Imports that fail while a notebook is graded: one that is never used costs nothing."""

import json

import pytest
import small_course
from small_course import cells, code

from coursekit.engine.coordinator.grade import grade
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import fill, read_master

FULL = 5.0
DOUBLE = "def double(x):\n    return x + x"
# What is computed below the import, and is no plain value: it is lost where the cell ends at the import.
COMPUTED = "TWO = sum([1, 1])\ndef double(x):\n    return TWO * x"


@pytest.fixture(scope="module")
def master():
    return read_master(small_course.notebook_of(*cells()), "week1_attention", "attention")


@pytest.fixture
def score(master, servers):
    """A function: an answer, and cells of the student's own above it, to the score."""

    def score(answer, *above):
        notebook = json.loads(fill(master, small_course.RIGHT | {"double": answer}))
        for number, source in enumerate(above):
            notebook["cells"].insert(2 + number, code(f"own{number}", source))
        return grade(master, json.dumps(notebook).encode(), Limits(), servers).result.score

    return score


# {where the import is: (the answer, the cells above it)}
NEVER_USED = {
    "first line": (f"import missing\n{COMPUTED}", ()),
    "from": (f"from missing import thing\n{COMPUTED}", ()),
    "submodule": (f"import missing.part as part\n{COMPUTED}", ()),
    "several": (f"import missing\nfrom absent import a, b\nimport lost.part\n{COMPUTED}", ()),
    "star": (f"from missing import *\n{COMPUTED}", ()),
    "missing submodule": (f"import json.missing\n{COMPUTED}", ()),
    "missing name": (f"from json import missing\n{COMPUTED}", ()),
    "relative": (f"from . import missing\n{COMPUTED}", ()),
    "between two": (
        "import math\nimport missing\nimport operator\ndouble = lambda x: operator.mul(2, x)",
        (),
    ),
    "one line": ("import missing, operator as op\nTWO = sum([1, 1])\ndouble = lambda x: op.mul(TWO, x)", ()),
    "one from": ("from operator import missing, mul\nTWO = sum([1, 1])\ndouble = lambda x: mul(TWO, x)", ()),
    "below if": (f"if True:\n    import missing\n{COMPUTED}", ()),
    "below else": (f"if False:\n    pass\nelif True:\n    import missing, math\n{COMPUTED}", ()),
    "try": (f"try:\n    import missing\nexcept ImportError:\n    missing = None\n{COMPUTED}", ()),
    "try and raise": (
        f"try:\n    import missing\nexcept ImportError as error:\n    raise error\n{DOUBLE}",
        (),
    ),
    "with": (f"import warnings\nwith warnings.catch_warnings():\n    import missing\n{DOUBLE}", ()),
    "a function": (f"def plot():\n    import missing\n{COMPUTED}", ()),
    "own cell": ("def double(x):\n    return TWO * x", ("import missing\nTWO = sum([1, 1])",)),
    "own cell's function": (
        "def double(x):\n    return twice(x)",
        ("import missing\nTWO = sum([1, 1])\ndef twice(x):\n    return TWO * x",),
    ),
    "a cell that stops later": (f"import missing\n{COMPUTED}\nmissing.plot(double(2))", ()),
    "used above the answer": (f"import missing\nmissing.style()\n{DOUBLE}", ()),
    "future": (f"from __future__ import annotations\nimport missing\n{COMPUTED}", ()),
    "after a magic": (f"!true\nimport missing\n{COMPUTED}", ()),
    "below a cell magic": (f"%%time\nimport missing\n{DOUBLE}", ()),
    "another error": (
        f"import broken_here\n{COMPUTED}",
        ("open('broken_here.py', 'w').write('1 / 0')",),
    ),
    "not Python": (
        f"import broken_there\n{COMPUTED}",
        ("open('broken_there.py', 'w').write('def')",),
    ),
    "Exception is another name": (f"Exception = BaseException = print\nimport missing\n{COMPUTED}", ()),
}


@pytest.mark.parametrize("where", NEVER_USED)
def test_an_import_that_fails_and_is_never_used_costs_nothing(score, where):
    answer, above = NEVER_USED[where]
    assert score(answer, *above) == FULL


def test_what_an_import_uses_up_ends_the_cell_as_anywhere(score):
    """Only definitions of the rest are kept: whether there was enough memory or time depends on the machine."""
    for error in ("MemoryError", "RecursionError", "SystemExit"):
        assert score(f"import uses_up\n{COMPUTED}", f"open('uses_up.py', 'w').write('raise {error}')") < FULL


def test_a_statement_after_a_failed_import_runs_once_the_cell_is_run_again(score):
    """The statements of a cell have the same numbers when it is repeated without the one that stopped."""
    assert score(f"import missing, math, absent\n{COMPUTED}\n1 / 0\ndel double") == FULL
