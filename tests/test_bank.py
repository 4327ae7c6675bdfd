"""The bank of answers: its format, its completeness, and what is said of a file that breaks it."""

import json
from collections import Counter
from pathlib import Path

import nbformat
import pytest

from coursekit.course.addresses import Repository
from coursekit.course.bank import read_bank
from coursekit.course.config import Course, Week, open_course
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.limits import Limits

ROOT = Path(__file__).resolve().parent.parent
COURSE = open_course(ROOT)


@pytest.mark.parametrize("week", COURSE.weeks, ids=lambda week: week.name)
def test_bank_is_complete(week):
    answers = read_bank(COURSE, week)
    master = COURSE.master(week)
    right = Counter(answer.question for answer in answers if answer.right)
    wrong = Counter(answer.question for answer in answers if not answer.right)
    for question in master.questions:
        if question.written:
            continue
        assert right[question.id] >= 4, f"{question.id} has {right[question.id]} right answers"
        assert wrong[question.id] >= 8, f"{question.id} has {wrong[question.id]} wrong answers"
    # A test that no wrong answer fails has never shown that it can fail.
    failing = {name for answer in answers for name in answer.fails}
    tests = {name for question in master.questions for name in question.tests}
    assert not tests - failing, f"no wrong answer fails {sorted(tests - failing)}"


@pytest.mark.parametrize("week", COURSE.weeks, ids=lambda week: week.name)
def test_answers_are_told_apart(week):
    answers = read_bank(COURSE, week)
    wrong = [answer for answer in answers if not answer.right]
    assert len({(answer.question, answer.summary) for answer in answers}) == len(answers)
    assert len({answer.source for answer in answers}) == len(answers)
    assert len({answer.tell for answer in wrong}) == len(wrong)
    for answer in wrong:
        assert answer.tell.endswith("."), f"{answer.name}: {answer.tell}"
        assert "### BEGIN" not in answer.source


# What read_bank says of a malformed file, tried on a small course of its own.

RIGHT = '"""double: adds.\n\nQuestion: double\n"""\n\n\ndef double(x):\n    return x + x\n'
WRONG = (
    '"""double: squares.\n\nQuestion: double\nFails: double_small,\n    double_hidden\n'
    'Tell: You square:\n    add instead.\n"""\n\n\ndef double(x):\n    return x * x\n'
)


@pytest.fixture
def course(tmp_path):
    week = Week("week1_small", "small", "Small", 10)

    def cell(source, grade_id, grade):
        cell = nbformat.v4.new_code_cell(source, id=grade_id)
        cell.metadata.nbgrader = {"grade_id": grade_id, "grade": grade, "solution": not grade, "points": 1}
        return cell

    notebook = nbformat.v4.new_notebook(
        cells=[
            cell("def double(x):\n    return 2 * x", "double", False),
            cell("assert double(3) == 6", "double_small", True),
            cell("assert double(5) == 10", "double_hidden", True),
        ]
    )
    source = tmp_path / "source" / week.name / "small.ipynb"
    source.parent.mkdir(parents=True)
    source.write_text(json.dumps(notebook), encoding="utf-8")
    for side, text in (("right", RIGHT), ("wrong", WRONG)):
        folder = tmp_path / "answers" / week.name / side
        folder.mkdir(parents=True)
        (folder / "double_one.py").write_text(text, encoding="utf-8")
    return Course(tmp_path, "Small", Repository("someone", "small"), Limits(), (week,))


def test_reads_what_stands_in_the_file(course):
    right, wrong = read_bank(course, course.weeks[0])
    assert (right.name, right.question, right.right, right.fails, right.tell) == (
        "right/double_one",
        "double",
        True,
        (),
        "",
    )
    assert right.summary == "adds."
    assert right.source == "def double(x):\n    return x + x"
    assert not wrong.right
    assert wrong.fails == ("double_small", "double_hidden")
    assert wrong.tell == "You square: add instead."
    assert wrong.source == "def double(x):\n    return x * x"


@pytest.mark.parametrize(
    ("side", "text", "says"),
    [
        ("right", "def double(x)\n", "cannot be read as Python"),
        ("right", "x = 1\n", "no docstring"),
        ("right", RIGHT.replace("Question: double", "Question: triple"), "no question 'triple'"),
        ("right", RIGHT.replace("Question: double\n", ""), "this one has none of them"),
        ("right", RIGHT.replace("double: adds.", "adds."), "begin the docstring with 'double: '"),
        ("right", RIGHT.partition("\n\n\n")[0] + "\n", "no code below its docstring"),
        ("right", WRONG, "a right answer needs Question"),
        ("wrong", RIGHT, "a wrong answer needs Question, Fails, Tell"),
        ("wrong", WRONG.replace("double_hidden", "triple_hidden"), "'triple_hidden', which is not a test of"),
        ("wrong", WRONG.replace("double_hidden", "double_small"), "names a test twice"),
        ("wrong", WRONG.replace("Fails:", "Fails: double_small\nFails:"), "each once"),
        ("wrong", WRONG.replace("Tell: You square:\n    add instead.", "Tell:"), "each once and filled in"),
    ],
)
def test_malformed_answer_is_named(course, side, text, says):
    path = course.answers(course.weeks[0]) / side / "double_two.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match="double_two.py") as caught:
        read_bank(course, course.weeks[0])
    assert says in str(caught.value)


def test_file_named_for_another_question(course):
    path = course.answers(course.weeks[0]) / "right" / "triple_one.py"
    path.write_text(RIGHT, encoding="utf-8")
    with pytest.raises(CourseError, match="is named double_<something>.py"):
        read_bank(course, course.weeks[0])


def test_empty_bank(course):
    for path in (course.answers(course.weeks[0]) / "wrong").iterdir():
        path.unlink()
    with pytest.raises(CourseError, match=r"holds no answers.* docs/authoring\.md in the tool's repository"):
        read_bank(course, course.weeks[0])
