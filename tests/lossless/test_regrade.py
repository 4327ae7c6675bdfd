"""After an edit of the master only that is run again which can come out otherwise, and the marks are right."""

import json
from types import SimpleNamespace

import pytest
from folder import CRASHES, DRAWS, RIGHT, WRONG
from quick import first
from small_course import DOUBLE, cells, code, graded, triple_cells

from coursekit.engine.coordinator.compiling import compile_test
from coursekit.engine.coordinator.examiner_client import ExaminerProcess
from coursekit.engine.coordinator.grade import grade
from coursekit.engine.coordinator.kernel_client import StudentKernel
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import TEST, fill, read_master

LIMITS = Limits(memory_mb=1024, test_seconds=4)
TESTS = ["double_values", "double_hidden", "triple_values"]
ANSWERS = {"triple": "def triple(x):\n    print('tripled', x)\n    return x * 3"}
COUNTS = {"double": "asked = 0\ndef double(x):\n    global asked\n    asked += 1\n    return x + x"}
CLOCK = {"double": "import time\nprint(time.time_ns())\ndef double(x):\n    return x + x"}
MORE = graded("triple_more", grade=True, points=2)


def source():
    given = code("show", "print('shown', globals().get('asked', 0))\nimport matplotlib.pyplot as plt")
    all_cells = json.loads(json.dumps([*cells(), *triple_cells(), given]))
    return {"cells": all_cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def master_of(notebook):
    return read_master(json.dumps(notebook).encode(), "week1_attention", "attention")


def cell(notebook, key):
    return next(item for item in notebook["cells"] if item["id"] == key)


def change(key, old, new):
    def edit(notebook):
        assert old in cell(notebook, key)["source"]
        cell(notebook, key)["source"] = cell(notebook, key)["source"].replace(old, new)

    return edit


def points(notebook):
    cell(notebook, "double-hidden")["metadata"]["nbgrader"]["points"] = 1


def renamed(notebook):
    cell(notebook, "triple-values")["metadata"]["nbgrader"]["grade_id"] = "triple_small"


def added(notebook):
    notebook["cells"].insert(-1, code("triple-more", "# Test: more\nassert triple(3) == 9", **MORE))


def removed(notebook):
    notebook["cells"].remove(cell(notebook, "double-values"))


def moved(notebook):
    test = cell(notebook, "double-hidden")
    notebook["cells"].remove(test)
    notebook["cells"].append(test)


def refused(metadata):
    metadata["course"] = {"from_scratch": ["statistics.mean"]}


EDITS = {  # what is edited: the edit, and the tests that are examined again; None: no kernel is started
    "nothing": (lambda notebook: None, None),
    "a test": (change("double-values", "double(2) == 4", "double(3) == 6"), ["double_values"]),
    "points": (points, None),
    "a title": (change("triple-why", "Triple", "Three times"), None),
    "the written question": (change("why", "model", "best"), None),
    "a test's name": (renamed, None),
    "a test taken out": (removed, None),
    "the solution": (change("double", "return x + x", "return 2 * x"), None),
    "a hidden test": (change("double-hidden", "-6", "-7"), ["double_hidden"]),
    "a new test": (added, ["triple_more"]),
    "a test's place": (moved, ["double_hidden"]),
    "a given cell": (change("show", "shown", "printed"), TESTS),
    "the stub, which nobody left": (change("double", "Twice x", "2 x"), None),
    "the stub, left unanswered": (change("triple", "Three times", "3 times"), None),
    "the setup": (change("setup", "math", "math, cmath"), TESTS),
    "what a solution defines": (change("double", DOUBLE, DOUBLE + "\nhalf = 0.5"), TESTS),
    "what is refused": (lambda notebook: refused(notebook["metadata"]), TESTS),
    "what one question refuses": (lambda notebook: refused(cell(notebook, "double")["metadata"]), TESTS[:2]),
}


@pytest.fixture
def counter(monkeypatch):
    """Counts the kernels that are started, and has the programs of the tests that are examined."""
    counter = SimpleNamespace(kernels=0, examined=[])
    test, init = ExaminerProcess.test, StudentKernel.__init__

    def counted_test(self, program, *rest):
        counter.examined.append(program)
        return test(self, program, *rest)

    def counted_init(self, *rest):
        counter.kernels += 1
        init(self, *rest)

    monkeypatch.setattr(ExaminerProcess, "test", counted_test)
    monkeypatch.setattr(StudentKernel, "__init__", counted_init)
    return counter


def as_text(graded):
    return graded.result.to_json().replace(f'"seconds": {graded.result.seconds}', ""), graded.notebook


def regrade(counter, servers, edit, answers):
    """Grade, edit, grade again: (tests examined again, kernels, what came of it, what comes of a first run)."""
    before, after = source(), source()
    edit(after)
    master = master_of(after)
    submission = fill(master_of(before), ANSWERS | answers if answers else {})
    earlier = grade(master_of(before), submission, LIMITS, servers)
    counter.kernels, counter.examined = 0, []
    again = grade(master, submission, LIMITS, servers, earlier)
    tests = [item for item in master.cells if item.role == TEST]
    examined = [
        item.grade_id
        for program in counter.examined
        for item in tests
        if compile_test(item.source, master.solution_names) == program
    ]
    return examined, counter.kernels, again, grade(master, submission, LIMITS, servers)


@pytest.mark.parametrize("what", first(4, EDITS))
def test_only_what_an_edit_can_change_is_run(counter, servers, what):
    edit, wanted = EDITS[what]
    answers = {} if "unanswered" in what else WRONG if "hidden" in what else RIGHT
    examined, kernels, again, fresh = regrade(counter, servers, edit, answers)
    assert sorted(examined) == sorted(wanted or []) and kernels == (wanted is not None)
    assert as_text(again) == as_text(fresh)


@pytest.mark.parametrize("answers", [CRASHES, COUNTS, CLOCK])
def test_what_cannot_be_kept_is_run_whole(counter, servers, answers):
    """A kernel died, or what the notebook prints depends on more than the program."""
    edit, _ = EDITS["a hidden test"]
    examined, kernels, again, fresh = regrade(counter, servers, edit, answers)
    assert set(TESTS) <= set(examined) and kernels >= 1
    if answers is not CLOCK:
        assert as_text(again) == as_text(fresh)


def test_a_test_that_kills_only_now(counter, servers):
    """The edit makes a kept verdict's kernel die in another test: nothing of the partial run is used."""
    killer = {"double": "import os\ndef double(x):\n    return os._exit(1) if x == 77 else x + x"}
    edit = change("double-values", "double(2) == 4", "double(77) == 154")
    examined, kernels, again, fresh = regrade(counter, servers, edit, killer)
    assert examined[0] == "double_values" and set(examined) == set(TESTS) and kernels > 1
    assert again.result.status == "stopped" and as_text(again) == as_text(fresh)


def test_an_earlier_result_of_another_student_is_no_help(counter, servers):
    """Kept is what rests on the same, not what has the same name."""
    master = master_of(source())
    other = grade(master, fill(master, ANSWERS | DRAWS), LIMITS, servers)
    counter.examined = []
    mine = grade(master, fill(master, ANSWERS | WRONG), LIMITS, servers, other)
    assert len(counter.examined) == 3
    assert [test.outcome for test in mine.result.tests] == ["passed", "failed", "passed"]


def test_a_notebook_handed_in_again_with_the_same_code_is_not_run(counter, servers):
    """Only the written answer is another."""
    master = master_of(source())
    earlier = grade(master, fill(master, ANSWERS | RIGHT), LIMITS, servers)
    counter.kernels = 0
    submission = fill(master, ANSWERS | RIGHT | {"why": "Better words."})
    again = grade(master, submission, LIMITS, servers, earlier)
    assert counter.kernels == 0
    assert as_text(again) == as_text(grade(master, submission, LIMITS, servers))


def test_other_limits_keep_nothing(counter, servers):
    master = master_of(source())
    submission = fill(master, ANSWERS | RIGHT)
    earlier = grade(master, submission, LIMITS, servers)
    counter.examined = []
    grade(master, submission, Limits(memory_mb=1025), servers, earlier)
    assert len(counter.examined) == 3
