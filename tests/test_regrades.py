"""After a mistake in a test, the page says that a regrade took place, why, and what it changed."""

import fcntl
import os
import shutil
import signal
import time

import pytest
from command import course_here, course_process
from small_course import HIDDEN, cells, edit, hand_in, make_course, mark_by_hand, result, triple_cells
from warm import reused

from coursekit.course.config import open_course
from coursekit.engine.shared.reasons import Flag
from coursekit.engine.shared.result import Note, Result
from coursekit.grading import preview as previews
from coursekit.grading.regrades import GRADER, NOTEBOOK, REGRADES, TESTS, read_regrades, regrade

pytestmark = pytest.mark.usefixtures("warm")
ANSWERS = {"right": "def double(x):\n    return x + x", "square": "def double(x):\n    return x * x"}
LOOSER = HIDDEN.replace("-3", "2").replace("-6", "4")


@pytest.fixture(scope="module")
def graded(tmp_path_factory, servers):
    """Two students are graded and have pages; a question of two tests stands beside another."""
    root = tmp_path_factory.mktemp("graded")
    course, _ = make_course(root, [*cells()[:6], *triple_cells(), *cells()[6:]])
    for student, answer in ANSWERS.items():
        hand_in(course, student, {"double": answer, "triple": "def triple(x):\n    return 3 * x"})
    with reused(servers):
        grade(course)
    return course


@pytest.fixture
def course(graded, tmp_path):
    """A copy of that."""
    shutil.copytree(graded.root, tmp_path, dirs_exist_ok=True)
    return open_course(tmp_path)


def grade(course, *options):
    done = course_here(course.root, "grade", *options)
    assert done.returncode == 0, done.stderr
    assert course_here(course.root, "feedback").returncode == 0


def notes(course, student):
    week = course.weeks[0]
    folder = course.autograded(student, week)
    return read_regrades(folder, Result.read(folder / "result.json"))


def page(course, student):
    text = (course.feedback(student, course.weeks[0]) / "attention.html").read_text(encoding="utf-8")
    return text.partition("<body")[2]


@pytest.mark.slow
def test_the_page_says_that_a_test_changed_and_what_the_points_did(course):
    assert "Graded again" not in page(course, "square") and notes(course, "square") == ()
    edit(course, "double-hidden", source=LOOSER)
    grade(course, "--why", "The test asked <b>for too much</b>.")
    today = time.strftime("%Y-%m-%d", time.gmtime())
    assert f"Graded again on {today}: the tests of “Double” changed." in page(course, "square")
    assert "Your points from the tests of “Double” went from 2 to 5." in page(course, "square")
    assert "Your instructor says: The test asked &lt;b&gt;for too much&lt;/b&gt;." in page(course, "square")
    assert "the tests of “Double” changed. Your points stayed the same." in page(course, "right")
    (note,) = notes(course, "square")
    assert (note.changed, note.questions) == ((TESTS,), ("double",))
    assert [(moved.before, moved.after, moved.tests) for moved in note.moved] == [(2, 5, ("double_hidden",))]
    before = page(course, "square")
    grade(course)
    assert page(course, "square") == before, "nothing has changed since"
    edit(course, "intro", source="# Another title")
    grade(course)
    assert page(course, "square").count("Graded again") == 1, "prose moves no marks"
    edit(course, "double-values", points=1)
    grade(course)
    said = page(course, "square")
    assert said.index("went from 5 to 4") < said.index("went from 2 to 5"), "the last one first"
    assert course_here(course.root, "review", "--names").returncode == 0
    staff = course.root / "reports" / course.weeks[0].name / "students" / "square.html"
    assert "went from 5 to 4" in staff.read_text()


@pytest.mark.slow
def test_what_everything_rests_on_is_no_question(course):
    edit(course, "setup", source="import math\n\nTWO = 2")
    grade(course)
    assert notes(course, "square") == (), "another program, and the same points"
    edit(course, "double-hidden", source=LOOSER)
    edit(course, "setup", source="import math")
    grade(course)
    (note,) = notes(course, "square")
    assert note.changed == (NOTEBOOK,)
    assert "the course&#39;s notebook changed." in page(course, "square")


@pytest.mark.slow
def test_another_engine_is_said_where_points_move(course):
    week = course.weeks[0]
    path = course.autograded("square", week) / "result.json"
    old = Result.read(path)
    new = Result.read(path)
    new.hashes["engine"] = "0" * 64
    assert regrade(old, new) is None
    for test in new.tests:
        test.digest = "1" * 64
    new.tests[0].score, new.questions[0].score = 0.0, 0.0
    note = regrade(old, new)
    assert note.changed == (GRADER,) and note.questions == ()
    old.flags.append(Note("engine_fault"))
    assert regrade(old, new) is None, "it was not graded before"


@pytest.mark.slow
def test_points_that_a_person_gave_stay(course):
    mark_by_hand(course, "square", "double_hidden", manual_score=1.5)
    edit(course, "double-hidden", source=LOOSER)
    grade(course)
    text = page(course, "square")
    assert "The points from the tests of “Double” changed; those given by hand stay." in text
    assert "3.5 of 5 points" in text


def test_a_new_submission_is_no_regrade(course):
    edit(course, "double-hidden", source=LOOSER)
    grade(course)
    hand_in(course, "square", {"double": "def double(x):\n    return 0"})
    grade(course)
    assert notes(course, "square") == () and "Graded again" not in page(course, "square")


def test_a_note_that_cannot_be_read_costs_nobody_the_page(course):
    edit(course, "double-hidden", source=LOOSER)
    grade(course)
    path = course.autograded("square", course.weeks[0]) / REGRADES
    for damaged in (b"", b"[]", b'{"submission": 1}', b"\xff"):
        path.write_bytes(damaged)
        assert course_here(course.root, "feedback").returncode == 0
        assert "Graded again" not in page(course, "square")


@pytest.mark.slow
def test_a_run_killed_between_the_two_files_says_it_once(course, monkeypatch):
    edit(course, "double-hidden", source=LOOSER)
    replace = os.replace

    def killed(part, path):
        if path.name == "result.json":
            raise OSError(5, "the run ends here")
        replace(part, path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", killed)
        course_here(course.root, "grade", "--student", "square")
    assert len(notes(course, "square")) == 1
    grade(course)
    assert len(notes(course, "square")) == 1


def test_a_preview_changes_no_note_and_a_reason_is_not_for_it(course):
    edit(course, "double-hidden", source=LOOSER)
    assert course_here(course.root, "grade", "--changed").returncode == 0
    assert notes(course, "square") == ()
    done = course_here(course.root, "grade", "--changed", "--why", "x")
    assert done.returncode == 2 and "--why" in done.stderr


@pytest.mark.slow
def test_what_a_killed_preview_leaves_is_cleared_by_the_next_run(course):
    edit(course, "double-hidden", source=LOOSER)
    running = course_process(course.root, "grade", "--changed")
    while not list(course.root.glob(".preview-*/.alive")):
        assert running.poll() is None
        time.sleep(0.02)
    previews.clear_killed_previews(course)
    assert list(course.root.glob(".preview-*")), "one that is at work is left alone"
    (alive,) = course.root.glob(".preview-*/.alive")
    running.send_signal(signal.SIGKILL)
    running.communicate()
    # A server that it was just starting may hold the lock until it has its own program.
    with open(alive, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
    new, old = course.root / ".preview-new", course.root / ".preview-old"
    new.mkdir(), old.mkdir()
    os.utime(old, (1, 1))
    grade(course)
    assert list(course.root.glob(".preview-*")) == [new], "it may be about to lock its own"
    with open(new / ".alive", "wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        previews.clear_killed_previews(course)
        assert new.exists()
    previews.clear_killed_previews(course)
    assert not new.exists()


def test_nobody_takes_a_preview_that_is_about_to_lock_for_one_that_was_killed(course, monkeypatch):
    edit(course, "double-hidden", source=LOOSER)
    lock, seen = fcntl.flock, []

    def somebody_else_starts(*arguments):
        seen.extend(course.root.glob(".preview-*"))
        previews.clear_killed_previews(course)
        assert list(course.root.glob(".preview-*")) == seen
        lock(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(previews.fcntl, "flock", lambda *a: (patch.undo(), somebody_else_starts(*a)))
        previews.preview(course, course.weeks[0])
    assert len(seen) == 1


def test_a_package_that_was_installed_since_is_a_change_of_the_grader():
    old = result(
        "a", (0.0, 0.0), flags=[Note(Flag.MISSING_PACKAGE, cell="double", values={"packages": "einops"})]
    )
    noted = regrade(old, result("a", (2.0, 3.0)))
    assert noted and noted.changed == (GRADER,) and [moved.after for moved in noted.moved] == [5.0]
    assert regrade(old, old) is None
