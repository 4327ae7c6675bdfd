"""The gates of `course check`: a week whose marks can be had without an answer does not pass."""

import json

import pytest
from small_course import code, graded, markdown

from coursekit.authoring.checks import gates
from coursekit.engine.coordinator.grade import grade
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import read_master

LIMITS = Limits(cell_seconds=5, test_seconds=5, all_cells_seconds=60, memory_mb=1024)

DOUBLE = """def double(x):
    ### BEGIN SOLUTION
    return x + x
    ### END SOLUTION
    raise NotImplementedError("week 1, double: write it")"""
NORM = """class Norm(nn.Module):
    def __init__(self, size):
        super().__init__()
        ### BEGIN SOLUTION
        self.gain = nn.Parameter(torch.ones(size))
        return
        ### END SOLUTION
        raise NotImplementedError("week 1, norm: write it")

    def forward(self, x):
        ### BEGIN SOLUTION
        return self.gain * (x - x.mean(-1, keepdim=True))
        ### END SOLUTION
        raise NotImplementedError("week 1, norm: write it")"""
ASKED = "x = torch.tensor([1.0, 3.0])\nassert torch.equal(Norm(2)(x), torch.tensor([-1.0, 1.0]))"
PROBED = """def probe_norm(make, x):
    return make(x.shape[-1])(x)

assert torch.equal(probe_norm(Norm, torch.tensor([1.0, 3.0])), torch.tensor([-1.0, 1.0]))"""
HIDDEN = "### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"


def master(*, given="", double="assert double(3) == 6", norm=ASKED, hint="Think."):
    cells = [
        markdown("intro", f"# Week 1\n\n{hint}"),
        code("setup", "import torch\nfrom torch import nn", tags=["setup"]),
        code("given", given),
        code("double", DOUBLE, **graded("double", solution=True)),
        code("double-values", f"# Test: values\n{double}", **graded("double_values", grade=True, points=2)),
        code("norm", NORM, **graded("norm", solution=True)),
        code("norm-values", f"# Test: values\n{norm}", **graded("norm_values", grade=True, points=3)),
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return read_master(json.dumps(notebook).encode(), "week1_attention", "attention")


@pytest.fixture
def found(servers):
    def found(week):
        tried = gates.trials(week)
        return gates.shares(tried, [grade(week, trial.notebook, LIMITS, servers).result for trial in tried])

    return found


def test_a_week_that_holds_no_answer_gives_nothing(found):
    shares = found(master(given="def halve(x):\n    return x / 2"))
    assert shares[gates.FORGER] == {"double": (0, ""), "norm": (0, "")}
    assert shares[gates.PASTE] == {"double": (0, ""), "norm": (0, "")}
    assert not gates.problems(shares, gates.FORGER) and not gates.problems(shares, gates.PASTE)


@pytest.mark.parametrize("norm", [PROBED, HIDDEN.format(PROBED)], ids=["visible", "hidden"])
def test_the_forger_of_probes_is_found(found, norm):
    shares = found(master(norm=norm))
    assert shares[gates.FORGER]["norm"][0] == 1 and shares[gates.FORGER]["double"][0] == 0
    (problem,) = gates.problems(shares, gates.FORGER)
    assert "question norm gives 100%" in problem


SIBLING = """def probe_after(x):
    class Tools:
        def run(self, x):
            def inner(y):
                return grown(y)
            return inner(x)
    def grown(y):
        return y * 2
    return Tools().run(x)

assert probe_after(3) == 6 and double(3) == 6"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "held",
    [
        {"given": "def twice(x):\n    return x * 2"},
        {"given": "def plot(values):\n    def scaled(x):\n        return 2 * x\n    return scaled(values)"},
        {"double": "def want(x):\n    return 2 * x\n\nassert double(3) == want(3)"},
        {"double": SIBLING},
        {"double": HIDDEN.format(SIBLING)},
        {"hint": "```python\ndef twice(x):\n    return 2 * x\n```"},
    ],
    ids=["given", "nested", "visible test", "siblings", "probe of a hidden test", "hint"],
)
def test_an_answer_on_the_page_is_found(found, held):
    shares = found(master(**held))
    assert shares[gates.PASTE]["double"][0] == 1, shares[gates.PASTE]
    (problem,) = gates.problems(shares, gates.PASTE)
    assert "question double gives 100%" in problem and " in cell " in problem


def test_an_oracle_in_a_hidden_test_is_not_on_the_page(found):
    hidden = HIDDEN.format("def want(x):\n    return 2 * x\n\nassert double(3) == want(3)")
    assert found(master(double=hidden))[gates.PASTE]["double"] == (0, "")


@pytest.mark.parametrize(
    ("given", "fits"),
    [
        ("def area(width, height):\n    return width * height", False),
        ("def nothing():\n    return 6", False),
        ("def keyed(*, a, b):\n    return a", True),
        ("def scaled(x, factor=2):\n    return x * factor", True),
        ("def total(*values):\n    return sum(values)", True),
        ("@curried\ndef area(width, height):\n    return width * height", True),
        ("class Box:\n    def __init__(self, width, height):\n        pass", False),
        ("class Box:\n    def __init__(self, side):\n        pass", True),
        ("class Box(tuple):\n    pass", True),
    ],
)
def test_a_paste_goes_only_to_questions_whose_calls_it_takes(given, fits):
    """Both questions are called with one argument. What refuses that raises a TypeError, as a blank does."""
    pastes = [trial.about for trial in gates.trials(master(given=given)) if trial.gate == gates.PASTE]
    assert [set(about) for about in pastes] == ([{"double", "norm"}] if fits else [])


def test_each_question_has_its_own_queue_of_pastes():
    """As many notebooks as one question needs, and not as there are pieces of code."""
    given = "\n\n".join(f"def part_{number}(x):\n    return x + {number}" for number in range(3))
    tried = gates.trials(master(given=given, double=SIBLING))
    pastes = [trial.about for trial in tried if trial.gate == gates.PASTE]
    assert {about["double"].split()[0] for about in pastes} >= {"part_0", "part_1", "part_2", "grown"}
    assert all(set(about) == {"double", "norm"} for about in pastes)
