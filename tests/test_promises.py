"""Promises of docstrings: each sentence needs an answer that breaks it, and the table has no other rows."""

import pytest
from small_course import DOUBLE, edit, make_course, write_answer

from coursekit.authoring.lesson import promises

DOCSTRING = '''"""Twice x.

    Args:
        x: a number. It may be
            negative.
        times, more: ignored.

    Returns:
        A new number. `x` stays as it is.
    """'''
SENTENCES = [
    "Twice x.",
    "x: a number.",
    "It may be negative.",
    "times, more: ignored.",
    "A new number.",
    "`x` stays as it is.",
]


@pytest.fixture
def problems(tmp_path):
    """A function that returns the problems of a table, or of none, for the docstring above."""
    course, week = make_course(tmp_path)
    edit(course, "double", source=DOUBLE.replace('"""Twice x."""', DOCSTRING))
    write_answer(course, "right/double_adds", "def double(x):\n    return x + x\n")
    write_answer(course, "wrong/double_square", "def double(x):\n    return x * x\n", "double_values")

    def of(table):
        if table is not None:
            (course.answers(week) / promises.FILE).write_text(table, encoding="utf-8")
        return list(promises.check_promises(course, week, course.master(week)))

    return of


def row(sentence, broken_by='["double_square"]'):
    return f"{sentence!r} = {broken_by}\n"


ALL = "[double]\n" + "".join(map(row, SENTENCES))


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (ALL, ""),
        (ALL.replace(row("A new number."), row("A new number.", '"numbers cannot be changed"')), ""),
        (ALL.replace(row("A new number."), ""), "no row for this sentence of double: A new number."),
        (ALL.replace(row("A new number."), row("A new number.", "[]")), "no answer that breaks"),
        (ALL.replace(row("A new number."), row("A new number.", '""')), "no answer that breaks"),
        (ALL.replace(row("A new number."), row("A new number.", "1")), "no answer that breaks"),
        (ALL + row("Half of x."), "in no docstring of it: Half of x."),
        (ALL.replace("double_square", "double_adds", 1), "double_adds is no wrong answer"),
        ("double = 'x'\n", "no table [double], but a value"),
        (ALL + "[triple]\n", "no question of the week has this id"),
    ],
)
def test_each_row_is_looked_at(problems, table, says):
    found = problems(table)
    assert len(found) == bool(says) and says in "".join(found)


@pytest.mark.parametrize("table", [None, "[double", "[double]\n'Twice x.' = 1\n'Twice x.' = 2\n"])
def test_a_table_that_cannot_be_read_is_named(problems, table):
    (found,) = problems(table)
    assert f"{promises.FILE} cannot be read" in found
