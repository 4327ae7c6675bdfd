"""The master's own solutions are graded before anybody else's; suspect tests are named after them."""

import json
import sys

import pytest
from command import course_here
from small_course import HIDDEN, cells, edit, files_in, hand_in, make_course, result, triple_cells

from coursekit.engine.coordinator.digests import engine_digest, installed
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.result import Note
from coursekit.grading import place
from coursekit.grading.run import grade_class
from coursekit.grading.suspect_tests import suspect_tests

pytestmark = pytest.mark.usefixtures("warm")
RIGHT = {"double": "def double(x):\n    return x + x", "triple": "def triple(x):\n    return 3 * x"}
SLIP = """import math
def double(x):
    ### BEGIN SOLUTION
    return x + y
    ### END SOLUTION
    raise NotImplementedError("week 1, double")"""
RAISES = """def double(x):
    ### BEGIN SOLUTION
    return x + x
    ### END SOLUTION
    raise NotImplementedError("week 1, double")
### BEGIN SOLUTION
TWO = double(two)
### END SOLUTION"""
LONG = """# Test: values

numbers = [1, 2, 3]
def halves(values):
    return [value / 2 for value in values]
text = '''
not a line of its own
'''
assert double(2) == 4, "two"
for number in numbers:
    assert double(number) == 2 * number, "some"
assert double(5) == 11, "five is not doubled"
assert double(6) == 12, "six"
"""


@pytest.fixture
def course(tmp_path):
    course, _ = make_course(tmp_path, cells() + triple_cells())
    for student in ("a", "b"):
        hand_in(course, student, RIGHT)
    return course


REFUSED = {  # a mistake: {cell: what is written there}, and what the refusal says
    "a slip in a solution": (
        {"double": SLIP},
        "source/week1_attention/attention.ipynb: the reference gets 2 of 7 points, so nobody was graded",
        "Test double_values, line 2: Your code raised NameError: name 'y' is not defined",
        "line 4 of the cell, in double: return x + y",
    ),
    "solutions that raise": (
        {"double": RAISES, "triple": "### BEGIN SOLUTION\ntriple = three\n### END SOLUTION"},
        "Cell double, line 7: NameError: name 'two' is not defined",
        "Cell triple, line 2: NameError: name 'three' is not defined",
        "Test triple_values",
    ),
    "wrong tests": (
        {"double-values": LONG, "double-hidden": HIDDEN.replace("-6", "6")},
        "Test double_values, line 12: five is not doubled",
        "Test double_hidden, line 3: negative numbers are not doubled",
    ),
    "a test that is not Python": (
        {"double-values": "# Test: values\nassert double(2) = 4"},
        "Cell double_values, line 2 (`assert double(2) = 4`) is not Python",
    ),
}


@pytest.mark.parametrize("mistake", REFUSED)
def test_a_mistake_in_the_source_is_refused_with_its_line(course, mistake):
    edits, *sentences = REFUSED[mistake]
    for cell, source in edits.items():
        edit(course, cell, source=source)
    with pytest.raises(CourseError) as error:
        grade_class(course, course.weeks[0])
    assert [sentence for sentence in sentences if sentence not in str(error.value)] == []
    assert not list((course.root / "autograded").glob("*/*/result.json"))
    assert ("triple_values" in str(error.value)) == (mistake == "solutions that raise"), "only what is wrong"


@pytest.mark.slow
def test_as_a_command_it_ends_with_2_and_leaves_what_was_there(course):
    assert course_here(course.root, "grade").returncode == 0
    before = files_in(course.root / "autograded")
    edit(course, "double", source=SLIP)
    for arguments in ((), ("--force",), ("--student", "a")):
        done = course_here(course.root, "grade", *arguments)
        assert done.returncode == 2 and "the reference gets 2 of 7" in done.stderr
        assert "Traceback" not in done.stderr
    assert files_in(course.root / "autograded") == before and len(before) > 2


def test_it_is_graded_once(course, monkeypatch):
    """As long as the file is there and nothing that the marks rest on has changed."""
    graded = []
    real = place.grade
    monkeypatch.setattr(place, "grade", lambda *arguments: graded.append(arguments) or real(*arguments))
    week = course.weeks[0]

    def others():
        """How many beside the two students'."""
        graded.clear()
        assert grade_class(course, week, force=True).failed == {}
        return len(graded) - 2

    assert others() == 1 and others() == 0
    (remembered,) = (course.root / "autograded").glob(".*reference")
    remembered.write_bytes(b"\xff")
    assert others() == 1
    edit(course, "double-values", points=1)
    assert others() == 1
    graded.clear()
    grade_class(course, week)
    assert graded == [], "where nothing is to be graded, neither is the reference"


def test_the_file_is_worth_nothing_with_another_python(course, monkeypatch):
    digest = engine_digest(course.limits)
    assert installed(course.limits)["Python"].split() == [
        sys.implementation.name.replace("cpython", "CPython"),
        sys.version.split()[0],
    ]
    engine_digest.cache_clear()
    monkeypatch.setattr("platform.python_version", lambda: "3.99.1")
    try:
        assert engine_digest(course.limits) != digest
    finally:
        engine_digest.cache_clear()


# Suspect tests.


def class_of(*rows):
    return [result(f"s{number}", scores) for number, scores in enumerate(rows)]


def test_a_test_that_all_fail_is_suspect():
    (suspect,) = suspect_tests(class_of(*[(0.0, 3.0)] * 2, *[(0.0, 0.0)] * 3))
    assert str(suspect).startswith("test double_values fails for all 5 students. ")
    assert suspect_tests(class_of(*[(0.0, 3.0)] * 4)) == [], "of four, a share says nothing"
    assert suspect_tests(class_of(*[(0.0, 3.0)] * 4, (2.0, 0.0))) == []


def test_a_test_that_most_fail_who_pass_the_rest_is_suspect():
    rows = [(2.0, 0.0)] * 4 + [(2.0, 3.0)] * 2 + [(0.0, 0.0)] * 5
    (suspect,) = suspect_tests(class_of(*rows))
    assert (suspect.test, suspect.failed, suspect.of) == ("double_hidden", 4, 6)
    assert "for 4 of the 6 students who pass the rest of its question" in str(suspect)
    assert suspect_tests(class_of(*rows, *[(2.0, 3.0)] * 2)) == [], "half of them is not most"


def test_who_was_not_graded_says_nothing_about_a_test():
    rest = class_of(*[(0.0, 3.0)] * 4)
    faulty = result("f", (0.0, 0.0), flags=[Note("engine_fault")])
    assert suspect_tests([*rest, result("u", status="unreadable"), faulty]) == []


def test_the_command_names_them(tmp_path):
    """A test that takes the reference alone: all who answer otherwise fail it."""
    course, _ = make_course(tmp_path)
    edit(course, "double-hidden", source=HIDDEN.replace("assert", "assert double(10) == 21\nassert"))
    text = (tmp_path / "source/week1_attention/attention.ipynb").read_text()
    solution = json.loads(text)["cells"][3]["source"].replace("x + x", "x + x + (x == 10)")
    edit(course, "double", source=solution)
    for number in range(5):
        hand_in(course, f"s{number}", RIGHT)
    done = course_here(tmp_path, "grade")
    said = " ".join(done.stderr.split())
    assert done.returncode == 0 and "test double_hidden fails for all 5 students" in said
    done = course_here(tmp_path, "grade", "--json")
    found = json.loads(done.stdout)["week1_attention"]["doubtful"]
    assert found == [{"test": "double_hidden", "failed": 5, "of": 5, "rest": False}]
