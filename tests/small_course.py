"""A course folder with one small week, for the tests of release, gradebook and formgrader."""

import json
import re
import shutil
from pathlib import Path

from coursekit.course.config import Course, Week, open_course
from coursekit.engine.shared.master import Master, fill, read_master
from coursekit.engine.shared.result import PASSED, UNREADABLE, QuestionResult, Result, TestResult
from coursekit.gradebook.convert import convert

ROOT = Path(__file__).parent.parent


def markdown(key, source, **metadata):
    return {"cell_type": "markdown", "id": key, "metadata": metadata, "source": source}


def code(key, source, **metadata):
    return {
        "cell_type": "code",
        "id": key,
        "metadata": metadata,
        "source": source,
        "outputs": [],
        "execution_count": None,
    }


def graded(key, *, grade=False, solution=False, points=None):
    """nbgrader's metadata of a cell, as its authoring toolbar writes it."""
    locked = grade and not solution
    data = {
        "grade": grade,
        "grade_id": key,
        "locked": locked,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    return {"nbgrader": data | ({"points": points} if grade else {})}


DOUBLE = '''def double(x):
    """Twice x."""
    ### BEGIN SOLUTION
    # add, which is what twice means
    return x + x
    ### END SOLUTION
    raise NotImplementedError("week 1, double: give back twice x")'''
# A second question, for tests that need one.
TRIPLE = '''def triple(x):
    """Three times x."""
    ### BEGIN SOLUTION
    return 3 * x
    ### END SOLUTION
    raise NotImplementedError("week 1, triple: give back three times x")'''
HIDDEN = """# Test: negative numbers
### BEGIN HIDDEN TESTS
assert double(-3) == -6, "negative numbers are not doubled"
### END HIDDEN TESTS"""
MODEL = "The model answer: a sum of two equal numbers is twice the number."


def cells():
    return [
        markdown("intro", "# Week 1"),
        code("setup", "import math", tags=["setup"]),
        markdown("double-why", "### Double"),
        code("double", DOUBLE, **graded("double", solution=True)),
        code(
            "double-values",
            "# Test: values\nassert double(2) == 4",
            **graded("double_values", grade=True, points=2),
        ),
        code("double-hidden", HIDDEN, **graded("double_hidden", grade=True, points=3)),
        markdown("why-heading", "### Why a sum?"),
        markdown("why", MODEL, **graded("why", grade=True, solution=True, points=4)),
    ]


def triple_cells():
    """A second question, after `cells()`."""
    return [
        markdown("triple-why", "### Triple"),
        code("triple", TRIPLE, **graded("triple", solution=True)),
        code(
            "triple-values",
            "# Test: values\nassert triple(2) == 6",
            **graded("triple_values", grade=True, points=2),
        ),
    ]


def notebook_of(*some_cells) -> bytes:
    """A notebook's file with these cells."""
    notebook = {
        "cells": some_cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, indent=1).encode() + b"\n"


def master_of(*some_cells) -> Master:
    """The master of the first week, if its notebook had these cells."""
    return read_master(notebook_of(*some_cells), "week1_attention", "attention")


def write_source(root: Path, some_cells: list) -> None:
    path = root / "source" / "week1_attention" / "attention.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(notebook_of(*some_cells))


def make_course(root: Path, some_cells: list | None = None) -> tuple[Course, Week]:
    """A course folder with the repository's own settings and its first week alone.

    Where no cell names torch, the course has none: to import it takes longer than to grade.
    """
    shutil.copy(ROOT / "nbgrader_config.py", root)
    settings, first, *_ = (ROOT / "course.toml").read_text(encoding="utf-8").split("[[weeks]]")
    chosen = cells() if some_cells is None else some_cells
    if not any("torch" in cell["source"] for cell in chosen):
        settings = re.sub(r"^modules = .*$", "modules = []", settings, flags=re.MULTILINE)
    (root / "course.toml").write_text(f"{settings}[[weeks]]{first}", encoding="utf-8")
    write_source(root, chosen)
    course = open_course(root)
    return course, course.week("week1_attention")


def write_answer(course: Course, name: str, source: str, fails: str = "", tell: str = "You square.") -> Path:
    """Write an answer into the bank of the first week: `name` is `<side>/<question>_<slug>`."""
    path = course.answers(course.weeks[0]) / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    question = path.stem.partition("_")[0]
    fields = f"Fails: {fails}\nTell: {tell}\n" if fails else ""
    path.write_text(f'"""{question}: {path.stem}.\n\nQuestion: {question}\n{fields}"""\n{source}')
    return path


def mark_by_hand(course: Course, student: str, cell: str, **values) -> None:
    """Do what the formgrader does when a TA types a mark (`manual_score`, `extra_credit`) or a `manual_comment`."""
    from nbgrader.api import Gradebook  # slow to import, and most tests need no gradebook

    from coursekit.gradebook.database import locate

    with Gradebook(locate(course), "transformer") as book:
        find = book.find_comment if "manual_comment" in values else book.find_grade
        row = find(cell, "attention", "week1_attention", student)
        for name, value in values.items():
            setattr(row, name, value)
        row.needs_manual_grade = False  # a comment has no such column
        book.db.commit()


def add_second_week(course: Course) -> Course:
    """Add week2_multi_head to course.toml, without a notebook, and open the course again."""
    entry = 'name = "week2_multi_head"\nnotebook = "multi_head"\ntitle = "Heads"\nminutes = 9\n'
    with open(course.root / "course.toml", "a", encoding="utf-8") as file:
        file.write(f"\n[[weeks]]\n{entry}")
    return open_course(course.root)


def copy_course(root: Path, *names: str, ignore: str = "") -> Course:
    """Copy these files and folders of the repository's own course, and course.toml, into a folder; return the course.

    Args:
        ignore: a pattern of file names that are left out.
    """
    for name in ("course.toml", *names):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns(ignore))
        else:
            shutil.copy(ROOT / name, root / name)
    return open_course(root)


def files_in(folder: Path) -> dict[str, bytes]:
    """Return {path below the folder: bytes} of all files there."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def use_database(root: Path, url: str) -> None:
    """Put the gradebook of a course folder somewhere else, as an instructor does."""
    with open(root / "nbgrader_config.py", "a", encoding="utf-8") as file:
        file.write(f"\nc.CourseDirectory.db_url = {url!r}\n")


def edit(course: Course, key: str, **changes) -> None:
    """Change a cell of the source: its source, its points."""
    path = course.source(course.weeks[0])
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["id"] == key:
            if "points" in changes:
                cell["metadata"]["nbgrader"]["points"] = changes["points"]
            cell["source"] = changes.get("source", cell["source"])
    path.write_text(json.dumps(notebook, indent=1) + "\n", encoding="utf-8")


# Answers to the small week.
RIGHT = {"double": "def double(x):\n    return x + x", "why": "A sum."}


def hand_in(
    course: Course, student: str, answers: dict | bytes = RIGHT, name: str = "attention.ipynb"
) -> Path:
    """Put a notebook into submitted/: the first week's, filled with these answers, or these very bytes."""
    path = course.submitted(student, course.weeks[0]) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    data = answers if isinstance(answers, bytes) else fill(course.master(course.weeks[0]), answers)
    path.write_bytes(data)
    return path


def result(student, scores=(2.0, 3.0), *, status="graded", flags=(), submission="1", written=None) -> Result:
    """A result of the small week: what double_values (2) and double_hidden (3) gave."""
    points = {"double_values": 2.0, "double_hidden": 3.0}
    tests = [
        TestResult(
            name, "double", points[name], score, PASSED if score else "failed", "", name == "double_hidden"
        )
        for name, score in zip(points, scores, strict=True)
    ]
    if status == UNREADABLE:
        tests, scores = [], (0.0, 0.0)
    return Result(
        student=student,
        week="week1_attention",
        status=status,
        score=sum(scores),
        max_score=5.0,
        needs_review=bool(flags),
        questions=[
            QuestionResult("double", "Double", sum(scores), 5.0),
            QuestionResult("why", "Why a sum?", written, 4.0),
        ],
        tests=tests,
        flags=list(flags),
        hashes={"submission": f"{student}-{submission}"},
    )


def write_autograded(course: Course, student: str, answer: str | None, outputs: list | None = None) -> Path:
    """The rebuilt notebook as the engine leaves it, with this written answer (None: untouched).

    The cells' nbgrader metadata are the master's: the formgrader needs neither checksums nor cell types.
    """
    week = course.weeks[0]
    master = course.master(week)
    notebook = json.loads(json.dumps(convert(course, master).for_gradebook))
    for cell, given in zip(notebook["cells"], master.notebook.cells, strict=True):
        cell["metadata"] = given.metadata
        if cell["id"] == "why" and answer is not None:
            cell["source"] = answer
        if cell["id"] == "setup":
            cell["outputs"] = outputs or []
    path = course.autograded(student, week) / "attention.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


def leave_result(course: Course, one: Result, answer: str | None = None, outputs: list | None = None) -> None:
    """A result with its rebuilt notebook, in place as the grader leaves them; see `write_autograded`."""
    path = write_autograded(course, one.student, answer, outputs)
    (path.parent / "result.json").write_text(one.to_json(), encoding="utf-8")
