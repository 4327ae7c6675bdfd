"""After an edit: whose marks would move is said before anything is written, and is what then happens."""

import shutil

import pytest
from command import course_here
from small_course import HIDDEN, edit, files_in, hand_in, make_course, mark_by_hand
from warm import reused

from coursekit.course.config import open_course
from coursekit.engine.shared.result import Result
from coursekit.grading.preview import preview

pytestmark = pytest.mark.usefixtures("warm")
ANSWERS = {
    "right": "def double(x):\n    return x + x",
    "square": "def double(x):\n    return x * x",
    "absolute": "def double(x):\n    return 2 * abs(x)",
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory, servers):
    """Three students are graded; then the hidden test is made to try 2, where a square and a sum are one."""
    course, _ = make_course(tmp_path_factory.mktemp("graded"))
    for student, answer in ANSWERS.items():
        hand_in(course, student, {"double": answer})
    with reused(servers):
        assert course_here(course.root, "grade").returncode == 0
    edit(course, "double-hidden", source=HIDDEN.replace("-3", "2").replace("-6", "4"))
    return course


@pytest.fixture
def course(graded, tmp_path):
    """A copy of that."""
    shutil.copytree(graded.root, tmp_path, dirs_exist_ok=True)
    return open_course(tmp_path)


def test_what_would_move(course):
    week = course.weeks[0]
    before = files_in(course.root)
    found = preview(course, week)
    assert files_in(course.root) == before, "nothing is written"
    moves = {(move.student, move.test, move.before, move.after, move.kept) for move in found.moves}
    assert moves == {("square", "double_hidden", 0, 3, False), ("absolute", "double_hidden", 0, 3, False)}
    assert (found.again, found.new, found.failed) == (["absolute", "right", "square"], [], {})
    assert (found.examined, found.tests) == (3, 6)
    assert course_here(course.root, "grade").returncode == 0
    for student in ANSWERS:
        result = Result.read(course.autograded(student, week) / "result.json")
        assert {test.id: test.score for test in result.tests} == {"double_values": 2, "double_hidden": 3}
    found = preview(course, week)
    assert found.moves == found.again == found.new == []


def test_points_that_a_person_gave_stay_and_newcomers_are_told(course):
    mark_by_hand(course, "square", "double_hidden", manual_score=1.5)
    hand_in(course, "late")
    before = files_in(course.root)
    done = course_here(course.root, "grade", "--changed")
    assert done.returncode == 0 and files_in(course.root) == before
    said = " ".join(done.stdout.split())
    assert "points given by hand stay" in said and "the points of 1 student would change" in said
    assert "3 results would be recomputed, with 3 of 6 tests run" in said
    assert "1 student would be graded for the first time. Nothing was written." in said


def test_a_mistake_in_the_source_is_said_here_too(course):
    edit(course, "double-hidden", source=HIDDEN.replace("double(-3) == -6", "double(-3) == 7"))
    before = files_in(course.root)
    done = course_here(course.root, "grade", "--changed")
    assert done.returncode == 2 and "the reference gets 2 of 5 points" in done.stderr
    assert files_in(course.root) == before
    assert course_here(course.root, "grade", "--changed", "--force").returncode == 2
