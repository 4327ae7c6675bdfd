"""The commands: what they print, and exit codes that mean something."""

import csv
import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from command import course_here, course_program
from small_course import copy_course, hand_in, make_course, result

from coursekit.course.addresses import Repository
from coursekit.course.config import Week, open_course
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.limits import Limits
from coursekit.engine.supervisor.sandbox.promises import PROMISES
from coursekit.gradebook.record import record

pytestmark = pytest.mark.usefixtures("warm")
ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "course_command", [course_here, pytest.param(course_program, marks=pytest.mark.slow)]
)
def test_the_commands_from_release_to_export(tmp_path, course_command):
    course, week = make_course(tmp_path)
    assert course_here(tmp_path, "release").stdout.strip() == "release/week1_attention/attention.ipynb"
    hand_in(course, "ada")
    hand_in(course, "\u00e9va", {})
    graded = course_here(tmp_path, "grade", "week1_attention")
    assert graded.returncode == 0 and "2 graded, 0 unchanged" in graded.stdout and "5 / 5" in graded.stdout
    assert "0 graded, 2 unchanged" in course_here(tmp_path, "grade").stdout
    assert course_here(tmp_path, "feedback").stdout.strip() == "2 pages in feedback/."
    assert "<h1" in course.feedback("ada", week).joinpath("attention.html").read_text()
    exported = course_here(tmp_path, "export", "week1_attention").stdout
    rows = list(csv.DictReader(exported.splitlines()))
    assert [(row["student"], row["score"], row["needs_review"]) for row in rows] == [
        ("ada", "5", "yes"),
        ("\u00e9va", "0", "no"),
    ]
    written = course_here(tmp_path, "export", "week1_attention", "--output", "marks.csv")
    assert written.returncode == 0 and (tmp_path / "marks.csv").read_bytes().decode() == exported.replace(
        "\n", "\r\n"
    )


def test_the_version_is_printed_anywhere(tmp_path):
    done = course_program(tmp_path, "--version")
    assert done.returncode == 0 and done.stdout == f"course {version('coursekit')}\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["grade", "week9"], "course.toml has no week 'week9'"),
        (["grade"], "submitted/ holds nothing"),
        (["grade", "--student", "nobody"], "no folder submitted/nobody"),
        (["feedback"], "Run `course grade week1_attention` first"),
        (["grade", "--workers", "0"], "greater than or equal to 1"),
        (["fly"], "No such command"),
    ],
)
def test_usage_errors_are_sentences_and_exit_2(tmp_path, arguments, sentence):
    make_course(tmp_path)
    done = course_here(tmp_path, *arguments)
    assert (
        done.returncode == 2 and sentence in " ".join(done.stderr.split()) and "Traceback" not in done.stderr
    )


NUMBER = "must be a number from 0.1 to 3600, not"
WHOLE = "must be a whole number from 256 to 1048576, not"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "no course.toml"),
        ("title = ", "cannot be read"),
        ("title = 'x'", "lacks or misspells"),
        ("[[weeks]]\nname = 'w'\ndeadline = 2027-03-07", "deadline of w must be words in quotes"),
        ("[limits]\ncell_seconds = 'long'", f"[limits] cell_seconds {NUMBER} 'long'"),
        ("[limits]\ncell_seconds = 0", f"[limits] cell_seconds {NUMBER} 0"),
        ("[limits]\ntest_seconds = nan", f"[limits] test_seconds {NUMBER} nan"),
        ("[limits]\ntest_seconds = true", f"[limits] test_seconds {NUMBER} True"),
        (f"[limits]\ncell_seconds = {'9' * 400}", f"[limits] cell_seconds {NUMBER}"),
        ("[limits]\nmemory_mb = 2048.5", f"[limits] memory_mb {WHOLE} 2048.5"),
        ("[limits]\nmemory_mb = 1", f"[limits] memory_mb {WHOLE} 1"),
    ],
)
def test_a_broken_course_folder_is_said(tmp_path, text, sentence):
    if text is not None:
        (tmp_path / "course.toml").write_text(text)
    done = course_here(tmp_path, "grade")
    assert done.returncode == 2 and sentence in " ".join(done.stderr.split())


SETTINGS = """title = "T"
[repository]
owner = "o"
name = "n"
[[weeks]]
name = "week1_sums"
notebook = "sums"
title = "Sums"
minutes = 20
[[weeks]]
name = "week2_products"
notebook = "products"
title = "Products"
minutes = 20
"""


def test_what_course_toml_may_leave_out(tmp_path):
    (tmp_path / "course.toml").write_text(SETTINGS)
    course = open_course(tmp_path)
    assert course.repository == Repository("o", "n", "main", False) and course.limits == Limits()
    assert course.select([]) == [
        Week("week1_sums", "sums", "Sums", 20),
        Week("week2_products", "products", "Products", 20),
    ]


TITLE = 'title = "T"'
MINUTES = "minutes = 20"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            'name = "week2_products"\n',
            "",
            "something: [[weeks]] number 2 lacks 'name'. Known there: name, notebook",
        ),
        (MINUTES, "", "week1_sums lacks 'minutes'. Known there: name"),
        (
            "week2_products",
            "week1_sums",
            "has the week 'week1_sums' twice. Each week needs a name of its own.",
        ),
        (
            TITLE,
            f"{TITLE}\n[limit]\nx = 3",
            "it has no use for 'limit'. Known there: title, repository, weeks",
        ),
        (
            'owner = "o"',
            'owner = "o"\nuser = "o"',
            "[repository] has no use for 'user'. Known there: owner, name",
        ),
        (MINUTES, "minute = 20", "week1_sums has no use for 'minute'. Known there: name"),
        (
            MINUTES,
            f"{MINUTES}\ndue = 2027-03-07T23:59:00",
            "must be a date and time with its offset from UTC",
        ),
        (MINUTES, f'{MINUTES}\ndue = "soon"', "due of week1_sums must be a date and time with its off"),
        (TITLE, f"{TITLE}\n[late]\nper_day = -1", "[late] per_day must be a number from 0 to 100, not -1."),
        (
            TITLE,
            f"{TITLE}\n[limits]\ncell_seconds = 40",
            "cell_seconds is 40, but all_cells_seconds is only 30.",
        ),
        (
            'notebook = "sums"',
            'notebook = "sums.ipynb"',
            "notebook of week1_sums must be the name of a file without",
        ),
        ('title = "Sums"', "title = 3", "title of week1_sums must be words in quotes, not 3."),
        (MINUTES, "minutes = '20'", "minutes of week1_sums must be a whole number, not '20'."),
        ('owner = "o"', 'owner = "o"\nbranch = 3', "[repository] branch must be words in quotes, not 3."),
        ('owner = "o"', 'owner = "o"\ndemo = "no"', "[repository] demo must be true or false, not 'no'."),
        ('[repository]\nowner = "o"\nname = "n"', 'repository = "o/n"', "repository must be a table, [repo"),
    ],
)
def test_a_mistyped_setting_is_one_sentence(tmp_path, old, new, sentence):
    assert old in SETTINGS
    (tmp_path / "course.toml").write_text(SETTINGS.replace(old, new, 1))
    with pytest.raises(CourseError) as refused:
        open_course(tmp_path)
    assert sentence in str(refused.value) and str(tmp_path / "course.toml") in str(refused.value)


def test_weeks_are_a_list_of_tables(tmp_path):
    settings = SETTINGS.split("[[weeks]]")[0]
    for wrong, sentence in (
        ("[weeks]\nname = 'w'", "weeks must be a list of tables, each below a line [[weeks]], not"),
        ("", "it lacks 'weeks'. Known there: title, repository, weeks"),
    ):
        (tmp_path / "course.toml").write_text(f"{settings}{wrong}\n")
        with pytest.raises(CourseError) as refused:
            open_course(tmp_path)
        assert sentence in str(refused.value)
    (tmp_path / "course.toml").write_text(f'weeks = ["week1"]\n{settings}')
    with pytest.raises(CourseError, match=r"\[\[weeks\]\] number 1 must be a table, not 'week1'"):
        open_course(tmp_path)


def test_check_finds_what_is_wrong(tmp_path):
    """A copy of the course with a test that cannot fail, a stale release and a dead link."""
    folders = ("source", "release", "answers", "narration", "assets/drawings")
    copy_course(tmp_path, "nbgrader_config.py", "pyproject.toml", *folders)
    path = tmp_path / "source" / "week1_attention" / "attention.ipynb"
    notebook = json.loads(path.read_text())
    tests = [cell for cell in notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("points")]
    tests[0]["source"] = "# Test: nothing\nimport os\nprint(scaled_dot_product_attention)"
    notebook["cells"][0]["source"] += "\n[more](extra/notes.md)"
    path.write_text(json.dumps(notebook))
    (tmp_path / "assets" / "drawings" / "head.svg").unlink()
    done = course_here(tmp_path, "check", "--no-run", "--json", "week1_attention")
    problems = "\n".join(json.loads(done.stdout)["problems"])
    assert done.returncode == 1
    for sentence in (
        "is not up to date with source/week1_attention",
        "imports something",
        "belongs to question attention",
        "asserts nothing",
        "uses nothing that the student defines",
        "links to extra/notes.md",
        "shows assets/drawings/head.svg, which does not exist",
    ):
        assert sentence in problems


def test_a_week_without_its_notebook_is_said(tmp_path):
    course, week = make_course(tmp_path)
    course.source(week).unlink()
    done = course_here(tmp_path, "check", "--no-run")
    sentence = (
        "attention.ipynb cannot be read (No such file or directory). course.toml lists week1_attention:"
    )
    sentence += " put its notebook there, or take the week out of course.toml."
    assert done.returncode == 2 and sentence in " ".join(done.stderr.split())


@pytest.mark.parametrize("run", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_check_before_the_first_release_and_without_a_bank(tmp_path, run):
    make_course(tmp_path)
    done = course_here(tmp_path, "check", "--json", *([] if run else ["--no-run"]))
    assert done.returncode == 1 and "Traceback" not in done.stderr
    found = json.loads(done.stdout)
    problems = "\n".join(found["problems"])
    assert (
        "release/week1_attention/attention.ipynb is missing. Run `course release week1_attention`" in problems
    )
    assert not run or "there is no folder answers/week1_attention: nothing shows that the tests" in problems
    untouched = "week1_attention: the untouched notebook gets 0 points"
    assert (untouched in found["facts"]) == run, "the rest is checked"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["week1_attention", "--question", "triple"],
            "no question 'triple' with a solution cell. It has: double.",
        ),
        (["week1_attention", "--question", "why"], "no question 'why' with a solution cell. It has: double."),
        (["--question", "double"], "name that week"),
        (["week1_attention", "week1_attention", "--question", "double"], "name that week"),
        (["week1_attention", "--question", "double", "--no-run"], "give only one of them"),
    ],
)
def test_a_question_that_cannot_be_checked_is_one_sentence(tmp_path, arguments, sentence):
    make_course(tmp_path)
    done = course_here(tmp_path, "check", *arguments)
    assert done.returncode == 2 and done.stdout == "" and "Traceback" not in done.stderr
    assert sentence in " ".join(done.stderr.split())


def test_check_says_what_it_has_left_out(tmp_path):
    make_course(tmp_path)
    done = course_here(tmp_path, "check", "--no-run")
    assert "Left out: the notebook's runs from top to bottom, all answers" in " ".join(done.stdout.split())


def test_a_student_named_twice_counts_once(tmp_path):
    course, week = make_course(tmp_path)
    hand_in(course, "ada")
    twice = ["--student", "ada"] * 2
    graded = course_here(tmp_path, "grade", *twice)
    assert graded.returncode == 0 and "1 graded, 0 unchanged, 0 without a result." in graded.stdout
    assert "0 graded, 1 unchanged" in course_here(tmp_path, "grade", *twice).stdout
    assert course_here(tmp_path, "feedback", *twice).stdout.strip() == "1 page in feedback/."


@pytest.mark.slow
def test_doctor_tells_what_works(tmp_path):
    folder = tmp_path / "course"
    folder.mkdir()
    make_course(folder)
    before = sorted(tmp_path.rglob("*"))
    done = course_here(folder, "doctor", "--json")
    lines = {line["what"]: line["works"] for line in json.loads(done.stdout)}
    broken = [promise.what for promise in PROMISES if lines[promise.what] is False]
    assert broken == (
        [promise.what for promise in PROMISES if promise.key == "number"] if os.getuid() == 0 else []
    )
    assert any(what.startswith("A kernel starts and computes") and works for what, works in lines.items())
    assert any(what.startswith("The gradebook is SQLite") and works for what, works in lines.items())
    assert done.returncode == bool(broken)
    assert sorted(tmp_path.rglob("*")) == before, "it only looks"


@pytest.mark.slow
def test_doctor_in_a_folder_that_is_no_course(tmp_path):
    elsewhere = course_here(tmp_path, "doctor")
    assert elsewhere.returncode == 1 and "This is a course folder" in elsewhere.stdout
    assert all(len(line) <= 80 for line in elsewhere.stdout.splitlines())
    assert list(tmp_path.iterdir()) == [], "it only looks"


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment",
    [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}],
)
def test_a_terminal_without_the_letters_of_a_name(tmp_path, environment):
    course, week = make_course(tmp_path)
    record(course, week, [result("Zoë")])
    command = [sys.executable, "-m", "coursekit.cli", "export", week.name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, env=os.environ | environment)
    assert (done.returncode, done.stderr) == (0, b"") and b"\nZo\\xeb,graded," in done.stdout


@pytest.mark.slow
def test_a_long_name_of_the_folder_for_temporary_files(tmp_path):
    """Sockets have short names only."""
    course, week = make_course(tmp_path)
    hand_in(course, "s1")
    long = tmp_path / ("t" * 100)
    long.mkdir()
    command = [sys.executable, "-m", "coursekit.cli", "grade"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, env=os.environ | {"TMPDIR": str(long)}
    )
    assert done.returncode == 0 and "1 graded" in done.stdout, done.stderr
    assert list(long.iterdir()) == []
