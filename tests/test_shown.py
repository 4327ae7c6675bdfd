"""What the terminal shows of a class and of a slip: in words, and as it is now."""

import io
import json
import logging

import pytest
from command import course_here
from rich.console import Console
from small_course import add_second_week, edit, hand_in, make_course, mark_by_hand, result, write_answer

from coursekit.cli import shown
from coursekit.cli.shown import class_table
from coursekit.deliver.feedback.messages import OUTCOME
from coursekit.engine.shared.result import SIGNS, Note

pytestmark = pytest.mark.usefixtures("warm")
OTHER = "week2_multi_head"


@pytest.fixture
def course(tmp_path):
    """Two weeks, and somebody who handed in the first."""
    course, week = make_course(tmp_path)
    wrong = "def double(x):\n    if x < 0:\n        raise ValueError\n    return x"
    hand_in(course, "ada", {"double": wrong, "why": "A sum."})
    course = add_second_week(course)
    course.source(course.weeks[1]).parent.mkdir()
    course.source(course.weeks[1]).write_bytes(course.source(week).read_bytes())
    return course


def said(done) -> str:
    return " ".join((done.stdout + done.stderr).replace("│", " ").split())


def test_what_a_person_has_marked_waits_for_nobody(course):
    first = said(course_here(course.root, "grade"))
    assert "ada graded 0 / 5 written answer FE" in first, first
    assert "tests: . passed, F failed, E error, S stopped, - not run" in first
    mark_by_hand(course, "ada", "why", manual_score=3.5)
    again = said(course_here(course.root, "grade"))
    assert "ada graded 0 / 5 FE" in again and "written answer" not in again, again


def test_the_reports_have_the_terminals_signs(course):
    course_here(course.root, "grade")
    assert course_here(course.root, "review").returncode == 0
    page = (course.root / "reports" / course.weeks[0].name / "index.html").read_text(encoding="utf-8")
    assert '<td class="signs">FE</td>' in page
    assert set(SIGNS) == set(OUTCOME) and len(set(SIGNS.values())) == len(SIGNS)
    for outcome, sign in SIGNS.items():
        assert f"{sign} {OUTCOME[outcome]}" in page


def test_identifiers_are_shown_as_words(course, capsys):
    odd = result("bo", status="stopped", flags=[Note("several_notebooks")])
    class_table(course, course.weeks[0], [odd])
    shown = " ".join(capsys.readouterr().out.split())
    assert "stopped" in shown and "several" in shown and "_" not in shown.replace(course.weeks[0].name, "")


def test_without_a_name_the_weeks_are_those_that_the_help_says(course):
    assert course_here(course.root, "grade").returncode == 0
    for command in ("feedback", "review", "export"):
        assert "all that have been graded" in said(course_here(course.root, command, "--help")), command
        done = course_here(course.root, command)
        assert done.returncode == 0, done.stderr
        assert OTHER not in done.stdout
    assert "all with a submission" in said(course_here(course.root, "grade", "--help"))


def test_typos_in_the_bank_and_in_metadata_are_named(course):
    week = course.weeks[0]
    for side, fails in (("right", ""), ("wrong", "double_values, double_hidden")):
        write_answer(course, f"{side}/double_one", "def double(x):\n    return 2 * x\n", fails)
    for path in (
        "answers/week1_atention/right/x.py",
        f"answers/{week.name}/wrnog/x.py",
        f"answers/{week.name}/right/x.txt",
    ):
        (course.root / path).parent.mkdir(parents=True, exist_ok=True)
        (course.root / path).write_text("x")
    path = course.source(week)
    notebook = json.loads(path.read_text())
    notebook["metadata"]["course"] = {"from_scrath": ["math.exp"]}
    notebook["cells"][1]["metadata"]["tags"] = ["setup", "skip-gradng", "my-own"]
    path.write_text(json.dumps(notebook))
    found = said(course_here(course.root, "check", week.name, "--no-run"))
    for sentence in (
        "answers/week1_atention belongs to no week in course.toml. Did you mean week1_attention?",
        f"answers/{week.name}/wrnog is not read: answers are files in right/ and wrong/.",
        f"answers/{week.name}/right/x.txt is not read: an answer is a .py file.",
        "the notebook has 'from_scrath' in its metadata under course",
        "cell setup has the tag 'skip-gradng', which does nothing: did you mean 'skip-grading'?",
    ):
        assert sentence in found, found
    assert "my-own" not in found


def test_a_right_bank_has_no_typos(course):
    edit(course, "double-hidden", points=3)
    found = said(course_here(course.root, "check", course.weeks[0].name, "--no-run"))
    assert "is not read" not in found and "which does nothing" not in found


@pytest.mark.parametrize("terminal", [True, False])
def test_a_bar_is_drawn_where_somebody_sees_it(monkeypatch, terminal):
    drawn = io.StringIO()
    monkeypatch.setattr(shown, "err", Console(file=drawn, force_terminal=terminal))
    with shown.progress("week1") as tell:
        tell(3, 8)
    assert ("week1" in drawn.getvalue()) is terminal


@pytest.fixture
def package_logger():
    logger = logging.getLogger("coursekit")
    before = logger.handlers, logger.level
    yield logger
    logger.handlers, logger.level = before


def test_verbose_prints_what_modules_log_and_nothing_steers_the_terminal(package_logger, capsys):
    module = package_logger.getChild("grading.run")
    shown.log_to_terminal(verbose=False)
    module.info("not printed")
    module.warning("a worker was lost")
    assert capsys.readouterr().err == "course: a worker was lost\n"
    shown.log_to_terminal(verbose=True)
    try:
        raise ValueError("red \x1b[31m, from a notebook")
    except ValueError:
        module.info("s01 is graded again", exc_info=True)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "coursekit.grading.run: s01 is graded again"
    assert lines[-1] == "ValueError: red ?[31m, from a notebook"
