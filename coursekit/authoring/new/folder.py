"""init: a course folder with one small week, and three notebooks handed in to try it on."""

import shutil
from importlib.resources import as_file, files
from pathlib import Path

from coursekit.course.bank import read_bank
from coursekit.course.config import Course, open_course
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import fill

SMALL_COURSE = files("coursekit.authoring.new") / "small_course"
HOSTILE = "hostile.py"  # an answer for the hostile notebook; not part of the course
RENAMED = {"gitignore": ".gitignore"}  # under its real name git would obey it in our own repository


def make_folder(folder: Path) -> Course:
    """Write the small course into a folder that is new or empty, hand three notebooks in, and return the course.

    Raises:
        CourseError: something is in the folder already, or it cannot be written to.
    """
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise CourseError(f"{folder} is not empty. Name a new folder, or an empty one.")
        with as_file(SMALL_COURSE) as small_course:
            shutil.copytree(
                small_course,
                folder,
                dirs_exist_ok=True,
                ignore=shutil.ignore_patterns(HOSTILE, "__pycache__"),
            )
        for old, new in RENAMED.items():
            (folder / old).rename(folder / new)
        course = open_course(folder)
        _hand_in(course)
    except OSError as error:
        raise CourseError(f"{error.filename or folder} cannot be written: {error.strerror}.") from error
    return course


def _hand_in(course: Course) -> None:
    """Hand in a notebook with right answers, one with a wrong answer among them, and one that attacks the grader."""
    (week,) = course.weeks
    master = course.master(week)
    right = dict(master.solutions)
    mistake = next(answer for answer in read_bank(course, week) if not answer.right)
    attack = SMALL_COURSE.joinpath(HOSTILE).read_text(encoding="utf-8")
    for student, answers in {
        "right": right | {"why": "The median for incomes: a few large ones move the mean."},
        "wrong": right | {mistake.question: mistake.source},
        "hostile": {next(iter(right)): attack},
    }.items():
        path = course.submitted(student, week) / f"{week.notebook}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(fill(master, answers))
