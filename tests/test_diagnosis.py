"""A known mistake is told as what it is, whatever the code looks like; another mistake and a right answer are not."""

import json
import random
import shutil

import numpy as np
import pytest
from command import course_here
from hypothesis import given
from hypothesis import strategies as st
from small_course import ROOT, cells, make_course, triple_cells

from coursekit.course.bank import read_bank
from coursekit.course.config import open_course
from coursekit.engine.coordinator.grade import grade
from coursekit.engine.examiner.standin import StandIn
from coursekit.engine.examiner.trace import MAX_WORD, MAX_WORDS, Trace
from coursekit.engine.shared.master import fill
from coursekit.engine.shared.result import PASSED
from coursekit.grading import diagnosis
from coursekit.grading.diagnosis import diagnose, known_mistakes

BANK = {
    "right/double_sum": ("", "", "def double(x):\n    return x + x"),
    "right/triple_product": ("", "", "def triple(x):\n    return 3 * x"),
    "wrong/double_square": (
        "double_hidden",
        "You square: two times two is four, but so is two plus two.",
        "def double(x):\n    return x * x",
    ),
    "wrong/double_absolute": (
        "double_hidden",
        "Leave the sign as it is.",
        "def double(x):\n    return 2 * abs(x)",
    ),
    "wrong/double_one_more": (
        "double_values, double_hidden",
        "Add x, not 1.",
        "SECRET = 1\n\n\ndef double(x):\n    return x + SECRET",
    ),
    "wrong/triple_nothing": ("triple_values", "Return what you computed.", "def triple(x):\n    3 * x"),
    "wrong/triple_raises": (
        "triple_values",
        "A number has no length.",
        "def triple(x):\n    return 3 * len(x)",
    ),
}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course, week = make_course(
        tmp_path_factory.mktemp("course"), [*cells()[:6], *triple_cells(), *cells()[6:]]
    )
    for name, (fails, tell, source) in BANK.items():
        question = name.partition("/")[2].partition("_")[0]
        path = course.answers(week) / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        fields = f"\nFails: {fails}\nTell: {tell}" if fails else ""
        path.write_text(f'"""{question}: {name}.\n\nQuestion: {question}{fields}\n"""\n\n{source}\n')
    return course


@pytest.fixture(scope="module")
def mistakes(course):
    return known_mistakes(course, course.weeks[0])


@pytest.fixture
def told(course, mistakes, servers):
    """A function: answers to what is said of each."""
    master = course.master(course.weeks[0])

    def told(**answers):
        sources = master.solutions | answers
        result = grade(master, fill(master, sources), course.limits, servers).result
        return {name: found.tells for name, found in diagnose(result, mistakes).items()}

    return told


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({}, {}),
        ({"double": "double = lambda number: number ** 2"}, {"double": BANK["wrong/double_square"][1:2]}),
        (
            {"double": "def double(x):\n    y = x if x > 0 else -x\n    return y + y"},
            {"double": BANK["wrong/double_absolute"][1:2]},
        ),
        ({"double": "def double(x):\n    return 1.0 + x"}, {"double": BANK["wrong/double_one_more"][1:2]}),
        ({"double": "def double(x):\n    return x + 2"}, {}),  # fails the same test as a square, otherwise
        ({"double": "def double(x):\n    raise ValueError(x)"}, {}),
        ({"double": "def double(x):\n    return None"}, {}),
        (
            {"triple": "def triple(x):\n    return 3 * x.__len__() if hasattr(x, '__len__') else 3 * len(x)"},
            {"triple": BANK["wrong/triple_raises"][1:2]},
        ),
        (  # what a square gives, and an endless loop beside it
            {"double": "def double(x):\n    while x == 2:\n        pass\n    return x * x"},
            {},
        ),
        ({"triple": "def triple(x):\n    return None"}, {}),  # says nothing: any unfinished answer gives that
        (
            {"double": "def double(x):\n    return x * x", "triple": "def triple(x):\n    return 3 * len(x)"},
            {
                "double": BANK["wrong/double_square"][1:2],
                "triple": BANK["wrong/triple_raises"][1:2],
            },
        ),
    ],
)
def test_who_makes_a_known_mistake_is_told_and_nobody_else(told, answers, expected):
    assert told(**answers) == expected


@pytest.mark.slow
def test_the_bank_is_graded_once(course, mistakes, monkeypatch):
    week = course.weeks[0]
    path = course.root / "autograded" / f".{week.name}.mistakes"
    kept = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(diagnosis, "Servers", lambda *_: pytest.fail("graded again"))
        assert known_mistakes(course, week) == mistakes
    assert len(mistakes) == 5
    for damaged in (b"", b"[]", b'{"key": 1}', kept[:-40]):
        path.write_bytes(damaged)
        assert known_mistakes(course, week) == mistakes and path.read_bytes() == kept


@pytest.mark.slow
def test_another_bank_is_another_knowledge(course, tmp_path):
    shutil.copytree(course.root, tmp_path / "course")
    course = open_course(tmp_path / "course")
    week = course.weeks[0]
    path = course.answers(week) / "wrong" / "double_square.py"
    path.write_text(path.read_text().replace("x * x", "x * x * x"))
    cubed = {mistake.answer.path.stem: mistake.traces for mistake in known_mistakes(course, week)}
    assert "-27" in cubed["double_square"]["double_hidden"]
    shutil.rmtree(course.answers(week))
    assert known_mistakes(course, week) == []


def test_many_mistakes_that_give_the_same_are_not_told(mistakes, course, servers):
    square = next(mistake for mistake in mistakes if mistake.answer.path.stem == "double_square")
    master = course.master(course.weeks[0])
    wrong = fill(master, master.solutions | {"double": "def double(x):\n    return x * x"})
    result = grade(master, wrong, course.limits, servers).result
    assert len(diagnose(result, [square] * 3)["double"].tells) == 3
    found = diagnose(result, [square] * 4)["double"]
    assert found.tells == () and found.answers == ("double_square",) * 4


def test_the_page_names_the_cause_and_shows_nothing_of_the_bank(course):
    week = course.weeks[0]
    master = course.master(week)
    for student, answer in {
        "s01": "def double(x):\n    return x * x",
        "s02": "def double(x):\n    return x + 1",
        "s03": master.solutions["double"],
        "s04": "def double(x):\n    return x - 7",
    }.items():
        folder = course.submitted(student, week)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "attention.ipynb").write_bytes(fill(master, {"double": answer}))
    assert course_here(course.root, "grade").returncode == 0
    assert course_here(course.root, "feedback").returncode == 0
    pages = {
        student: (course.feedback(student, week) / "attention.html").read_text()
        for student in ("s01", "s02", "s03", "s04")
    }
    assert pages["s01"].count("Probable cause:</strong> You square: two times two is four") == 2
    assert "Probable cause:</strong> Add x, not 1." in pages["s02"]
    assert "Probable cause" not in pages["s03"] and "Probable cause" not in pages["s04"]
    assert not any("SECRET" in page or "one_more" in page for page in pages.values())


@pytest.mark.slow
def test_a_bank_that_cannot_be_read_costs_nobody_a_page(course, tmp_path):
    shutil.copytree(course.root, tmp_path / "course")
    course = open_course(tmp_path / "course")
    week = course.weeks[0]
    folder = course.submitted("s01", week)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "attention.ipynb").write_bytes(fill(course.master(week), {}))
    (course.answers(week) / "wrong" / "double_square.py").write_text("def double(x:")
    assert course_here(course.root, "grade").returncode == 0
    done = course_here(course.root, "feedback")
    assert done.returncode == 0 and (course.feedback("s01", week) / "attention.html").exists()
    assert "the pages name no probable causes." in " ".join(done.stderr.split())


def trace_of(*values):
    trace = Trace()
    for value in values:
        trace.add(value)
    return str(trace)


def test_what_a_trace_says():
    assert trace_of(None, 1, 1.0, "two words", [1, (True, None)], {"a": 2.5}, {3, 1}) == (
        "1\n1\n'two_words'\nlist(2) 1 tuple(2) True None\ndict(1) 'a' 2.5\nset(2) 1 3"
    )
    assert trace_of(np.float32(0.1)) == "0.1" and trace_of(np.eye(2)) == "float64(2,2) 1 0 0 1"
    assert trace_of(np.arange(6.0)) != trace_of(np.array([0, 1, 2, 3, 5, 4.0]))


def test_a_stand_in_is_not_asked():
    class Asked:
        def ask(self, *_):
            pytest.fail("the student's kernel was asked for the trace's sake")

    assert trace_of([StandIn(Asked(), 1, "Layer")]) == "list(1) StandIn"


def test_a_trace_is_short_whatever_comes():
    deep = []
    for _ in range(100):
        deep = [deep]
    hostile = [
        deep,
        10**5000,
        "x" * 10**6,
        float("nan"),
        list(range(10**5)),
        np.zeros((0, 3)),
        set(range(999)),
    ]
    silent = Trace()
    for _ in range(10_000):
        silent.add(None)
    assert len(silent._lines) == 1 and str(silent) == ""
    text = trace_of(*hostile, *[np.random.default_rng(1).normal(size=(50, 50))] * 400)
    assert len(text.split()) <= MAX_WORDS and max(map(len, text.split())) <= MAX_WORD + 2


def random_values(depth=2):
    leaf = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
    return leaf if not depth else leaf | st.lists(random_values(depth - 1)) | st.dictionaries(st.text(), leaf)


@given(random_values())
def test_any_value_has_a_trace_and_agrees_with_itself(value):
    words = trace_of(value).split()
    assert diagnosis._same(words, list(words))


WEEK = "week5_tokenizer"  # the quickest of the banks


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_bank_of_a_week(servers):
    """Each wrong answer, graded beside others than when it was learnt, is told as itself or its like."""
    course = open_course(ROOT)
    week = course.week(WEEK)
    master = course.master(week)
    mistakes = known_mistakes(course, week)
    bank = read_bank(course, week)
    random.Random(3).shuffle(bank)
    known = {mistake.answer.path.stem: mistake for mistake in mistakes}
    right = 0
    for chosen in diagnosis.together(bank):
        sources = {
            name: answer.source for name, answer in chosen.items()
        }  # the other questions are not answered
        result = grade(master, fill(master, sources), course.limits, servers).result
        found = diagnose(result, mistakes)
        for question, answer in chosen.items():
            if answer.right:
                tests = [test for test in result.tests if test.question == question]
                assert question not in found and all(test.outcome == PASSED for test in tests)
            elif question in found:
                assert answer.path.stem in found[question].answers, answer.name
                right += bool(found[question].tells)
                told = {known[name].answer.fails for name in found[question].answers}
                assert len({frozenset(fails) for fails in told}) == 1
    assert right >= 0.9 * len(mistakes)
    print(json.dumps({"wrong": len(mistakes), "told": right}))
