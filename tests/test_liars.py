"""No test of any week takes what is no real number, or an object that only claims to be right, as a right answer.

The reference answers are handed in with their results spoiled. A test that does not look at a spoiled value passes
in any case, also where wrong numbers take its place. So what passes with NaN, infinities, liars or an imaginary part
beside the right real one must pass with wrong numbers too: else the test has let them through.
"""

from pathlib import Path

import pytest

from coursekit.course.config import open_course
from coursekit.engine.coordinator.grade import grade
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import SOLUTION_CELL, fill

pytestmark = pytest.mark.slow

COURSE = open_course(Path(__file__).resolve().parent.parent)
WEEKS = [week for week in COURSE.weeks if week.name != "week5_tokenizer"]  # words and whole numbers only
# Questions whose answers are whole numbers, masks or pictures, which are not spoiled here.
NO_FLOATS = {
    "causal_mask",
    "padding_mask",
    "cost",
    "parameters",
    "heatmap",
    "grid",
    "mask_tokens",
    "target_mask",
}
NO_FLOATS |= {"greedy_decode"}
SPOIL = '''
def _spoil():
    import functools, types
    import numpy as np
    import torch

    class Liar:
        """Stays in its process. Wrong inside; its shape is right, and every comparison with it is true."""

        def __init__(self, real):
            object.__setattr__(self, "_real", real)

        def __getattr__(self, name):
            if name.startswith("__"):
                raise AttributeError(name)
            value = getattr(object.__getattribute__(self, "_real"), name)
            if not callable(value):
                return value
            if name in ("equal", "allclose", "eq", "isclose", "all", "isfinite"):
                return lambda *args, **kwargs: True
            if name in ("any", "ne", "lt", "gt", "isnan"):
                return lambda *args, **kwargs: False
            return lambda *args, **kwargs: spoiled(value(*args, **kwargs))

        def __getitem__(self, key):
            return spoiled(object.__getattribute__(self, "_real")[key])

        def __len__(self):
            return len(object.__getattribute__(self, "_real"))

        def __iter__(self):
            return iter([spoiled(item) for item in object.__getattribute__(self, "_real")])

    turn = {"nan": [float("nan")], "infinite": [float("inf"), float("-inf")]}.get(KIND, [0.123])

    def number():
        turn.append(turn.pop(0))
        return turn[0]

    def spoiled(value):
        floats = "float" in str(getattr(value, "dtype", "float"))
        if floats and isinstance(value, float | torch.Tensor | np.ndarray):
            if KIND == "imaginary":
                return value + 5j
            if isinstance(value, float):
                return number()
            value = (np if isinstance(value, np.ndarray) else torch).full_like(value, number())
            return Liar(value) if KIND == "liars" else value
        if type(value) in (list, tuple):
            return type(value)(spoiled(item) for item in value)
        if type(value) is dict:
            return {key: spoiled(item) for key, item in value.items()}
        return value

    def wrap(function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            return spoiled(function(*args, **kwargs))

        return call

    for name in NAMES:
        value = globals().get(name)
        if isinstance(value, types.FunctionType):
            globals()[name] = wrap(value)
        elif isinstance(value, type):
            for key, method in list(vars(value).items()):
                if isinstance(method, types.FunctionType) and (not key.startswith("__") or key == "__call__"):
                    setattr(value, key, wrap(method))


_spoil()
'''


def passed(master, servers, kind):
    """The tests that pass when the results of the reference are spoiled like this.

    Whatever an answer is spoiled with, it is there: a name that is missing fails every test and shows nothing.
    """
    names = {question.id: list(question.names) for question in master.questions}
    answers = {
        cell.grade_id: f"{cell.source}\nKIND, NAMES = {kind!r}, {names[cell.grade_id]!r}\n{SPOIL}"
        for cell in master.cells
        if cell.role == SOLUTION_CELL
    }
    result = grade(master, fill(master, answers), Limits(), servers).result
    assert [test.id for test in result.tests if "is not defined: no cell" in test.message] == []
    return {test.id for test in result.tests if test.outcome == "passed"}


@pytest.mark.parametrize("week", WEEKS, ids=lambda week: week.name)
def test_only_what_does_not_look_passes(week, servers):
    master = COURSE.master(week)
    blind = passed(master, servers, "wrong")
    looking = {cell.question for cell in master.cells if cell.role == "test" and cell.grade_id not in blind}
    numbers = {question.id for question in master.questions if question.tests} - NO_FLOATS
    assert numbers <= looking, "to these questions spoiled answers do nothing"
    for kind in ("nan", "infinite", "imaginary", "liars"):
        assert passed(master, servers, kind) - blind == set(), kind
