"""What a failed test compared: the right values and the right place, or nothing if the test does not show it."""

import json

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_diagnosis import random_values
from test_examiner import examine

from coursekit.engine.examiner.comparison import MAX_ROWS, MAX_WORD, compare
from coursekit.engine.examiner.standin import StandIn
from coursekit.engine.shared import result

HELPER = """def check(got, want):
    got = np.asarray(got)
    if not np.allclose(got, want):
        raise AssertionError('no')
"""
FLOATS = ("float64 (2)", "float64 (2)")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("got, want = add(1, 2), 4\nassert got == want", ("int", "int", ["3", "4"])),
        (
            "got = add(1, 2)\nexpected = 4\nassert (\n    got\n    == expected\n), 'no'",
            ("int", "int", ["3", "4"]),
        ),
        (HELPER + "check(add(np.ones(2), 1), np.array([2.0, 3.0]))", (*FLOATS, ["2", "3"])),
        ("np.testing.assert_allclose(add(np.ones(2), 1), [2.0, 4.0])", (*FLOATS, ["2", "4"])),
        (
            "import torch\ntorch.testing.assert_close(add(torch.ones(2), 1), torch.tensor([2.0, 5.0]))",
            ("float32 (2)", "float32 (2)", ["2", "5"]),
        ),
        (  # the names are local where it fails
            "def judge():\n    got, want = add(1, 2), 5\n    assert got == want\njudge()",
            ("int", "int", ["3", "5"]),
        ),
        ("got, want = [3], add(1, 2)\nassert len(got) == want", ("list (1)", "int", [])),
        # What a test does not say is not guessed.
        ("got, want = 1, 2\nassert add(1, 2) == 4", None),
        ("assert add(1, 2) == 4", None),
        ("got = want = add(1, 2)\nassert got != want", None),
        ("got, want = liar(), 1\nassert len(got) == want", None),
        ("got, want = add(1, 2), 4\nraise AssertionError('no')", None),
        ("got, want = 1, 2\nassert got == want or broken()", None),
    ],
)
def test_what_a_test_compared(source, expected):
    done = examine(source)
    comparison = done.comparison
    assert done.intact and done.outcome == (result.ERROR if "broken" in source else result.FAILED)
    if comparison is not None:
        comparison = comparison["found"], comparison["expected"], comparison["here"]
    assert comparison == expected


def test_the_largest_difference_and_where():
    want = np.zeros((2, 3, 4))
    got = want.copy()
    got[1, 2, 3], got[1, 0, 0], got[0, 1, 1] = -2, 0.5, 1
    seen = compare(got, want)
    assert (seen.entries, seen.differing, seen.largest, seen.place) == (24, 3, "2", [1, 2, 3])
    assert seen.found_table[2] == ["0", "0", "0", "-2"] and seen.found_table[0][0] == "0.5"
    assert seen.expected_table == [["0"] * 4] * 3
    assert seen.marked == [[True, False, False, False], [False] * 4, [False, False, False, True]]


def test_rounding_is_no_difference_unless_there_is_no_other():
    seen = compare(torch.tensor([1.0, 2.0, 3.000001]), torch.tensor([1.0, 2.5, 3.0]))
    assert seen.marked == [[False, True, False]] and seen.differing == 1
    seen = compare(np.array([1.0, 2.0 + 1e-12]), np.array([1.0, 2.0]))
    assert seen.marked == [[False, True]] and seen.found_table[0][1] != seen.expected_table[0][1]
    assert compare(np.array([np.nan, np.inf]), np.array([np.nan, np.inf])) is None
    seen = compare(np.array([np.nan, 5.0]), np.array([1.0, 2.0]))
    assert (seen.largest, seen.place, seen.here) == ("inf", [0], ["nan", "1"])


def test_shapes_and_types():
    seen = compare(np.zeros((2, 3)), np.zeros((3, 2)))
    assert (seen.found, seen.expected) == ("float64 (2, 3)", "float64 (3, 2)")
    assert (seen.entries, seen.found_table) == (0, [])
    seen = compare(torch.ones(2, dtype=torch.int64), torch.ones(2))
    assert (seen.found, seen.expected, seen.entries) == ("int64 (2)", "float32 (2)", 0)
    seen = compare(np.arange(100.0), np.arange(100.0)[::-1])
    assert seen.entries == 100 and seen.place == [0] and seen.found_table == []
    assert compare(np.zeros(200_000), np.ones(200_000)) is None, "too many to look at, and of one shape"


def test_lists_of_words():
    seen = compare(["a", "b"], ["a", "c", "d"])
    assert (seen.largest, seen.place, seen.here) == ("", [1], ["'b'", "'c'"])
    assert seen.found_table == [["'a'", "'b'", ""]] and seen.marked == [[False, True, True]]
    assert compare([["a", 1]], [["a", 2]]).place == [0, 1]
    assert compare([5, 9], [5, 2]).largest == "", "of ids none is nearer than another"
    assert compare(["x" * 10**6], ["y" * 10**6]).here[0] == "'" + "x" * (MAX_WORD - 2) + "…"
    assert compare(list("ab") * 7, list("ba") * 7).found_table == []
    assert "0x…" in compare("<f at 0x7f0123456789>", "").here[0], "what is chance is not kept"


def test_a_stand_in_is_not_asked():
    class Asked:
        def ask(self, *_):
            pytest.fail("the student's kernel was asked")

    stand_in = StandIn(Asked(), 1, "Layer")
    for value in (stand_in, [stand_in], [[stand_in]], (1, stand_in)):
        assert compare(value, 1) is compare(1, value) is None


@given(random_values(), random_values())
@settings(max_examples=40)
def test_any_two_values(one, other):
    seen = compare(one, other)
    assert compare(one, one) is None
    if seen is not None:
        tables = [seen.found_table, seen.expected_table]
        text = json.dumps([*tables, seen.here, seen.largest, seen.found, seen.expected])
        assert len(text) <= 2 * (MAX_ROWS + 2) * 6 * (MAX_WORD + 10)
        for table in tables:
            assert [len(row) for row in table] == [len(row) for row in seen.marked]


@given(st.lists(st.floats(width=32), min_size=1, max_size=5))
def test_what_differs_looks_different(numbers):
    if seen := compare(np.array(numbers), np.array(numbers[::-1])):
        for found, expected, differs in zip(
            seen.found_table[0], seen.expected_table[0], seen.marked[0], strict=True
        ):
            assert found != expected or not differs
