"""The gates of `course check`: a week whose marks can be had without an answer does not pass."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from small_course import DOUBLE, code, graded, markdown, notebook_of

from coursekit.authoring.checks import gates
from coursekit.authoring.checks.trivial import trivial_answers
from coursekit.engine.coordinator.grade import grade
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import fill, read_master

LIMITS = Limits(cell_seconds=5, test_seconds=5, all_cells_seconds=60, memory_mb=1024)

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
VALUES = "x = torch.tensor([1.0, 3.0])\nassert torch.equal(Norm(2)(x), torch.tensor([-1.0, 1.0]))"
PROBED = """def probe_norm(make, x):
    return make(x.shape[-1])(x)

assert torch.equal(probe_norm(Norm, torch.tensor([1.0, 3.0])), torch.tensor([-1.0, 1.0]))"""
HIDDEN = "### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"


def week_of(*cells):
    setup = code("setup", "import torch\nfrom torch import nn", tags=["setup"])
    return read_master(notebook_of(setup, *cells), "week1_attention", "attention")


def question(name, solution, tests):
    """The cells of a question; `tests`: {name: source}."""
    yield code(name, solution, **graded(name, solution=True))
    for test, source in tests.items():
        yield code(test, f"# Test: {test}\n{source}", **graded(test, grade=True, points=2))


def week(*, given="", double="assert double(3) == 6", norm=VALUES, hint="Think."):
    return week_of(
        markdown("intro", f"# Week 1\n\n{hint}"),
        code("given", given),
        *question("double", DOUBLE, {"double_values": double}),
        *question("norm", NORM, {"norm_values": norm}),
    )


@pytest.fixture
def found(servers):
    """A function that returns the shares and problems of the first two gates for a week."""

    def found(master):
        tried = [trial for trial in gates.trials(master) if trial.gate != gates.TRIVIAL]
        results = [grade(master, trial.notebook, LIMITS, servers).result for trial in tried]
        problems = [problem for wrong in gates.facts(tried, results).values() for problem in wrong]
        return gates.shares(tried, results), problems

    return found


@pytest.mark.parametrize("given", ["def halve(x):\n    return x / 2", "%pwd"])
def test_a_week_that_holds_no_answer_gives_nothing(found, given):
    shares, problems = found(week(given=given))
    assert shares == dict.fromkeys(gates.MAX_SHARE, {"double": (0, ""), "norm": (0, "")})
    assert problems == []


@pytest.mark.parametrize("norm", [PROBED, HIDDEN.format(PROBED)], ids=["visible", "hidden"])
def test_forged_probes_are_found(found, norm):
    shares, (problem,) = found(week(norm=norm))
    assert shares[gates.FORGED]["norm"][0] == 1 and shares[gates.FORGED]["double"][0] == 0
    assert problem == "question norm gives 100% of its points to forged probes; at most 25% is allowed"


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
        {"given": "def plot(values):\n    def scaled(x):\n        return 2 * x\n    return scaled(values)"},
        {"double": "def want(x):\n    return 2 * x\n\nassert double(3) == want(3)"},
        {"double": HIDDEN.format(SIBLING)},
        {"hint": "```python\ndef twice(x):\n    return 2 * x\n```"},
    ],
    ids=["nested", "visible test", "probe of a hidden test", "hint"],
)
def test_an_answer_on_the_page_is_found(found, held):
    shares, (problem,) = found(week(**held))
    assert shares[gates.COPIED]["double"][0] == 1, shares[gates.COPIED]
    assert "question double gives 100%" in problem and " in cell " in problem


def test_an_oracle_in_a_hidden_test_is_not_on_the_page(found):
    hidden = HIDDEN.format("def want(x):\n    return 2 * x\n\nassert double(3) == want(3)")
    shares, _ = found(week(double=hidden))
    assert shares[gates.COPIED]["double"] == (0, "")


def copied(master):
    return [trial.about for trial in gates.trials(master) if trial.gate == gates.COPIED]


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
def test_code_is_copied_only_to_questions_whose_calls_it_takes(given, fits):
    """Both questions are called with one argument. What refuses that raises a TypeError, as a trivial answer does."""
    assert [set(about) for about in copied(week(given=given))] == ([{"double", "norm"}] if fits else [])


def test_there_are_as_many_notebooks_as_one_question_needs():
    given = "\n\n".join(f"def part_{number}(x):\n    return x + {number}" for number in range(3))
    found = copied(week(given=given, double=SIBLING))
    assert {about["double"].split()[0] for about in found} >= {"part_0", "part_1", "part_2", "grown"}
    assert all(set(about) == {"double", "norm"} for about in found)


# Trivial answers.

LIST = '''def double(x):
    """Twice x. Raises ValueError where x is negative."""
    ### BEGIN SOLUTION
    if min(x) < 0:
        raise ValueError("negative")
    return [2 * number for number in x]
    ### END SOLUTION
    raise NotImplementedError("week 1, double: give back twice x")'''
SCALE = """class Scale(nn.Module):
    def __init__(self, factor):
        super().__init__()
        ### BEGIN SOLUTION
        if factor == 0:
            raise ValueError("a factor of 0")
        self.factor = nn.Parameter(torch.full((1,), float(factor)))
        return
        ### END SOLUTION
        raise NotImplementedError("week 1, scale: write __init__")

    def forward(self, x):
        ### BEGIN SOLUTION
        return self.factor * x
        ### END SOLUTION
        raise NotImplementedError("week 1, scale: write forward")"""
REFUSES = """try:
    {}
    raise AssertionError("it raises nothing")
except ValueError:
    pass"""
ZEROED = "m = Scale(2)\nm.load_state_dict({'factor': torch.zeros(1)})\n"
TESTS = {
    "double": {
        "double_sound": "assert double([1, 2]) == [2, 4]",
        "double_type": "assert type(double([1, 2])) is list",
        "double_length": "assert len(double([1, 2])) == 2",
        "double_refuses": REFUSES.format("double([-1])"),
        "double_sound_refuses": "assert double([3]) == [6]\n" + REFUSES.format("double([-1])"),
        "double_repeats": "assert double([0, 0]) == [0, 0]",
    },
    "scale": {
        "scale_sound": "m = Scale(2)\nassert m(torch.ones(2)).tolist() == [2, 2]",
        "scale_constructor": "assert list(dict(Scale(2).named_parameters())) == ['factor']",
        "scale_shape": ZEROED + "assert m(torch.ones(2)).shape == (2,)",
        "scale_refuses": REFUSES.format("Scale(0)"),
        "scale_zero": ZEROED + "assert m(torch.zeros(2)).tolist() == [0, 0]\nassert m.factor.tolist() == [0]",
    },
}
WEAK = {
    "double_type": {"gives []", "returns all its arguments as a list"},
    "double_length": {
        "returns its first argument",
        "returns its first argument twice",
        "returns its first argument with ones in it",
    },
    "double_refuses": {"raises ValueError"},
    "double_repeats": {
        "returns a copy of its first argument",
        "returns its first argument with zeros in it",
    },
    "scale_shape": {"returns its last argument", "returns its first tensor as bool in each method"},
    "scale_refuses": {"raises ValueError when it is built"},
    "scale_zero": {"returns its first argument in each method"},
}
TRIVIAL_WEEK = week_of(*question("double", LIST, TESTS["double"]), *question("scale", SCALE, TESTS["scale"]))


@pytest.mark.slow
def test_a_trivial_answer_passes_every_weak_test_and_no_sound_one(servers):
    tried = [trial for trial in gates.trials(TRIVIAL_WEEK) if trial.gate == gates.TRIVIAL]
    notebooks = [fill(TRIVIAL_WEEK, TRIVIAL_WEEK.solutions), *(trial.notebook for trial in tried)]
    with ThreadPoolExecutor() as pool:
        graded_all = pool.map(lambda data: grade(TRIVIAL_WEEK, data, LIMITS, servers).result, notebooks)
        full, *results = graded_all
    assert full.score == full.max_score
    passing = {}
    for problem in gates.weak_tests(tried, results):
        test, kind = problem.removeprefix("test ").split(" is passed by an answer that ")
        passing.setdefault(test, set()).add(kind)
    assert passing.keys() == WEAK.keys(), "the others are sound"
    for test, kinds in WEAK.items():
        assert kinds <= passing[test], test


def test_each_kind_of_trivial_answer_is_python():
    for _, kind, sources in trivial_answers(TRIVIAL_WEEK):
        for source in sources.values():
            compile(source, kind, "exec")
