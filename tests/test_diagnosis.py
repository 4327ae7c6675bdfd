"""A known mistake is named, whatever the code looks like; another mistake and a right answer are not."""

import random
import shutil

import numpy as np
import pytest
from command import course_here
from hypothesis import given
from hypothesis import strategies as st
from small_course import ROOT, cells, hand_in, make_course, triple_cells, write_answer
from warm import reused

from coursekit.course.bank import read_bank
from coursekit.course.config import open_course
from coursekit.engine.coordinator.grade import grade
from coursekit.engine.examiner.standin import StandIn
from coursekit.engine.examiner.trace import MAX_LINES, MAX_WORD, MAX_WORDS, Trace
from coursekit.engine.shared.master import fill
from coursekit.grading import diagnosis
from coursekit.grading.diagnosis import diagnose, known_mistakes

SQUARE = "You square: two times two is four, but so is two plus two."
ABSOLUTE, ONE_MORE, NO_LENGTH = "Leave the sign as it is.", "Add x, not 1.", "A number has no length."
BANK = [  # name, source, tests that it fails, what the student is to read
    ("right/double_sum", "def double(x):\n    return x + x"),
    ("right/triple_product", "def triple(x):\n    return 3 * x"),
    ("wrong/double_square", "def double(x):\n    return x * x", "double_hidden", SQUARE),
    ("wrong/double_absolute", "def double(x):\n    return 2 * abs(x)", "double_hidden", ABSOLUTE),
    (
        "wrong/double_one_more",
        "SECRET = 1\n\n\ndef double(x):\n    return x + SECRET",
        "double_values, double_hidden",
        ONE_MORE,
    ),
    ("wrong/triple_nothing", "def triple(x):\n    3 * x", "triple_values", "Return what you computed."),
    ("wrong/triple_raises", "def triple(x):\n    return 3 * len(x)", "triple_values", NO_LENGTH),
]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course, _ = make_course(tmp_path_factory.mktemp("course"), [*cells()[:6], *triple_cells(), *cells()[6:]])
    for answer in BANK:
        write_answer(course, *answer)
    settings = course.root / "course.toml"  # an endless loop need not take long
    settings.write_text(settings.read_text().replace("test_seconds = 5", "test_seconds = 0.5"))
    return open_course(course.root)


@pytest.fixture(scope="module")
def mistakes(course, servers):
    with reused(servers):
        return known_mistakes(course, course.weeks[0])


@pytest.fixture
def result_of(course, servers):
    """A function: answers to the result of a notebook that has them, and right ones else."""
    master = course.master(course.weeks[0])
    return lambda **answers: (
        grade(master, fill(master, master.solutions | answers), course.limits, servers).result
    )


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({}, {}),
        ({"double": "double = lambda number: number ** 2"}, {"double": SQUARE}),
        ({"double": "def double(x):\n    y = x if x > 0 else -x\n    return y + y"}, {"double": ABSOLUTE}),
        ({"double": "def double(x):\n    return 1.0 + x"}, {"double": ONE_MORE}),
        ({"double": "def double(x):\n    return x + 2"}, {}),  # fails the same test as a square, otherwise
        ({"double": "def double(x):\n    raise ValueError(x)"}, {}),
        ({"double": "def double(x):\n    return None"}, {}),
        (
            {"triple": "def triple(x):\n    return [3 * x.__len__] if x is None else 3 * len(x)"},
            {"triple": NO_LENGTH},
        ),
        # What a square gives, and an endless loop beside it.
        ({"double": "def double(x):\n    while x == 2:\n        pass\n    return x * x"}, {}),
        ({"triple": "def triple(x):\n    return None"}, {}),  # says nothing: any unfinished answer gives that
        (
            {"double": "def double(x):\n    return x * x", "triple": "def triple(x):\n    return 3 * len(x)"},
            {"double": SQUARE, "triple": NO_LENGTH},
        ),
    ],
)
def test_a_known_mistake_is_named_and_no_other_answer(result_of, mistakes, answers, expected):
    found = diagnose(result_of(**answers), mistakes)
    assert {name: diagnosis.tells for name, diagnosis in found.items()} == {
        name: (tell,) for name, tell in expected.items()
    }


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


def test_many_mistakes_that_give_the_same_are_not_shown(mistakes, result_of):
    square = next(mistake for mistake in mistakes if mistake.answer.path.stem == "double_square")
    result = result_of(double="def double(x):\n    return x * x")
    assert len(diagnose(result, [square] * 3)["double"].tells) == 3
    found = diagnose(result, [square] * 4)["double"]
    assert found.tells == () and found.answers == ("double_square",) * 4


@pytest.mark.usefixtures("warm")
def test_the_page_names_the_cause_and_shows_nothing_of_the_bank(course):
    values = {"s01": "x * x", "s02": "x + 1", "s03": "x + x", "s04": "x - 7"}
    for student, value in values.items():
        hand_in(course, student, {"double": f"def double(x):\n    return {value}"})
    assert course_here(course.root, "grade").returncode == 0
    assert course_here(course.root, "feedback").returncode == 0
    pages = [(course.feedback(name, course.weeks[0]) / "attention.html").read_text() for name in values]
    assert pages[0].count("Probable cause:</strong> You square: two times two is four") == 2
    assert "Probable cause:</strong> Add x, not 1." in pages[1]
    assert "Probable cause:</strong> Y" not in pages[2] + pages[3]
    assert not any("SECRET" in page or "one_more" in page for page in pages)


@pytest.mark.slow
def test_a_bank_that_cannot_be_read_costs_nobody_a_page(course, tmp_path):
    shutil.copytree(course.root, tmp_path / "course")
    course = open_course(tmp_path / "course")
    week = course.weeks[0]
    hand_in(course, "s01", {})
    (course.answers(week) / "wrong" / "double_square.py").write_text("def double(x:")
    assert course_here(course.root, "grade").returncode == 0
    done = course_here(course.root, "feedback")
    assert done.returncode == 0 and (course.feedback("s01", week) / "attention.html").exists()
    assert "the pages name no probable causes." in " ".join(done.stderr.split())


def trace_of(*values):
    trace = Trace()
    for value in values:
        trace.add_value(value)
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
        silent.add_value(None)
    assert str(silent) == ""
    text = trace_of(*hostile, *[np.random.default_rng(1).normal(size=(50, 50))] * 400)
    assert len(text.split()) <= MAX_WORDS and max(map(len, text.split())) <= MAX_WORD + 2


def test_a_long_trace_has_its_first_and_its_last_values():
    """What a test asks last decides: two answers that differ there alone do not look alike."""
    setup = list(range(5 * MAX_WORDS))
    one, other = trace_of(*setup, "one").split(), trace_of(*setup, "other").split()
    assert len(one) == MAX_WORDS and one != other
    assert one[0] == "0" and one[-2:] == [str(setup[-1]), "'one'"]
    assert trace_of(1, *setup) != trace_of(2, *setup)
    assert "late" not in trace_of(*range(MAX_LINES), "late"), "endless calls do not keep the examiner busy"


def random_values(depth=2):
    leaf = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
    return leaf if not depth else leaf | st.lists(random_values(depth - 1)) | st.dictionaries(st.text(), leaf)


@given(random_values())
def test_any_value_has_a_trace_and_agrees_with_itself(value):
    words = trace_of(value).split()
    assert diagnosis._same(words, list(words))


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_bank_of_a_week(servers):
    """Each wrong answer, graded beside others than when its trace was kept, is named as itself or as one like it."""
    course = open_course(ROOT)
    week = course.week("week5_tokenizer")  # the quickest of the banks
    master, mistakes, bank = course.master(week), known_mistakes(course, week), read_bank(course, week)
    random.Random(3).shuffle(bank)
    fails = {mistake.answer.path.stem: set(mistake.answer.fails) for mistake in mistakes}
    named = 0
    for chosen in diagnosis.fewest_notebooks(bank):
        sources = {name: answer.source for name, answer in chosen.items()}
        found = diagnose(grade(master, fill(master, sources), course.limits, servers).result, mistakes)
        for question, answer in chosen.items():
            if answer.right:
                assert question not in found
            elif question in found:
                assert answer.path.stem in found[question].answers, answer.name
                assert all(fails[name] == set(answer.fails) for name in found[question].answers)
                named += bool(found[question].tells)
    assert named >= 0.9 * len(mistakes)
