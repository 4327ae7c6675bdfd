"""The demo class of week 1: graded twice it gives the same bytes, and so does every regrade after an edit."""

import contextlib
import json
import runpy
import shutil

import pytest
from folder import by_people, files
from nbgrader.api import Gradebook
from small_course import ROOT, edit, make_course

from coursekit.course.config import open_course
from coursekit.deliver.feedback.page import write_feedback
from coursekit.engine.coordinator.examiner_client import ExaminerProcess
from coursekit.gradebook.record import record
from coursekit.grading import place
from coursekit.grading.run import grade_class

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]
EXPECTED = json.loads((ROOT / "demo" / "expected.json").read_text(encoding="utf-8"))
# Endless loops cost most of the time and end, if not by chance, always alike. s27 fills its memory until that or its
# time is used up: which of the two, as its output says, is the machine's doing, and the points are the same.
CLASS = [student for student, row in EXPECTED.items() if row["status"] != "stopped" and student != "s27"]
# One for each thing that can be wrong with a submission.
SOME = list({(EXPECTED[name]["status"], str(EXPECTED[name]["repairs"])): name for name in CLASS}.values())
MARKED = SOME[:3]


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """A course folder with week 1 as it is, and the demo class's submissions."""
    folder = tmp_path_factory.mktemp("demo")
    course, week = make_course(folder)
    here = open_course(ROOT)
    shutil.copy(here.source(here.weeks[0]), course.source(week))
    demo = runpy.run_path(str(ROOT / "demo" / "make_class.py"))
    desk = demo["Desk"](here)
    for student in CLASS:
        demo["_hand_in"](course.submitted(student, week), demo["CLASS"][student](desk))
    return course


@pytest.fixture
def shared_servers(servers, monkeypatch):
    """One pair of warm servers for all runs of this file."""
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


def test_two_runs_give_the_same_bytes(real, shared_servers, tmp_path, capsys):
    runs = [copy(real, tmp_path / str(workers)) for workers in (1, 2)]
    for workers, course in enumerate(runs, start=1):
        run = grade(course, place=place.Here(workers))
        for student in run.results:
            write_feedback(course, course.weeks[0], student)
    one, other = (files(course, "autograded", "feedback") for course in runs)
    assert set(one) == set(other) and len(one) == 3 * len(CLASS)
    different = [path for path in one if one[path] != other[path]]
    with capsys.disabled():
        print(f"\ntwo runs, 1 and 2 workers: {len(one)} files, {len(different)} differ")
    assert different == []
    # The same files serve as the class that is graded, for the edits below.
    shutil.copytree(runs[1].root, real.root, dirs_exist_ok=True)


def points(course):
    edit(course, "softmax-rows", points=3)


def removed(course):
    change(course, lambda cells: [cell for cell in cells if cell["id"] != "attention-mask"])


def added(course):
    def with_one_more(cells):
        place = next(number for number, cell in enumerate(cells) if cell["id"] == "causal-mask-type")
        new = json.loads(json.dumps(cells[place]))
        new |= {
            "id": "causal-mask-one",
            "source": "# Test: one word\nassert causal_mask(1).tolist() == [[True]]",
        }
        new["metadata"]["nbgrader"] |= {"grade_id": "causal_mask_one", "points": 1}
        return [*cells[:place], new, *cells[place:]]

    change(course, with_one_more)


def change(course, cells_to_cells):
    path = course.source(course.weeks[0])
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["cells"] = cells_to_cells(notebook["cells"])
    path.write_text(json.dumps(notebook), encoding="utf-8")


def more(key, text):
    """Put a line at the end of a cell."""

    def edited(course):
        cells = json.loads(course.source(course.weeks[0]).read_text(encoding="utf-8"))["cells"]
        source = next(cell["source"] for cell in cells if cell["id"] == key)
        edit(course, key, source="".join(source) + text)

    return edited


def solution(course):
    cells = json.loads(course.source(course.weeks[0]).read_text(encoding="utf-8"))["cells"]
    source = "".join(next(cell["source"] for cell in cells if cell["id"] == "scaling"))
    assert "### BEGIN SOLUTION\n" in source
    edit(
        course,
        "scaling",
        source=source.replace("### BEGIN SOLUTION\n", "### BEGIN SOLUTION\n    # as above\n"),
    )


EDITS = {  # what is edited: the edit, and how many tests of a submission without a crash are examined
    "points": (points, 0),
    "a test taken out": (removed, 0),
    "markdown": (more("softmax-why", "\n\nOne sentence more."), 0),
    "the solution": (solution, 0),
    "a test": (more("attention-worked", "\nassert True"), 1),
    "a hidden test": (more("scaling-hidden-entropy", "\nassert 1 + 1 == 2"), 1),
    "a new test": (added, 1),
    "a given cell": (more("attention-by-hand", "\nprint('edited')"), None),
}


@pytest.mark.parametrize("what", EDITS)
def test_a_regrade_gives_what_grading_anew_gives(real, shared_servers, tmp_path, monkeypatch, capsys, what):
    course = copy(real, tmp_path / "regraded")
    week = course.weeks[0]
    before = grade(course, only=SOME)  # what the test above left, or now
    with Gradebook(f"sqlite:///{course.root}/gradebook.db", "transformer") as book:
        for student in MARKED:
            mark = book.find_grade("why_three", week.notebook, week.name, student)
            mark.manual_score, mark.needs_manual_grade = 2.5, False
            comment = book.find_comment("why_three", week.notebook, week.name, student)
            comment.manual_comment = f"Seen: {student}."
        book.db.commit()
    people = by_people(course)
    assert len(people) == 2 * len(MARKED)
    make_edit, wanted = EDITS[what]
    make_edit(course)
    anew = copy(course, tmp_path / "anew")

    examined = []
    test = ExaminerProcess.test
    monkeypatch.setattr(
        ExaminerProcess, "test", lambda self, *rest: examined.append(rest[0]) or test(self, *rest)
    )
    again = grade(course, only=SOME)
    count, examined[:] = len(examined), []
    grade(anew, only=SOME, force=True)
    whole = len(examined)
    assert again.fresh == set(SOME)
    wanted_paths = [path for path in files(anew) if path.split("/")[1] in SOME]
    regraded, fresh = files(course), files(anew)
    assert [path for path in wanted_paths if regraded[path] != fresh[path]] == []
    assert by_people(course) == people
    # Unreadable ones have nothing to run; those that had to be stopped are run whole.
    statuses = [result.status for result in before.results.values()]
    clean = sum(status in ("graded", "repaired") for status in statuses)
    tests = sum(len(question.tests) for question in course.master(week).questions)
    whole_ones = statuses.count("stopped")
    if (
        what == "a test taken out"
    ):  # a copy of it without its metadata is a cell of the student's own, and runs
        whole_ones += sum(
            any(note.kind == "metadata_restored" for note in result.repairs)
            for result in before.results.values()
        )
    with capsys.disabled():
        print(
            f"\nregrade after {what}: {count} tests examined instead of {whole}, {len(wanted_paths)} files equal"
        )
    if wanted is None:
        assert count == whole
    else:  # the reference comes first and is graded whole: its master is another one now
        assert count <= tests + clean * wanted + whole_ones * tests
