"""Plain nbgrader works in a course folder, and gives honest submissions the scores that the engine gives.

nbgrader counts anything on stderr as a failed test, so the submissions here print nothing there. It lends no later
question a correct version of an earlier one either, so the wrong answer is one that no other question builds on.
"""

import nbformat
import pytest
from plain_nbgrader import nbgrader
from small_course import ROOT, copy_course

from coursekit.course.bank import read_bank
from coursekit.course.config import open_course
from coursekit.engine.coordinator.grade import grade
from coursekit.engine.shared.master import fill

pytestmark = pytest.mark.slow

WEEK = "week1_attention"
STUDENTS = ("reference", "half_done", "no_scale")


def run(folder, *arguments):
    done = nbgrader(folder, *arguments)
    assert done.returncode == 0, f"nbgrader {' '.join(arguments)}:\n{done.stderr[-3000:]}"


@pytest.fixture(scope="module")
def submissions():
    """{student: the notebook's bytes}."""
    course = open_course(ROOT)
    week = course.week(WEEK)
    master = course.master(week)
    bank = {answer.path.stem: answer for answer in read_bank(course, week)}
    reference = master.solutions
    questions = [question.id for question in master.questions if not question.written]
    half = {name: reference[name] for name in questions[: len(questions) // 2]}
    wrong = reference | {"self_attention": bank["self_attention_no_scale"].source}
    return {
        student: fill(master, answers)
        for student, answers in zip(STUDENTS, (reference, half, wrong), strict=True)
    }


@pytest.fixture(scope="module")
def course(tmp_path_factory, submissions):
    """A course folder that nbgrader alone has released and graded."""
    root = tmp_path_factory.mktemp("course")
    opened = copy_course(root, "nbgrader_config.py", "source")
    week = opened.week(WEEK)
    run(root, "generate_assignment", WEEK)
    for student, data in submissions.items():
        folder = opened.submitted(student, week)
        folder.mkdir(parents=True)
        (folder / f"{week.notebook}.ipynb").write_bytes(data)
    run(root, "autograde", WEEK)
    return opened


@pytest.fixture(scope="module")
def engine(submissions, servers):
    """{student: {test: score}} as the engine has them."""
    course = open_course(ROOT)
    master = course.master(course.week(WEEK))
    results = {
        student: grade(master, data, course.limits, servers).result for student, data in submissions.items()
    }
    return {student: {test.id: test.score for test in result.tests} for student, result in results.items()}


@pytest.mark.parametrize("student", STUDENTS)
def test_same_score_for_every_test(course, engine, student):
    from nbgrader.api import Gradebook

    master = course.master(course.week(WEEK))
    written = {question.id for question in master.questions if question.written}
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}", "transformer") as book:
        (notebook,) = book.find_submission(WEEK, student).notebooks
        scores = {grade.name: grade.auto_score for grade in notebook.grades if grade.name not in written}
    assert scores == engine[student]


def test_scores_are_what_they_should_be(engine):
    """Two graders that agree on nothing at all would agree too."""
    course = open_course(ROOT)
    master = course.master(course.week(WEEK))
    head = next(question for question in master.questions if question.id == "self_attention")
    total = {student: sum(scores.values()) for student, scores in engine.items()}
    assert total["reference"] == master.test_points
    assert 0 < total["half_done"] < master.test_points
    lost = {test for test, score in engine["no_scale"].items() if score == 0}
    assert lost and lost <= set(head.tests)


def test_release_is_one_that_students_can_fill_in(course):
    release = nbformat.read(course.release(course.week(WEEK)), as_version=4)
    text = "\n".join(cell.source for cell in release.cells)
    assert "NotImplementedError" in text
    assert "BEGIN SOLUTION" not in text and "BEGIN HIDDEN TESTS" not in text
    assert "{{" not in text and course.repository.colab(WEEK, "attention") in text


def test_feedback_is_html(course):
    run(course.root, "generate_feedback", WEEK)
    week = course.week(WEEK)
    for student in STUDENTS:
        page = (course.feedback(student, week) / f"{week.notebook}.html").read_text(encoding="utf-8")
        assert "softmax_rows" in page
        assert 'src="data:image/png;base64,' in page
