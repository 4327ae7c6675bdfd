"""What a mistake costs: the gate holds where a slip costs little and a misunderstanding much, and only there."""

import pytest
from small_course import edit, make_course, write_answer

from coursekit.authoring.checks import costs
from coursekit.course.bank import read_bank

# The question `double` has tests of 2 and 3 points.
CHEAP, DEAR, BOTH = "double_values", "double_hidden", "double_values, double_hidden"


@pytest.fixture
def problems(tmp_path):
    """A function that returns the gate's problems with wrong answers, each (mistakes, deserves, fails, *exception)."""
    course, week = make_course(tmp_path)
    write_answer(course, "right/double_adds", "def double(x):\n    return x + x\n")

    def of(*answers, points=2):
        edit(course, "double-values", points=points)
        for number, (mistakes, deserves, fails, *exception) in enumerate(answers):
            tell = f"You square.\nMistakes: {mistakes}\nDeserves: {deserves} %"
            tell += f"\nException: {exception[0]}" if exception else ""
            write_answer(
                course, f"wrong/double_{number}", f"def double(x):\n    return {number}\n", fails, tell
            )
        facts = costs.facts(course.master(week), read_bank(course, week))
        return [problem for of_fact in facts.values() for problem in of_fact]

    return of


@pytest.mark.parametrize(
    ("answer", "points", "says"),
    [
        (("slip", 60, CHEAP), 2, ""),
        (("slip", 50, DEAR), 3, ""),
        (("slip", 40, DEAR), 2, "has one slip and keeps 40%"),
        (("slip, slip", 40, DEAR), 2, ""),
        (("concept", 40, DEAR), 2, ""),
        (("concept", 60, CHEAP), 2, ""),
        (("concept", 60, CHEAP), 1, "not understood a concept and keeps 75%"),
        (("concept, slip", 0, BOTH), 2, ""),
        (("slip", 90, CHEAP), 2, "deserves 90%"),
    ],
)
def test_an_unfair_share_is_reported(problems, answer, points, says):
    found = "\n".join(problems(answer, points=points))
    assert says in found and bool(says) == bool(found)


def test_one_answer_in_ten_may_be_an_exception(problems):
    fair, exception = ("slip", 60, CHEAP), ("slip", 90, DEAR, "it raises at once")
    assert problems(*[fair] * 9, exception) == []
    assert len(problems(*[fair] * 8, exception, exception)) == 2


def test_the_report_says_what_each_kind_costs(tmp_path):
    course, week = make_course(tmp_path)
    write_answer(course, "right/double_adds", "def double(x):\n    return x + x\n")
    for name, mistakes, fails in (
        ("a", "slip", CHEAP),
        ("b", "slip", CHEAP),
        ("c", "concept", BOTH),
        ("d", "", DEAR),
    ):
        stated = f"You square.\nMistakes: {mistakes}\nDeserves: 50 %" if mistakes else "You square."
        write_answer(course, f"wrong/double_{name}", f"def double(x):\n    return {name!r}\n", fails, stated)
    assert list(costs.lines(course.master(week), read_bank(course, week))) == [
        "double: one slip keeps 60% to 60%, median 60% (2 answers)",
        "double: a concept keeps 0% to 0%, median 0% (1 answer)",
    ]
