"""The bank of answers: its format, and what is reported of a file that breaks it."""

import pytest
from small_course import ROOT, make_course

from coursekit.course.bank import read_bank
from coursekit.course.config import open_course
from coursekit.engine.shared.errors import CourseError

COURSE = open_course(ROOT)


@pytest.mark.parametrize("week", COURSE.weeks, ids=lambda week: week.name)
def test_answers_differ_in_code_summary_and_advice(week):
    """`course check` holds what else a bank must have."""
    answers = read_bank(COURSE, week)
    wrong = [answer for answer in answers if not answer.right]
    assert len({(answer.question, answer.summary) for answer in answers}) == len(answers)
    assert len({answer.source for answer in answers}) == len(answers)
    assert len({answer.tell for answer in wrong}) == len(wrong)
    assert [answer.name for answer in wrong if not answer.tell.endswith(".")] == []


# What read_bank reports of a malformed file, in the small course.

RIGHT = '"""double: adds.\n\nQuestion: double\n"""\n\n\ndef double(x):\n    return x + x\n'
WRONG = (
    '"""double: squares.\n\nQuestion: double\nFails: double_values,\n    double_hidden\n'
    'Tell: You square:\n    add instead.\n"""\n\n\ndef double(x):\n    return x * x\n'
)


@pytest.fixture
def course(tmp_path):
    course, week = make_course(tmp_path)
    for side, text in (("right", RIGHT), ("wrong", WRONG)):
        (course.answers(week) / side).mkdir(parents=True)
        (course.answers(week) / side / "double_one.py").write_text(text, encoding="utf-8")
    return course


def test_reads_what_stands_in_the_file(course):
    right, wrong = read_bank(course, course.weeks[0])
    assert (right.name, right.question, right.right) == ("right/double_one", "double", True)
    assert (right.fails, right.tell, right.summary) == ((), "", "adds.")
    assert right.source == "def double(x):\n    return x + x"
    assert not wrong.right
    assert wrong.fails == ("double_values", "double_hidden")
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
        ("wrong", WRONG.replace("double_hidden", "double_values"), "names a test twice"),
        ("wrong", WRONG.replace("Fails:", "Mistakes: slip\nFails:"), "Mistakes and Deserves"),
        ("wrong", WRONG.replace("Fails:", "Mistakes: typo\nDeserves: 5 %\nFails:"), "'Mistakes' is 'typo'"),
        ("wrong", WRONG.replace("Fails:", "Mistakes: ,\nDeserves: 5 %\nFails:"), "'Mistakes' is ','"),
        ("wrong", WRONG.replace("Fails:", "Mistakes: slip\nDeserves: half\nFails:"), "from 0 % to 100 %"),
        ("wrong", WRONG.replace("Fails:", "Mistakes: slip\nDeserves: 101 %\nFails:"), "from 0 % to 100 %"),
        ("wrong", WRONG.replace("Fails:", "Fails: double_values\nFails:"), "each once"),
        ("wrong", WRONG.replace("Tell: You square:\n    add instead.", "Tell:"), "each once and filled in"),
    ],
)
def test_malformed_answer_is_named(course, side, text, says):
    path = course.answers(course.weeks[0]) / side / "double_two.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match="double_two.py") as caught:
        read_bank(course, course.weeks[0])
    assert says in str(caught.value)


def test_reads_what_a_mistake_deserves(course):
    path = course.answers(course.weeks[0]) / "wrong" / "double_one.py"
    stated = "Mistakes: concept, slip\nDeserves: 15 %\nException: it\n    raises.\nFails:"
    path.write_text(WRONG.replace("Fails:", stated), encoding="utf-8")
    wrong = read_bank(course, course.weeks[0])[1]
    assert (wrong.mistakes, wrong.deserves, wrong.exception) == (("concept", "slip"), 0.15, "it raises.")


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
