"""Imports that fail while a notebook is graded: one that is never used costs nothing, one that is used is flagged."""

import dataclasses
import json
import sys
from types import ModuleType

import pytest
import small_course
from quick import first
from small_course import cells, code

from coursekit.deliver.feedback.page import render
from coursekit.engine.coordinator.grade import grade
from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.reader.packages import taken_name_flags
from coursekit.engine.reader.repair import DraftCell
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import fill, read_master
from coursekit.engine.shared.reasons import Flag
from coursekit.engine.shared.result import Note
from coursekit.gradebook.marks import Marks
from coursekit.grading.run import grade_class

FULL = 5.0
WRONG = "def double(x):\n    return x"
DOUBLE = "def double(x):\n    return x + x"
# What is computed below the import, and is no plain value: it is lost where the cell ends at the import.
COMPUTED = "TWO = sum([1, 1])\ndef double(x):\n    return TWO * x"


@pytest.fixture(scope="module")
def master():
    return read_master(small_course.notebook_of(*cells()), "week1_attention", "attention")


@pytest.fixture
def graded(master, servers):
    """A function: an answer, cells of the student's own above it, and files beside the notebook, to the result."""

    def graded(answer, *above, **beside):
        notebook = json.loads(fill(master, small_course.RIGHT | {"double": answer}))
        for number, source in enumerate(above):
            notebook["cells"].insert(2 + number, code(f"own{number}", source))
        files = {f"{name}.py": source.encode() for name, source in beside.items()}
        with Submission.of_bytes({"attention.ipynb": json.dumps(notebook).encode(), **files}) as opened:
            return grade(master, opened, Limits(), servers).result

    return graded


# {where the import is: (the answer, cells above it)}
NEVER_USED = {
    "first line": (f"import missing\n{COMPUTED}",),
    "from": (f"from missing import thing\n{COMPUTED}",),
    "one line": ("import missing, operator as op\nTWO = sum([1, 1])\ndouble = lambda x: op.mul(TWO, x)",),
    "one from": ("from operator import missing, mul\nTWO = sum([1, 1])\ndouble = lambda x: mul(TWO, x)",),
    "below if": (f"if True:\n    import missing\n{COMPUTED}",),
    "below else": (f"if False:\n    pass\nelif True:\n    import missing, math\n{COMPUTED}",),
    "star": (f"from missing import *\n{COMPUTED}",),
    "relative": (f"from . import missing\n{COMPUTED}",),
    "try": (f"try:\n    import missing\nexcept ImportError:\n    missing = None\n{COMPUTED}",),
    "a function": (f"def plot():\n    import missing\n{COMPUTED}",),
    "own cell": ("def double(x):\n    return TWO * x", "import missing\nTWO = sum([1, 1])"),
    "a cell that stops later": (f"import missing\n{COMPUTED}\nmissing.plot(double(2))",),
    "future": (f"from __future__ import annotations\nimport missing\n{COMPUTED}",),
    "below a cell magic": (f"%%time\nimport missing\n{DOUBLE}",),
    "another error": (f"import broken_here\n{COMPUTED}", "open('broken_here.py', 'w').write('1 / 0')"),
    "Exception is another name": (f"Exception = BaseException = print\nimport missing\n{COMPUTED}",),
}


@pytest.mark.parametrize("where", first(6, NEVER_USED))
def test_an_import_that_fails_and_is_never_used_costs_nothing(graded, where):
    result = graded(*NEVER_USED[where])
    assert (result.score, result.flags) == (FULL, [])


def test_what_an_import_uses_up_ends_the_cell_as_anywhere(graded):
    """Only definitions of the rest are kept: whether there was enough memory or time depends on the machine."""
    for error in ("MemoryError", "RecursionError", "SystemExit"):
        result = graded(f"import uses_up\n{COMPUTED}", f"open('uses_up.py', 'w').write('raise {error}')")
        assert result.score < FULL


def test_a_statement_after_a_failed_import_runs_once_the_cell_is_run_again(graded):
    """The statements of a cell have the same numbers when it is repeated without the one that stopped."""
    assert graded(f"import missing, math, absent\n{COMPUTED}\n1 / 0\ndel double").score == FULL


# {where the answer needs it: (the answer, cells above it)}
USED = {
    "in the function": ("import missing\ndef double(x):\n    return missing.twice(x)",),
    "another name": ("import missing.part as part\ndef double(x):\n    return part.twice(x)",),
    "from": ("from missing import twice as t\ndouble = lambda x: t(x)",),
    "import inside": ("def double(x):\n    import missing\n    return missing.twice(x)",),
    "own cell": ("def double(x):\n    return missing.twice(x)", "import missing"),
    "decorator": ("import missing\n@missing.fast\ndef double(x):\n    return x + x",),
    "inside a helper": ("def help(x):\n    from missing import twice\n    return twice(x)\ndouble = help",),
    "own cell's value": ("def double(x):\n    return TWO * x", "import missing\nTWO = missing.TWO"),
    "star": ("from missing import *\ndef double(x):\n    return twice(x)",),
    "try with pass": (
        "try:\n    import missing\nexcept ImportError:\n    pass\ndef double(x):\n    return missing.twice(x)",
    ),
    "None instead": (
        "try:\n    import missing\nexcept ImportError:\n    missing = None\n"
        "def double(x):\n    return missing.twice(x)",
    ),
    "wrapped": (f"import missing\n{WRONG}\ndouble = missing.fast(double)",),
}
FLAGS = [Note(Flag.MISSING_PACKAGE, cell="double", values={"packages": "missing"})]


@pytest.mark.parametrize("where", first(5, USED))
def test_an_answer_that_needs_a_missing_package_is_flagged(graded, where):
    result = graded(*USED[where])
    assert result.score < FULL and result.needs_review and result.flags == FLAGS


def test_what_is_used_and_costs_nothing_is_not_flagged(graded):
    result = graded(f"import missing\n{DOUBLE}\ndouble = missing.fast(double)")
    assert result.score == FULL and result.flags == []


NOT_NEEDED = {
    "never used, and wrong": (f"import missing\n{WRONG}",),
    "used elsewhere": (WRONG, "import missing\nmissing.plot(3)"),
    "replaced": (
        "try:\n    from missing import twice\nexcept ImportError:\n    def twice(x):\n        return x\n"
        "def double(x):\n    return twice(x)",
    ),
    "replaced by another package": (
        "try:\n    import missing as op\nexcept Exception:\n    import operator as op\n"
        "def double(x):\n    return op.neg(x)",
    ),
    "done without": (
        "def double(x):\n    try:\n        import missing\n    except (ImportError, OSError):\n        return x\n"
        "    return missing.twice(x)",
    ),
    "Colab's": ("from google.colab import drive\ndef double(x):\n    drive.mount('x')\n    return x",),
    "a missing part of a package": ("import json.missing\ndef double(x):\n    return json.missing(x)",),
    "a file that the notebook writes": (
        "import helper\ndef double(x):\n    return helper.twice(x)",
        "%%writefile helper.py\ndef twice(x):\n    return x",
    ),
    "star, and nothing unknown": (f"from missing import *\n{WRONG}",),
    "not Python": ("import missing\ndef double(x:\n    return missing.twice(x)",),
}


@pytest.mark.parametrize("where", first(4, NOT_NEEDED))
def test_a_wrong_answer_that_needs_no_missing_package_is_not_flagged(graded, where):
    result = graded(*NOT_NEEDED[where])
    assert result.score < FULL and result.flags == []


@pytest.mark.parametrize(
    ("helper", "flags"),
    [
        ("def twice(x):\n    return x", []),
        ("import missing\ndef twice(x):\n    return missing.twice(x)", FLAGS),
        ("def twice(x):\n    import missing\n    return missing.twice(x)", FLAGS),
        (
            "try:\n    import missing\nexcept ImportError:\n    missing = None\ndef twice(x):\n    return x",
            [],
        ),
    ],
)
def test_what_a_module_beside_the_notebook_needs_is_flagged(graded, helper, flags):
    assert graded("import helper\ndef double(x):\n    return helper.twice(x)", helper=helper).flags == flags


def test_a_thousand_imports_take_no_time(graded):
    """Nobody looks up as many: the submission is read and graded."""
    many = "\n".join(f"import missing{number}" for number in range(1000))
    result = graded(f"{many}\ndef double(x):\n    return missing0.twice(missing999, x)")
    assert result.status == "graded" and result.flags[0].values["packages"] == "missing0"


def test_a_deep_expression_is_read(graded):
    deep = "+".join(["missing"] * 5000)
    result = graded(f"import missing\ndef double(x):\n    return x + x\nother = lambda: {deep}")
    assert result.status == "graded"


def test_the_pages_of_a_missing_package(master, graded):
    """The student reads which package it is, and no advice to run a test until it passes; and what a TA decided."""
    result = graded(*USED["own cell"])
    marks = Marks("a", "graded", 0.0, 9.0, {"double": 0.0, "why": 2.0}, needs_manual=False, flagged=True)
    page = render(master, result, None, marks=marks)
    assert (
        "missing, which was not there while your notebook was graded" in page
        and "until it passes" not in page
    )
    assert "somebody looks at it" in page
    later = render(master, result, None, marks=dataclasses.replace(marks, flagged=False))
    assert "Somebody has looked at it" in later and "until it passes" not in later


def test_it_is_graded_again_by_the_next_run_since_the_package_may_be_there(tmp_path, warm, monkeypatch):
    course, week = small_course.make_course(tmp_path)
    answer = "import missing_today\ndef double(x):\n    return missing_today.twice(x)"
    small_course.hand_in(course, "ana", {"double": answer})
    small_course.hand_in(course, "ben")
    grade_class(course, week)
    assert grade_class(course, week).fresh == {"ana"}


def test_a_module_that_is_here_in_an_unusual_way_takes_its_name_too(monkeypatch):
    """The search for a module raises an error where that module is loaded and does not say where it is from."""
    odd = ModuleType("odd_one")
    monkeypatch.setitem(sys.modules, "odd_one", odd)
    cell = DraftCell("code", "import odd_one", None)
    assert taken_name_flags([cell], ["odd_one.py"]) == [
        Note(Flag.MODULE_NAME_TAKEN, values={"name": "odd_one"})
    ]
