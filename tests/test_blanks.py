"""Blanks: a weak test is found out by each form of them, a sound one by none."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from small_course import code, graded, make_course

from coursekit.authoring.checks.blanks import ERRORS, KINDS, make_blanks, problems_of_blanks
from coursekit.engine.coordinator.grade import grade
from coursekit.engine.shared.master import fill

DOUBLE = '''def double(x):
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
        "scale_shape": "m = Scale(2)\nm.load_state_dict({'factor': torch.zeros(1)})\n"
        "assert m(torch.ones(2)).shape == (2,)",
        "scale_refuses": REFUSES.format("Scale(0)"),
        "scale_zero": "m = Scale(2)\nm.load_state_dict({'factor': torch.zeros(1)})\n"
        "assert m(torch.zeros(2)).tolist() == [0, 0]\nassert m.factor.tolist() == [0]",
    },
}


@pytest.fixture(scope="module")
def problems(tmp_path_factory, servers):
    cells = [code("setup", "import torch\nfrom torch import nn", tags=["setup"])]
    for question, source in (("double", DOUBLE), ("scale", SCALE)):
        cells.append(code(question, source, **graded(question, solution=True)))
        cells += [
            code(name, f"# Test: {name}\n{test}", **graded(name, grade=True, points=1))
            for name, test in TESTS[question].items()
        ]
    course, week = make_course(tmp_path_factory.mktemp("blanks"), cells)
    master = course.master(week)
    reference = master.solutions
    blanks = make_blanks(reference)
    with ThreadPoolExecutor() as pool:
        full = grade(master, fill(master, reference), course.limits, servers).result
        assert full.score == full.max_score
        notebooks = [fill(master, blank.sources) for blank in blanks]
        results = [*pool.map(lambda data: grade(master, data, course.limits, servers).result, notebooks)]
    return problems_of_blanks(blanks, results)


def passing(problems, test):
    """What the blanks do that pass a test."""
    start = f"test {test} is passed by an answer that "
    return [problem.removeprefix(start) for problem in problems if problem.startswith(start)]


@pytest.mark.parametrize("test", ["double_sound", "double_sound_refuses", "scale_sound", "scale_constructor"])
@pytest.mark.slow
def test_a_sound_test_is_passed_by_none(problems, test):
    assert passing(problems, test) == []


@pytest.mark.parametrize(
    ("test", "words"),
    [
        ("double_type", "gives []"),
        ("double_type", "returns all its arguments as a list"),
        ("double_length", "returns its first argument"),
        ("double_length", "returns its first argument twice"),
        ("double_length", "returns its first argument with ones in it"),
        ("double_refuses", "raises ValueError"),
        ("double_repeats", "returns a copy of its first argument"),
        ("double_repeats", "returns its first argument with zeros in it"),
        ("scale_shape", "returns its last argument"),
        ("scale_shape", "returns its first tensor as bool in each method"),
        ("scale_refuses", "raises ValueError when it is built"),
        ("scale_zero", "returns its first argument in each method"),
    ],
)
@pytest.mark.slow
def test_a_weak_test_is_found_out(problems, test, words):
    assert words in passing(problems, test)


def test_there_are_many_kinds_and_each_is_python():
    assert len(KINDS | ERRORS) >= 30
    for blank in make_blanks({"double": DOUBLE, "scale": SCALE}):
        for source in blank.sources.values():
            compile(source, blank.words, "exec")
