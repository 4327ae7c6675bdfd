"""The demo class of week 1: graded twice it gives the same bytes, and so does a regrade after an edit."""

import contextlib
import json
import shutil

import pytest
from cases import load
from folder import by_people, files, mark_as_a_person
from small_course import ROOT, edit, make_course

from coursekit.course.config import open_course
from coursekit.deliver.feedback.page import write_feedback
from coursekit.gradebook.record import record
from coursekit.grading import place
from coursekit.grading.run import grade_class

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]
EXPECTED = json.loads((ROOT / "demo" / "expected.json").read_text(encoding="utf-8"))
# Endless loops cost most of the time and nearly always end alike. s27 fills its memory until that or its time is used
# up: which of the two depends on the machine, and the points are the same.
CLASS = [student for student, row in EXPECTED.items() if row["status"] != "stopped" and student != "s27"]
# One for each thing that can be wrong with a submission.
SOME = list({(EXPECTED[name]["status"], str(EXPECTED[name]["repairs"])): name for name in CLASS}.values())


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """A course folder with week 1 as it is, and the demo class's submissions."""
    course, week = make_course(tmp_path_factory.mktemp("demo"))
    here = open_course(ROOT)
    shutil.copy(here.source(here.weeks[0]), course.source(week))
    demo = load(ROOT / "demo" / "make_class.py")
    material = demo.Material(here)
    for student in CLASS:
        demo._hand_in(course.submitted(student, week), demo.CLASS[student](material))
    return course


@pytest.fixture(autouse=True)
def shared_servers(servers, monkeypatch):
    monkeypatch.setattr(place, "Servers", lambda *_, **__: contextlib.nullcontext(servers))


def copy(course, root):
    shutil.copytree(course.root, root)
    return open_course(root)


def grade(course, **options):
    week = course.weeks[0]
    run = grade_class(course, week, **options)
    record(course, week, run.results.values())
    assert run.failed == {}
    return run


def test_two_runs_give_the_same_bytes(real, tmp_path):
    runs = [copy(real, tmp_path / str(workers)) for workers in (1, 2)]
    for workers, course in enumerate(runs, start=1):
        for student in grade(course, place=place.Here(workers)).results:
            write_feedback(course, course.weeks[0], student)
    one, other = (files(course, "autograded", "feedback") for course in runs)
    assert one == other and len(one) == 3 * len(CLASS)


def without_a_test(course):
    path = course.source(course.weeks[0])
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] != "attention-mask"]
    path.write_text(json.dumps(notebook), encoding="utf-8")


def more(key, text):
    """Return an edit that puts a line at the end of a cell."""

    def make(course):
        cells = json.loads(course.source(course.weeks[0]).read_text(encoding="utf-8"))["cells"]
        source = next(cell["source"] for cell in cells if cell["id"] == key)
        edit(course, key, source="".join(source) + text)

    return make


@pytest.mark.parametrize(
    "make_edit",
    [
        without_a_test,
        more("scaling-hidden-entropy", "\nassert 1 + 1 == 2"),
        more("attention-by-hand", "\nprint(1)"),
    ],
    ids=["a test taken out", "a hidden test", "a given cell"],
)
def test_a_regrade_gives_what_grading_anew_gives(real, tmp_path, make_edit):
    """What is run again, test_regrade.py counts."""
    course = copy(real, tmp_path / "regraded")
    grade(course, only=SOME)
    for student in SOME[:3]:
        mark_as_a_person(course, student, 2.5, written="why_three", test="softmax_rows")
    people = by_people(course)
    assert len(people) == 3 * 3
    make_edit(course)
    anew = copy(course, tmp_path / "anew")
    assert grade(course, only=SOME).fresh == set(SOME)
    grade(anew, only=SOME, force=True)
    assert files(course) == files(anew) and by_people(course) == people
