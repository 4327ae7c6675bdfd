"""A course of one's own: what `course init`, `new-week` and `new-question` write, and that it is a course."""

import json
import os
import subprocess
import sys

import nbformat
import pytest
import typer
from command import course_here
from quick import first
from small_course import files_in

from coursekit.authoring.checks.check import check_week
from coursekit.authoring.new.folder import make_folder
from coursekit.authoring.new.question import make_question
from coursekit.authoring.new.week import make_week
from coursekit.authoring.publish.publish import publish
from coursekit.authoring.release import release
from coursekit.cli import commands
from coursekit.course.config import open_course
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.result import FAILED, PASSED
from coursekit.grading.run import grade_class


@pytest.fixture
def course(tmp_path):
    return make_folder(tmp_path / "own")


def course_command(folder, *arguments):
    """(exit code, stdout, stderr in one line) of a command."""
    done = course_here(folder, *arguments)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, " ".join(done.stderr.split())


def test_three_notebooks_are_handed_in_and_get_what_they_should(course):
    (week,) = course.weeks
    release(course, week)
    run = grade_class(course, week)
    assert run.failed == {}
    scores = {name: result.score for name, result in run.results.items()}
    assert scores == {"right": 10, "wrong": 9, "hostile": 0}
    assert run.results["right"].needs_review  # its written answer
    (lost,) = [test for test in run.results["wrong"].tests if test.outcome != PASSED]
    assert lost.id == "mean_of_nothing"
    assert {test.outcome for test in run.results["hostile"].tests} == {FAILED}
    shown = json.loads((course.autograded("hostile", week) / f"{week.notebook}.ipynb").read_bytes())
    said = "".join(str(output.get("text")) for cell in shown["cells"] for output in cell.get("outputs", []))
    assert "/ [Errno 13] Permission denied" in said  # the attack got that far, and no further


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_small_course_passes_its_checks(course):
    (week,) = course.weeks
    release(course, week)
    report = check_week(course, week)
    assert report.problems == [] and report.counts["tests"] == 7


def test_the_readme_names_only_commands_that_are_there(course):
    lines = (course.root / "README.md").read_text(encoding="utf-8").splitlines()
    named = {line.split()[1] for line in lines if line.startswith("    course ")}
    assert {"check", "release", "grade", "new-week"} <= named
    assert named <= typer.main.get_command(commands.app).commands.keys()


def test_students_read_of_nothing_that_the_course_does_not_have(course, tmp_path):
    (week,) = course.weeks
    release(course, week)
    publish(course, [week], tmp_path / "theirs")
    page = (tmp_path / "theirs" / "README.md").read_text(encoding="utf-8")
    assert "needs Python 3.11 or newer.\n" in page and "File, Download" in page
    assert not any(word in page for word in ("torch", "narration", "tutor", "receipt", "{", "explorer"))


# The command in an environment without the extra `lesson`.
BARE = """
import sys
sys.modules |= dict.fromkeys(["soundfile", "loudness", "soxr", "webvtt", "gdown"])
from coursekit.cli.commands import main
main()
"""


def bare_command(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-P", "-c", BARE, *arguments], cwd=folder, capture_output=True, text=True
    )


@pytest.mark.slow
def test_publish_needs_nothing_for_sound(course, tmp_path):
    release(course, course.weeks[0])
    done = bare_command(course.root, "publish", tmp_path / "theirs", "week1_middle")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(", for 1 week.\n")


@pytest.mark.parametrize("command", first(1, [["narrate"], ["check", "--no-run"]]))
def test_what_needs_sound_reports_what_to_install(course, command):
    settings = course.root / "course.toml"
    settings.write_text('checks = ["lesson"]\n' + settings.read_text(encoding="utf-8"), encoding="utf-8")
    done = bare_command(course.root, *command)
    assert done.returncode == 2
    assert done.stderr.replace("\n", " ").endswith(" is not installed: pip install 'coursekit[lesson]'. ")
    assert "Traceback" not in done.stderr


def test_there_is_no_demo_of_it(course):
    code, _, said = course_command(course.root, "demo")
    assert code == 2 and "There is no demo/ here" in said


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path):
    (tmp_path / "mine").write_text("mine")
    for folder, sentence in (
        (".", "is not empty"),
        ("mine", "is not empty"),
        ("mine/below", "cannot be written"),
    ):
        code, _, said = course_command(tmp_path, "init", folder)
        assert code == 2 and sentence in said and os.listdir(tmp_path) == ["mine"]


def test_a_new_week_and_question_ask_their_author_for_the_rest(course):
    make_week(course, "week2_spread", 'How "far" numbers spread', 30)
    course = open_course(course.root)
    week = course.week("week2_spread")
    assert (week.notebook, week.title, week.minutes) == ("spread", 'How "far" numbers spread', 30)
    written = make_question(course, week, "variance", "", 5)
    assert [path.name for path in written] == ["variance_other_way.py", "variance_mistake.py", "spread.ipynb"]
    master = course.master(week)
    (question,) = master.questions
    assert (question.id, question.title, question.max_score) == ("variance", "Question 1. Variance", 5)
    nbformat.validate(nbformat.read(course.source(week), 4))
    problems = "\n".join(check_week(course, week, run=False).problems)
    for place in ("cell title", "cell setup", "cell variance-task", "cell variance", "cell variance-hidden"):
        assert f"{place} still contains TODO(author)" in problems
    assert "answers/week2_spread/wrong/variance_mistake.py still contains TODO(author)" in problems


def fill_in(course, week, setup="import math"):
    """Write all that judges an answer to the question `spread`, and nothing else of the week."""
    edit = {
        "setup": setup,
        "spread": "def spread(values):\n    ### BEGIN SOLUTION\n    return max(values) - min(values)\n"
        '    ### END SOLUTION\n    raise NotImplementedError("question 1: write spread")',
        "spread-by-hand": "# Test: by hand\nassert spread([1, 4]) == 3",
        "spread-hidden": "# Test: more\n### BEGIN HIDDEN TESTS\nassert spread([-2, 5, 0]) == 7\n### END HIDDEN TESTS",
    }
    source = course.source(week)
    notebook = nbformat.read(source, 4)
    for cell in notebook.cells:
        cell.source = edit.get(cell.id, cell.source)
    source.write_text(nbformat.writes(notebook))
    answer = '"""spread: {}.\n\nQuestion: spread\n{}"""\n\ndef spread(values):\n    return {}\n'
    right = answer.format("sorts", "", "sorted(values)[-1] - sorted(values)[0]")
    (course.answers(week) / "right" / "spread_other_way.py").write_text(right)
    fails = "Fails: spread_by_hand, spread_hidden\nTell: That is the largest alone.\n"
    wrong = answer.format("the largest alone", fails, "max(values)")
    (course.answers(week) / "wrong" / "spread_mistake.py").write_text(wrong)


def with_second_week(course, *questions):
    """(the course, its second week), with these questions for the author to write."""
    make_week(course, "week2_spread", "Spread", 30)
    course = open_course(course.root)
    week = course.week("week2_spread")
    for name in questions:
        make_question(course, week, name, "", 4)
    return course, week


@pytest.mark.slow
def test_a_question_is_checked_while_another_is_unwritten(course):
    course, week = with_second_week(course, "spread", "later")
    fill_in(course, week)
    report = check_week(course, week, question="spread")
    assert report.problems == [] and report.left_out[-1] == "what is still to be written for other questions"
    assert report.counts.pop("core-seconds") > 0
    assert report.counts == {"questions": 1, "points": 4, "tests": 2, "right": 1, "wrong": 1}
    wrong = course.answers(week) / "wrong" / "spread_mistake.py"
    wrong.write_text(wrong.read_text().replace("max(values)", "3"))
    assert check_week(course, week, question="spread").problems == [
        "wrong/spread_mistake passes spread_by_hand, which it should fail"
    ]
    problems = check_week(course, week, question="later").problems
    assert problems[0] == "cell later still contains TODO(author)" and len(problems) == 5


@pytest.mark.slow
@pytest.mark.parametrize("question", ["", "spread"])
def test_a_setup_cell_that_fails_is_the_one_problem(course, question):
    course, week = with_second_week(course, "spread")
    fill_in(course, week, "import math\nimport mahts")
    source = course.source(week)
    source.write_text(source.read_text().replace("TODO(author)", "Said"))
    release(course, week)
    report = check_week(course, week, question=question)
    assert report.problems == [
        "the reference gets 0 of 4. Cell setup, line 2: ModuleNotFoundError: No module named 'mahts'"
    ]
    assert report.left_out[-1] == "whatever else is run, until the reference gets full marks"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_gates_alone(course):
    program = [sys.executable, "-P", "-W", "error", "-m", "coursekit.authoring.checks", "week1_middle"]
    done = subprocess.run(program, cwd=course.root, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.endswith(" 0 problems\n")


def test_a_week_with_something_left_to_fill_in_is_not_released_and_the_others_are(course, tmp_path):
    with_second_week(course)
    code, out, said = course_command(course.root, "release")
    sentence = "week2_spread cannot be released while TODO(author) is still in cell title, cell setup."
    assert (code, out, said) == (1, "release/week1_middle/middle.ipynb\n", sentence)
    code, out, _ = course_command(course.root, "release", "week2_spread", "--json")
    assert (code, json.loads(out)) == (1, {"released": [], "unfinished": {"week2_spread": sentence}})
    assert not (course.root / "release" / "week2_spread").exists()
    code, _, said = course_command(course.root, "publish", str(tmp_path / "theirs"))
    assert code == 2 and "week2_spread cannot be released" in said
    assert not (tmp_path / "theirs").exists()


def test_many_places_to_fill_in_are_one_sentence(course):
    with pytest.raises(CourseError, match=r"cell half, cell half-by-hand, 3 more\.$"):
        release(*with_second_week(course, "half"))


def test_new_questions_come_after_the_last_one(course):
    (week,) = course.weeks
    before = [cell.cell_id for cell in course.master(week).cells]
    make_question(course, week, "mode", "The most frequent one", 3)
    make_question(course, week, "spread", "", 2)
    now = [cell.cell_id for cell in course.master(week).cells]
    new = [f"{name}{part}" for name in ("mode", "spread") for part in ("-task", "", "-by-hand", "-hidden")]
    assert now == [*before, *new]  # the week's last cell is a written question
    assert [question.max_score for question in course.master(week).questions] == [4, 6, 2, 3, 2]


@pytest.mark.parametrize(
    "command, wrong",
    [
        ("new-week week1_middle --title x", "There is a week week1_middle already"),
        ("new-week Spread --title x", "'Spread' cannot be a week's name"),
        ("new-week week2_a/../../b --title x", "cannot be a week's name"),
        ("new-week week2_spread --title x --minutes 0", "--minutes"),
        ("new-question week7 x --points 4", "course.toml has no week 'week7'"),
        ("new-question week1_middle mean --points 4", "has a cell mean already"),
        ("new-question week1_middle lambda --points 4", "has another meaning already"),
        ("new-question week1_middle statistics --points 4", "has another meaning already"),
        ("new-question week1_middle Mode --points 4", "'Mode' cannot be a question's name"),
        ("new-question week1_middle mode --points 1", "2 points at least"),
    ],
)
def test_what_cannot_be_is_a_sentence_and_changes_nothing(course, command, wrong):
    before = files_in(course.root)
    code, _, said = course_command(course.root, *command.split())
    assert code == 2 and wrong in said
    assert files_in(course.root) == before


@pytest.mark.slow
def test_what_lies_in_no_weeks_folder_is_reported(course):
    (course.root / "submitted" / "dora" / "week1").mkdir(parents=True)
    code, _, said = course_command(course.root, "grade")
    assert code == 0 and "submitted/dora/week1 belongs to no week in course.toml" in said


def test_a_bank_that_is_there_already_is_not_written_over(course):
    (week,) = course.weeks
    there = course.answers(week) / "wrong" / "mode_mistake.py"
    there.write_text("mine")
    with pytest.raises(CourseError, match=r"mode_mistake\.py exists already"):
        make_question(course, week, "mode", "", 4)
    assert there.read_text() == "mine"
