"""Hidden tests draw their inputs from a seed of the hand-in: it cannot be computed, and what was seen is of no use."""

import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from small_course import cells, code, graded, make_course, master_of, write_answer

from coursekit.authoring.checks import answers, seeds
from coursekit.authoring.lesson import form
from coursekit.course.bank import read_bank
from coursekit.course.hidden_seed import SECRET, hidden_seed
from coursekit.engine.coordinator.grade import grade
from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import fill
from coursekit.engine.shared.result import FAILED, PASSED
from coursekit.grading.diagnosis import traces_of
from coursekit.intake.submissions import read_submission

LIMITS = Limits(cell_seconds=5, test_seconds=5, all_cells_seconds=60, memory_mb=1024)
SETUP = (
    "import random\n\nHIDDEN_SEED = 0\n\ndef drawn():\n    return random.Random(HIDDEN_SEED).randrange(10**9)"
)
SEEDED = """# Test: any number
### BEGIN HIDDEN TESTS
number = {drawn}
assert double(number) == 2 * number, f"double({{number}})"
### END HIDDEN TESTS"""
ANY_NUMBER = SEEDED.format(drawn="random.Random(HIDDEN_SEED).randrange(10**9)")
WRONG = "def double(x):\n    return 4 if x == 2 else 0\n"


def seeded_cells(source=ANY_NUMBER):
    title, _, heading, solution, visible, _, *written = cells()
    hidden = code("double-hidden", source, **graded("double_hidden", grade=True, points=3))
    return [title, code("setup", SETUP, tags=["setup"]), heading, solution, visible, hidden, *written]


def graded_with(master, servers, source, seed, earlier=None):
    with Submission.of_bytes(
        {"attention.ipynb": fill(master, {"double": source})}, hidden_seed=seed
    ) as submission:
        return grade(master, submission, LIMITS, servers, earlier)


def outcomes(graded):
    return {test.id: test.outcome for test in graded.result.tests}


def test_a_seed_depends_on_the_course_and_on_what_was_handed_in(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir(), other.mkdir()
    assert hidden_seed(one, "a" * 64) == hidden_seed(one, "a" * 64) > 0
    assert len({hidden_seed(one, "a"), hidden_seed(one, "b"), hidden_seed(other, "a")}) == 3
    assert stat.S_IMODE((one / SECRET).stat().st_mode) == 0o600
    assert [path.name for path in one.iterdir()] == [SECRET]
    for damaged in ("", "00" * 31, "no hexadecimal digits"):
        (one / SECRET).write_text(damaged)
        with pytest.raises(CourseError, match=SECRET):
            hidden_seed(one, "a")


def test_a_class_that_is_graded_in_parallel_makes_one_secret(tmp_path):
    for number in range(20):
        folder = tmp_path / str(number)
        folder.mkdir()
        with ThreadPoolExecutor(8) as pool:
            assert len(set(pool.map(lambda _, folder=folder: hidden_seed(folder, "a"), range(8)))) == 1
        assert [path.name for path in folder.iterdir()] == [SECRET]


def test_what_was_graded_before_keeps_its_seed_even_if_the_secret_is_lost(tmp_path):
    course, week = make_course(tmp_path)
    folder = course.submitted("s1", week)
    folder.mkdir(parents=True)
    (folder / "attention.ipynb").write_bytes(b"{}")
    with read_submission(course, week, "s1") as first:
        pass
    result_path = course.autograded("s1", week) / "result.json"
    result_path.parent.mkdir(parents=True)
    with Submission.of_bytes({}) as empty:
        result = grade_nothing(course, week, empty)
    hashes = result.hashes | {"submission": first.digest}
    result_path.write_text(replace(result, hidden_seed=first.hidden_seed, hashes=hashes).to_json())
    (tmp_path / SECRET).unlink()
    with read_submission(course, week, "s1") as again:
        assert again.hidden_seed == first.hidden_seed
    (folder / "attention.ipynb").write_bytes(b"{} ")
    with read_submission(course, week, "s1") as changed:
        assert changed.hidden_seed not in (0, first.hidden_seed)


def grade_nothing(course, week, submission):
    from coursekit.engine.coordinator.outcome import engine_fault

    return engine_fault(course.master(week), submission, LIMITS, "").result


@pytest.mark.parametrize(
    "drawn", ["random.Random(HIDDEN_SEED).randrange(10**9)", "HIDDEN_SEED * 0 + drawn()"]
)
def test_an_answer_that_knows_the_inputs_of_another_hand_in_gains_nothing(servers, drawn):
    master = master_of(*seeded_cells(SEEDED.format(drawn=drawn)))
    seen = graded_with(master, servers, WRONG, 11)
    message = next(test.message for test in seen.result.tests if test.hidden)
    number = int(message.removeprefix("double(").removesuffix(")"))
    learned = f"def double(x):\n    return {{2: 4, {number}: {2 * number}}}.get(x, 0)\n"
    assert outcomes(graded_with(master, servers, learned, 11))["double_hidden"] == PASSED
    assert outcomes(graded_with(master, servers, learned, 12))["double_hidden"] == FAILED
    right = graded_with(master, servers, "def double(x):\n    return 2 * x\n", 12)
    assert right.result.score == right.result.max_score and right.result.hidden_seed == 12


def test_the_students_code_does_not_see_the_seed(servers):
    master = master_of(*seeded_cells())
    curious = "def double(x):\n    return 2 * x if HIDDEN_SEED == 0 else 0\n"
    assert set(outcomes(graded_with(master, servers, curious, 5)).values()) == {PASSED}


def test_traces_are_comparable_whatever_the_seed(servers):
    master = master_of(*seeded_cells())
    one, other, bank = (graded_with(master, servers, WRONG, seed) for seed in (5, 6, 0))
    assert (
        traces_of(one.result, "double")
        == traces_of(other.result, "double")
        == traces_of(bank.result, "double")
    )
    messages = {
        next(test.message for test in each.result.tests if test.hidden) for each in (one, other, bank)
    }
    assert len(messages) == 3


def test_only_tests_that_draw_from_the_seed_are_run_again_for_another_one(servers):
    master = master_of(*seeded_cells())
    first = graded_with(master, servers, WRONG, 5)
    again = graded_with(master, servers, WRONG, 6, first)
    assert again.used.test_seconds.keys() == {"double_hidden"}
    assert graded_with(master, servers, WRONG, 5, first).used.test_seconds == {}


def test_what_a_seed_must_not_decide_is_found(tmp_path, servers):
    """A test that asks the same of all, one that only some seeds let a right answer pass, a wrong one that passes."""
    course, week = make_course(tmp_path, seeded_cells())
    write_answer(course, "right/double_one", "def double(x):\n    return 2 * x\n")
    write_answer(course, "wrong/double_one", WRONG, "double_hidden")

    def problems(source):
        master = master_of(*seeded_cells(source))
        bank = [{"double": answer} for answer in read_bank(course, week)]
        carried = [(one, grade(master, answers.carrying(master, one), LIMITS, servers)) for one in bank]
        found = seeds.facts(course, master, servers, carried, 4, None).values()
        return [problem for problems in found for problem in problems]

    assert problems(ANY_NUMBER) == []
    (same,) = problems(SEEDED.format(drawn="7 + 0 * HIDDEN_SEED"))
    assert "double_hidden uses HIDDEN_SEED, and asks the same" in same
    drawn = "HIDDEN_SEED % 2 * 2 if HIDDEN_SEED else 3"  # 0 or 2, which the wrong answer gets right
    lucky = problems(SEEDED.format(drawn=drawn))
    assert any("wrong/double_one" in problem for problem in lucky)
    unfair = problems(
        SEEDED.format(drawn="HIDDEN_SEED").replace(
            "== 2 * number", "== number + HIDDEN_SEED + HIDDEN_SEED % 2"
        )
    )
    assert any("the reference fails double_hidden" in problem for problem in unfair)


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("# Test: it\nassert double(HIDDEN_SEED) == 0", "is visible"),
        (
            "# Test: it\n### BEGIN HIDDEN TESTS\ndef probe_it():\n    return double(HIDDEN_SEED)\n"
            "assert probe_it() == 0\n### END HIDDEN TESTS",
            "in a probe",
        ),
    ],
)
def test_a_seed_that_is_not_the_hand_ins_is_found(source, sentence):
    (problem,) = seeds.check_text(master_of(*seeded_cells(source)))
    assert sentence in problem
    assert seeds.check_text(master_of(*seeded_cells())) == []


def test_a_lesson_asks_something_new_of_each_hand_in():
    (problem,) = form.check_hidden(master_of(*cells()))
    assert "double_hidden asks the same of every hand-in" in problem
    assert list(form.check_hidden(master_of(*seeded_cells()))) == []
