"""Each rule of `course check`: what breaks it is reported, and what keeps it is not. test_lesson.py has a lesson's."""

import dataclasses
import json
from types import SimpleNamespace

import pytest
from small_course import (
    ROOT,
    TRIPLE,
    code,
    graded,
    make_course,
    markdown,
    notebook_of,
    triple_cells,
    write_answer,
)
from small_course import cells as small_cells
from warm import MODULES

from coursekit.authoring.checks import answers, check, execution, structure
from coursekit.authoring.release import release
from coursekit.course.bank import read_bank
from coursekit.course.config import open_course
from coursekit.engine.coordinator.grade import grade
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.data_files import DataFile
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.limits import Calibration, Limits
from coursekit.engine.shared.master import read_master

COURSE = open_course(ROOT)
WEEK = COURSE.weeks[0]
SOURCE = COURSE.notebook(WEEK)


def test_a_typo_in_what_is_refused_is_reported():
    notebook = json.loads(SOURCE)
    good = ["torch.nn.functional.softmax", "torch.nn.LayerNorm", "not_installed.softmax", "math.exp"]
    wrong = {
        "torch.nn.functional.sofmax": "is no function or class of a module of torch",
        "torch.functionals.softmax": "is no function or class of a module of torch",
        "numpy.*": "is no function or class of a module of numpy",
        "softmax": "which has no module before its name: write module.softmax",
        "sum": "write builtins.sum",
        "np.exp": "but np is a name of this notebook alone: write numpy.exp",
        "nn.LayerNorm": "write torch.nn.LayerNorm",
        "numyp.exp": "did you mean numpy?",
        "itertool.groupby": "did you mean itertools?",
        "__main__.median": "is no function or class of a module of __main__",
    }
    assert "import numpy as np" in "".join("".join(cell["source"]) for cell in notebook["cells"])
    notebook["cells"][1]["source"] = "from torch import nn\n" + "".join(notebook["cells"][1]["source"])
    notebook["metadata"]["course"]["from_scratch"] = [*good, *wrong]
    problems = structure.check_from_scratch(
        read_master(json.dumps(notebook).encode(), WEEK.name, WEEK.notebook)
    )
    of_one = [problem for problem in problems if problem.startswith("question padding_mask: ")]
    said = dict(problem.split(" lists ")[1].split(", ", 1) for problem in of_one)
    assert list(said) == list(wrong)
    for name, sentence in wrong.items():
        assert sentence in said[name]


def test_a_typo_in_what_servers_import_is_reported():
    problems = structure.check_modules(
        ("numpy", "nmupy", "matplotlib.pyplot", "matplotlib.piplot", "__main__")
    )
    assert [problem.split()[2] for problem in problems] == ["nmupy", "matplotlib.piplot"]
    assert structure.check_modules(COURSE.limits.modules) == []


# Notebooks in a real kernel.


@pytest.mark.slow
def test_what_a_run_shows(tmp_path):
    (tmp_path / "beside.txt").write_text("here")
    data = notebook_of(
        code("start", "import sys, time"),
        code("double", "", **graded("double", solution=True)),
        code("warns", "print('oh', file=sys.stderr)"),
        code("fails", "1 / 0"),
        code("reads", "print(open('beside.txt').read())"),
        code("misses", "open('absent.txt').read()"),
        code("sleeps", "time.sleep(2)"),
        code("computes", "t = time.thread_time()\nwhile time.thread_time() < t + 1: pass"),
        code("double-values", "double(2)", **graded("double_values", grade=True, points=1)),
    )
    run = execution.execute(data, [DataFile.at(str(tmp_path / "beside.txt"), "beside.txt")])
    master = read_master(data, "week1_small", "small")
    problems = "\n".join(execution.check_filled(run, master))
    for sentence in (
        "cell warns writes on stderr: oh",
        "cell fails raises ZeroDivisionError",
        "cell misses raises FileNotFoundError",
    ):
        assert sentence in problems
    assert "cell reads" not in problems
    assert "here\n" in [output.text for cell, output in run.outputs if cell == "reads"]
    assert run.seconds["sleeps"] < 0.5 < 0.9 < run.seconds["computes"] < 3
    problems = "\n".join(execution.check_unfilled(run, master))
    assert "unfilled, cell fails raises ZeroDivisionError" in problems
    assert "unfilled, cell double-values" not in problems
    for cell in ("fails", "double", "double-values"):
        assert f"cell {cell} may raise and lacks the tag raises-exception" in problems
    assert "cell start may raise" not in problems


def test_seconds_are_limited():
    double = code("double", "", **graded("double", solution=True))
    data = notebook_of(code("train", "", tags=["training"]), code("slow", ""), double)
    master = read_master(data, "week1_small", "small")
    run = execution.NotebookRun(seconds={"train": 29, "slow": 21, "double": 11})
    problems = execution.check_filled(run, master)
    assert any("takes 61 s; at most 60" in problem for problem in problems)
    assert any("cell slow takes 21 s; at most 20" in problem for problem in problems)
    assert not any("cell train takes" in problem for problem in problems)
    run.slowness = 1.5
    assert execution.check_filled(run, master) == []
    run.seconds["slow"] = 31
    (problem,) = execution.check_filled(run, master)
    assert problem == "cell slow takes 31 s; at most 30 are allowed (here, 1.5 times as slow)"


@pytest.mark.slow
def test_how_slow_a_machine_is_shows_in_work_of_ours_and_not_in_the_notebooks(monkeypatch):
    """The same work at half the pace is twice the slowness; what the notebook computes is not looked at."""
    data = notebook_of(code("busy", "import numpy as np\nnp.tanh = None\ntotal = sum(range(10**7))"))
    monkeypatch.setattr(execution, "PACE_SECONDS", 1e-6)
    run = execution.execute(data)
    assert list(run.seconds) == ["busy"] and run.outputs == []
    assert 10_000 < run.slowness < 100_000_000
    monkeypatch.setattr(execution, "PACE_SECONDS", 1000)
    assert execution.execute(data).slowness == 1


# The bank through the engine.

WEAK = """# Test: values
assert double(2) is not None
print("double_values: passed")"""
UNSTABLE = """def double(x):
    ### BEGIN SOLUTION
    math.two = 2
    if hash("a string") % 2:
        raise ValueError("an odd hash")
    return x + x
    ### END SOLUTION
    raise NotImplementedError("week 1, double: give back twice x")"""


SQUARE = "def double(x):\n    return x * x\n"


def tell(done, total):
    pass


@pytest.mark.slow
def test_a_bank_and_tests_with_every_fault(tmp_path):
    """A test that a constant passes, a result that depends on the hash seed, a question that needs another."""
    title, triple, values = triple_cells()
    triple["source"] = TRIPLE.replace("3 * x", "math.two * x + x")
    course, week = make_course(
        tmp_path,
        [
            code("setup", "import math\nimport torch", tags=["setup"]),
            code("double", UNSTABLE, **graded("double", solution=True)),
            code("double-values", WEAK, **graded("double_values", grade=True, points=2)),
            *(title, triple, values),
        ],
    )
    write_answer(course, "right/double_one", "def double(x):\n    return 2 * x\n")
    write_answer(course, "wrong/double_one", SQUARE, "double_values")
    master = course.master(week)
    with Servers(modules=MODULES) as servers:
        full, used, facts = answers.check_reference(course, master, servers)
        facts |= answers.check_hash_seeds(course, master, full, False)
        facts |= answers.check_answers(course, week, master, servers, 1, tell)[0]
    problems = "\n".join(problem for found in facts.values() for problem in found)
    for sentence in (
        "test double_values is passed by an answer that gives 0",
        "answered alone, question triple fails triple_values",
        "the reference's result is different",
        "wrong/double_one passes double_values, which it should fail",
        "question triple has no right answer in the bank",
        "no wrong answer of the bank names triple_values in its line `Fails:`",
    ):
        assert sentence in problems
    assert "passed by an answer that gives None" not in problems
    assert 0 < used < 20


@pytest.mark.slow
def test_a_right_answer_that_comes_near_a_limit_is_found_unless_only_the_machine_was_slow(tmp_path, servers):
    course, week = make_course(tmp_path)
    limits = Limits(cell_seconds=3, test_seconds=3, question_seconds=10)
    course = dataclasses.replace(course, limits=limits)
    write_answer(course, "wrong/double_squares", SQUARE, "double_values")
    servers.wait()  # which measures the machine: a slow one has longer limits
    seconds = 1.5 * servers.calibration.slowness
    busy = f"import time\nuntil = time.process_time() + {seconds}\nwhile time.process_time() < until:\n    pass\n"
    quick = "def double(x):\n    return 2 * x\n"
    in_test = "def double(x):\n    " + busy.replace("\n", "\n    ").rstrip() + "\n    return 2 * x\n"
    for name, source in (("quick", quick), ("in_cell", busy + quick), ("in_test", in_test)):
        write_answer(course, f"right/double_{name}", source)
    master = course.master(week)
    bank = [{"double": answer} for answer in read_bank(course, week)]
    carried = [(chosen, grade(master, answers.carrying(master, chosen), limits, servers)) for chosen in bank]
    (problems,) = answers.check_limits(course, master, carried, False).values()
    found = {(problem.split()[0], problem.split()[4]) for problem in problems}
    assert found - {("right/double_in_test", "question_seconds")} == {
        ("right/double_in_cell", "cell_seconds"),
        ("right/double_in_test", "test_seconds"),
    }
    (quickly,) = [graded for chosen, graded in carried if "quick" in chosen["double"].name]
    used = dataclasses.replace(quickly.used, test_seconds={"double_values": 0.9})
    (right,) = [chosen for chosen, graded in carried if graded is quickly]
    for interpreter, too_much in ((1, True), (2, False)):
        result = dataclasses.replace(quickly.result, calibration=Calibration(interpreter, 0.5, 0.5))
        slow = dataclasses.replace(quickly, result=result, used=used)
        problems = answers.check_used(master, limits, [(right, slow)], lambda chosen, slow=slow: slow)
        assert bool(problems) == too_much
    assert answers.check_used(master, limits, carried, lambda chosen: quickly) == []


@pytest.mark.slow
def test_one_question_is_checked_as_in_the_whole_week(tmp_path, servers):
    """Its own faults are found, those of another question are not looked at, and no other test is run."""
    hint = "Think.\n\n```python\ndef thrice(x):\n    return 3 * x\n```"
    setup = code("setup", "import math\nimport torch", tags=["setup"])
    course, week = make_course(
        tmp_path, [setup, *small_cells()[3:6], markdown("hint", hint), *triple_cells()]
    )
    write_answer(course, "right/double_one", "def double(x):\n    return x\n")
    write_answer(course, "wrong/double_one", SQUARE, "double_values")
    write_answer(course, "right/triple_one", "def triple(x):\n    return 3 * x\n")
    write_answer(course, "wrong/triple_one", "def triple(x):\n    return 6\n", "triple_values")
    master = course.master(week)
    part = answers.of_question(master, "triple")
    assert [test for question in part.questions for test in question.tests] == ["triple_values"]
    assert part.solutions == master.solutions
    whole, *_ = answers.check_answers(course, week, master, servers, 2, tell)
    alone, counts, _ = answers.check_answers(course, week, part, servers, 2, tell, "triple")
    assert counts == {"right": 1, "wrong": 1}

    def of_triple(facts):
        return {problem for found in facts.values() for problem in found if "triple" in problem}

    (of_gates,) = [problem for problem in of_triple(whole) if "code that is on the page, thrice" in problem]
    assert of_triple(alone) == of_triple(whole) - {of_gates} == set().union(*alone.values())
    assert "wrong/triple_one passes triple_values, which it should fail" in "\n".join(of_triple(alone))
    assert "double" in "".join(problem for found in whole.values() for problem in found)
    first = answers.of_question(master, "double")
    assert [cell.cell_id for cell in first.cells][-1] == "double-hidden", "what stands below has no say"


# Checks of other packages.


def point(name, brings):
    """An entry point that loads this, or raises it."""

    def load():
        if isinstance(brings, Exception):
            raise brings
        return brings

    return SimpleNamespace(name=name, value=f"{name}:it", load=load)


def nothing(*_):
    return {"all is well": []}


@pytest.mark.parametrize(
    ("brings", "sentence"),
    [
        (None, r"names the check 'extra', which is not installed\. There are: other\."),
        (
            ImportError("no module"),
            r"'extra' in course\.toml, extra:it, cannot be loaded \(ImportError: no module",
        ),
        (ZeroDivisionError(), r"cannot be loaded \(ZeroDivisionError: \)\. Fix or reinstall the package"),
        (SimpleNamespace(check=nothing), r"extra:it, has no function check_runs\. Have its package add"),
        (SimpleNamespace(check={}, check_runs=nothing), r"has no function check\. "),
        (object(), r"has no function check or check_runs\. "),
    ],
)
def test_a_check_that_cannot_be_used_is_refused(tmp_path, monkeypatch, brings, sentence):
    points = [point("other", None), *([point("extra", brings)] if brings else [])]
    monkeypatch.setattr(check, "entry_points", lambda group: points)
    course, week = make_course(tmp_path)
    with pytest.raises(CourseError, match=sentence):
        check.check_week(dataclasses.replace(course, checks=("extra",)), week, run=False)


def test_a_check_of_another_package_is_asked(tmp_path, monkeypatch):
    module = SimpleNamespace(check=lambda *_: {"no week is too long": ["it is"]}, check_runs=nothing)
    monkeypatch.setattr(check, "entry_points", lambda group: [point("extra", module)])
    course, week = make_course(tmp_path)
    release(course, week, gradebook=False)
    report = check.check_week(dataclasses.replace(course, checks=("extra",)), week, run=False)
    assert "it is" in report.problems and "no week is too long" not in report.facts
