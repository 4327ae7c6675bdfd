"""A gradebook or a folder that cannot be used: a sentence, results kept, and the next run records them."""

import dataclasses
import json
import os
import shutil
import sqlite3
import subprocess
import time

import pytest
from command import course_here
from folder import RIGHT, WRONG, by_people, files, gradebook, hand_in, mark_as_a_person, results, run, start
from small_course import edit, make_course
from warm import reused

from coursekit.course.config import open_course
from coursekit.engine.coordinator.grade import grade
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import fill
from coursekit.gradebook.record import record
from coursekit.grading.run import grade_class

ODD = ("a-folder", "a-link", "unreadable", "half", "of-another")  # what will lie where their results should
pytestmark = [pytest.mark.usefixtures("warm"), pytest.mark.timeout(900)]  # a busy machine takes its time
MINE = ("s1", "double_values", 1.0, None, None, 0)


@pytest.fixture
def course(tmp_path):
    """Two have handed in, nobody is graded."""
    course, _ = make_course(tmp_path)
    hand_in(course, "s1", RIGHT)
    hand_in(course, "s2", WRONG)
    return course


@pytest.fixture(scope="module")
def done(tmp_path_factory, servers):
    """The same, graded, with marks that a person gave to s1."""
    course, _ = make_course(tmp_path_factory.mktemp("done"))
    for name in ("s1", "s2", *ODD):
        hand_in(course, name, WRONG if name == "s2" else RIGHT)
    with reused(servers):
        run_here(course)
    mark_as_a_person(course, "s1", 2.5)
    return course


@pytest.fixture
def graded(done, tmp_path):
    """A copy of that."""
    shutil.copytree(done.root, tmp_path, dirs_exist_ok=True)
    return open_course(tmp_path)


def run_here(course, **options):
    """What `course grade` does, in this process."""
    week = course.weeks[0]
    run = grade_class(course, week, **options)
    record(course, week, run.results.values())
    return run


@pytest.fixture
def remounted():
    """remounted(path, "ro"): a file or folder that not even root can write. Fails where that is not allowed."""
    there = []

    def remount(path, mode):
        subprocess.run(["mount", "--bind", path, path], check=True)  # as root
        there.append(path)
        subprocess.run(["mount", "-o", f"remount,bind,{mode}", path], check=True)

    def undo():
        while there:
            subprocess.run(["umount", "--lazy", there.pop()], check=True)

    remount.undo = undo
    yield remount
    undo()


def test_deleted(graded):
    book = gradebook(graded)
    (graded.root / "gradebook.db").unlink()
    assert run_here(graded).fresh == set()
    assert {row[:3] for row in gradebook(graded)["grade"]} == {row[:3] for row in book["grade"]}


@pytest.mark.slow
def test_killed_while_a_gradebook_is_made(graded):
    """A gradebook is there whole, with its version, or not at all."""
    prelude = """
import os
from nbgrader import api
import coursekit.gradebook.database as database
def die(): os.kill(os.getpid(), 9)
database._alembic_head = die
"""
    (graded.root / "gradebook.db").unlink()
    assert run(graded, "grade", prelude=prelude)[0] == -9
    assert not (graded.root / "gradebook.db").exists()
    run_here(graded)
    assert len(gradebook(graded)["grade"]) == 3 * len(results(graded))
    assert not list(graded.root.glob(".gradebook*"))


@pytest.mark.slow
@pytest.mark.parametrize("what", ["locked", "read-only", "in a read-only folder"])
def test_a_gradebook_that_cannot_be_written(graded, remounted, monkeypatch, what):
    """Results are kept, and the next run records them."""
    before, people = gradebook(graded), by_people(graded)
    edit(graded, "double-values", points=1)
    path = graded.root / "gradebook.db"
    other = sqlite3.connect(path, isolation_level=None)
    if what == "locked":
        other.execute("begin immediate")
        monkeypatch.setattr("coursekit.gradebook.database.LOCK_SECONDS", 1)
    elif what == "read-only":
        remounted(path, "ro")
    else:
        remounted(graded.root, "ro")
        remounted(graded.root / "autograded", "rw")
    done = course_here(graded.root, "grade")
    other.close()
    remounted.undo()
    assert done.returncode == 1 and "in autograded/, but not in the gradebook" in done.stderr, done.stderr
    assert ("in use by another program" if what == "locked" else "writable") in done.stderr
    assert gradebook(graded) == before
    assert {item.max_score for item in results(graded).values()} == {4}
    assert run_here(graded).fresh == set() and MINE in gradebook(graded)["grade"]
    assert by_people(graded) == people


@pytest.mark.slow
def test_autograded_is_read_only(graded, remounted):
    old = files(graded)
    edit(graded, "double-values", points=1)
    remounted(graded.root / "autograded", "ro")
    code, _, errors = run(graded, "grade")
    assert code == 2 and "autograded cannot be written to" in errors and "Traceback" not in errors, errors
    assert files(graded) == old


def test_what_can_lie_where_a_result_should(graded):
    expected = files(graded)
    for name in ODD:
        path = graded.autograded(name, graded.weeks[0]) / "result.json"
        good = path.read_bytes()
        path.unlink()
        match name:
            case "a-folder":
                path.mkdir()
            case "a-link":
                path.symlink_to("nowhere/at/all")
            case "unreadable":
                path.write_bytes(b"\xff\x00" + b"[" * 100_000)
            case "half":
                path.write_bytes(good[: len(good) // 2])
            case "of-another":
                shutil.copy(graded.autograded("s2", graded.weeks[0]) / "result.json", path)
    # A notebook that is not the result's own: gone, or of a run that was killed between the two.
    (graded.autograded("s1", graded.weeks[0]) / "attention.ipynb").unlink()
    (graded.autograded("s2", graded.weeks[0]) / "attention.ipynb").write_text("{}")
    run = run_here(graded)
    assert run.fresh == {"a-link", "unreadable", "half", "of-another", "s1", "s2"}
    assert list(run.failed) == ["a-folder"]
    assert "a folder of this name is in the way" in run.failed["a-folder"]
    (graded.autograded("a-folder", graded.weeks[0]) / "result.json").rmdir()
    assert run_here(graded, only=["a-folder"]).fresh == {"a-folder"}
    assert files(graded) == expected


@pytest.mark.slow
def test_a_clock_that_goes_backwards(graded):
    """Nothing is decided by the time of day, or by the age of a file."""
    expected = files(graded)
    for path in graded.root.rglob("*"):
        os.utime(path, (4e9, 4e9))
    prelude = "import time\nreal = time.time\ntime.time = lambda: 1e9 - real() / 2"
    code, output, _ = run(graded, "grade", "--json", prelude=prelude)
    assert code == 0 and json.loads(output)["week1_attention"]["graded"] == []
    code, output, _ = run(graded, "grade", "--json", "--force", "--student", "s1", prelude=prelude)
    assert code == 0 and json.loads(output)["week1_attention"]["graded"] == ["s1"]
    assert files(graded) == expected


@pytest.mark.slow
def test_a_slow_start_of_the_servers_costs_nobody_marks(course, servers, monkeypatch):
    """The time limit of a notebook begins when there is something to run it."""
    real = Servers.wait
    slept = []

    def slow(self):
        slept.append(1) or (len(slept) == 1 and time.sleep(12))
        return real(self)

    monkeypatch.setattr(Servers, "wait", slow)
    master = course.master(course.weeks[0])
    limits = dataclasses.replace(course.limits, all_cells_seconds=10)
    assert grade(master, fill(master, RIGHT), limits, servers).result.score == 5


def test_the_lock(graded):
    """It is held by a process, not by a file: when that is killed it is free."""
    holder = start(
        graded,
        prelude="import time\nfrom pathlib import Path\nfrom coursekit.grading.run import exclusive_lock\n"
        "with exclusive_lock(Path('autograded')):\n    print('held', flush=True)\n    time.sleep(1000)",
    )
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(CourseError, match="Another `course grade`"):
        run_here(graded)
    holder.kill()
    holder.communicate()
    assert run_here(graded).failed == {}
