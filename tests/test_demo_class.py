"""The demo class: the same every time, and what is expected of it follows from the bank of answers."""

import json
from pathlib import Path

import pytest
from cases import load
from small_course import files_in, make_course, write_answer

from coursekit.course.config import open_course
from coursekit.demo import run_demo
from coursekit.engine.shared.result import GRADED, REPAIRED, STOPPED, UNREADABLE

ROOT = Path(__file__).resolve().parent.parent
COURSE = open_course(ROOT)
EXPECTED = json.loads((ROOT / "demo" / "expected.json").read_text(encoding="utf-8"))

demo = load(ROOT / "demo" / "make_class.py")


class WatchedMaterial(demo.Material):
    """Remembers what the last notebook was filled with."""

    def notebook(self, *names, words="", only=False, **code):
        if not only:  # two submissions also fetch a stub from a notebook with nothing in it
            names = (*names, *(name for name in demo.PLAIN if self._is_open(name, names)))
        self.filled = (names, code) if names or code else self.filled
        return super().notebook(*names, words=words, only=only, **code)

    def _is_open(self, plain, names):
        return self.bank[plain].question not in {self.bank[name].question for name in names}


@pytest.fixture(scope="module")
def material():
    return WatchedMaterial(COURSE)


@pytest.mark.slow
def test_class_is_the_same_every_time(tmp_path):
    for name in ("one", "two"):
        assert demo.make_class(COURSE, tmp_path / name) == list(demo.CLASS)
    one, two = (files_in(tmp_path / name) for name in ("one", "two"))
    assert one == two and {path.partition("/")[0] for path in one} == set(demo.CLASS)
    assert {path.split("/")[1] for path in one} == {week.name for week in COURSE.weeks}


def test_everyone_is_expected():
    assert list(EXPECTED) == list(demo.CLASS)
    assert len(EXPECTED) >= 34
    for student, row in EXPECTED.items():
        assert list(row) == ["score", "max_score", "status", "repairs", "why"], student
        assert row["why"].endswith("."), student
        assert row["repairs"] == sorted(set(row["repairs"])), student
        assert bool(row["repairs"]) == (row["status"] == REPAIRED) or row["status"] == STOPPED
    assert {row["status"] for row in EXPECTED.values()} == {GRADED, REPAIRED, STOPPED, UNREADABLE}


@pytest.mark.parametrize("student", demo.CLASS)
def test_expected_score_follows_from_the_bank(student, material):
    row = EXPECTED[student]
    master = material.master
    assert row["max_score"] == master.test_points
    material.filled = ((), {})
    files = demo.CLASS[student](material)
    assert all(isinstance(data, bytes) for data in files.values())
    names, code = material.filled
    if row["status"] == UNREADABLE:
        assert row["score"] == 0
        return
    points = {cell.grade_id: cell.points for cell in master.cells}
    known = {material.bank[name].question: material.bank[name] for name in names}
    least = most = 0
    for question in master.questions:
        if question.id in code:  # not in the bank: it can be worth anything
            most += question.max_score
        elif question.id in known:
            right = question.max_score - sum(points[test] for test in known[question.id].fails)
            least, most = least + right, most + right
    if "missing_answer" in row["repairs"]:
        least = 0
    assert least <= row["score"] <= most


@pytest.mark.parametrize("week", COURSE.weeks[1:], ids=lambda week: week.name)
def test_other_weeks_hold_full_marks_and_less(week):
    rows = demo.expected_of_mixed(COURSE, week)
    scores = [row["score"] for row in rows.values()]
    assert len(rows) == demo.MIXED and scores[0] == rows["s01"]["max_score"] > max(scores[1:])
    assert min(scores) >= 0 and len(set(scores)) >= 4


MAKE_CLASS = """
from coursekit.engine.shared.master import fill

def make_class(course, folder):
    (folder / "ada" / course.weeks[0].name).mkdir(parents=True)
    notebook = fill(course.master(course.weeks[0]), {"double": "def double(x):\\n    return x**2"})
    (folder / "ada" / course.weeks[0].name / "attention.ipynb").write_bytes(notebook)
"""


@pytest.mark.slow
@pytest.mark.usefixtures("warm")
def test_the_pages_of_the_demo_name_a_probable_cause(tmp_path):
    """In a class of one, who makes a mistake of the bank."""
    course, week = make_course(tmp_path)
    write_answer(course, "right/double_sum", "def double(x):\n    return x + x\n")
    write_answer(course, "wrong/double_square", "def double(x):\n    return x * x\n", fails="double_hidden")
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "make_class.py").write_text(MAKE_CLASS)
    row = {"score": 2.0, "max_score": 5.0, "status": GRADED, "repairs": [], "why": "It squares."}
    (tmp_path / "demo" / "expected.json").write_text(json.dumps({"ada": row}))
    report = run_demo(course)
    assert report.problems == []
    page = report.course.feedback("ada", week) / "attention.html"
    assert "<strong>Probable cause:</strong> You square.</p>" in page.read_text(encoding="utf-8")
