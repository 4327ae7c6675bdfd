"""A course folder: hand in, run `course` as a program, and look at what it left."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import nbformat
from small_course import RIGHT, hand_in, mark_by_hand

from coursekit.course.config import Course
from coursekit.engine.shared.result import Result

WRONG = {"double": "def double(x):\n    print('asked for', x)\n    return x * x", "why": "A square?"}
DRAWS = {"double": "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\n" + RIGHT["double"]}
CRASHES = {"double": "import os\nos._exit(1)"}


def hand_in_class(course: Course) -> None:
    """Some of each kind, twelve in all."""
    for number in range(12):
        kind = (RIGHT, WRONG, DRAWS, {}, RIGHT, b'{"cells": [')[number % 6]
        hand_in(course, f"s{number:02}", kind)
    hand_in(course, "s07", CRASHES)


def start(course: Course, *arguments: str, prelude: str = "", **options) -> subprocess.Popen:
    """`course ARGUMENTS` in the course folder. `prelude` is Python that its process runs first."""
    code = f"{prelude}\nimport sys\nfrom coursekit.cli.commands import main\nsys.argv[0] = 'course'\nmain()"
    command, pipes = [sys.executable, "-c", code, *arguments], {"stdout": -1, "stderr": -1, "text": True}
    return subprocess.Popen(command, cwd=course.root, **pipes, **options)


def run(course: Course, *arguments: str, **options) -> tuple[int, str, str]:
    """The same, until it ends: exit code, output, errors."""
    process = start(course, *arguments, **options)
    output, errors = process.communicate(timeout=600)
    return process.returncode, output, errors


def results(course: Course) -> dict[str, Result]:
    """Every result in autograded/. Fails where a file is not whole."""
    found = {}
    for path in (course.root / "autograded").rglob("*"):
        if path.name == "result.json":
            result = Result.from_json(path.read_text(encoding="utf-8"))
            assert result.to_json() == path.read_text(encoding="utf-8"), f"{path} is not as it is written"
            assert result.student == path.parent.parent.name
            assert result.score == sum(test.score for test in result.tests)
            assert len(result.hashes) == 4 and all(len(value) == 64 for value in result.hashes.values())
            found[result.student] = result
        elif path.name == "regrades.json":
            assert json.loads(path.read_text(encoding="utf-8"))["regrades"]
        elif path.suffix == ".ipynb":
            nbformat.validate(nbformat.reads(path.read_text(encoding="utf-8"), as_version=4))
        else:
            assert path.is_dir() or path.suffix in (".part", ".reference"), f"{path} should not be here"
    return found


def files(course: Course, *folders: str) -> dict[str, str]:
    """{path: text} of all files in these folders, without what each run measures anew: seconds, speed, time of day."""
    found = {}
    for folder in folders or ("autograded",):
        for path in sorted((course.root / folder).rglob("*")):
            if path.is_file() and path.suffix != ".reference":
                text = path.read_bytes().decode("utf-8")
                if path.name in ("result.json", "regrades.json"):
                    data = json.loads(text)
                    for key in ("seconds", "calibration"):
                        data.pop(key, None)
                    for regrade in data.get("regrades", ()):
                        del regrade["when"]
                    text = json.dumps(data, indent=1)
                found[str(path.relative_to(course.root))] = text
    return found


OF_A_STUDENT = (
    "join submitted_notebook s on x.notebook_id = s.id join submitted_assignment a on s.assignment_id = a.id"
)
QUERIES = {
    "grade": f"""select student_id, name, auto_score, manual_score, extra_credit, needs_manual_grade
        from grade x join base_cell on cell_id = base_cell.id {OF_A_STUDENT}""",
    "comment": f"""select student_id, name, auto_comment, manual_comment
        from comment x join base_cell on cell_id = base_cell.id {OF_A_STUDENT}""",
    "coursekit_submission": f"""select student_id, flagged, status, submission, flags
        from coursekit_submission x {OF_A_STUDENT}""",
}


def gradebook(course: Course) -> dict[str, list]:
    """Return {table: rows about students} of the gradebook, sorted; {} where there is none.

    It reads a copy, so that the next program meets what a killed one left there.
    """
    if not (course.root / "gradebook.db").exists():
        return {}
    copy = course.root / "copy"
    copy.mkdir(exist_ok=True)
    for path in course.root.glob("gradebook.db*"):
        shutil.copy(path, copy)
    found = {}
    with sqlite3.connect(copy / "gradebook.db") as database:
        assert database.execute("pragma integrity_check").fetchall() == [("ok",)]
        assert len(database.execute("select * from alembic_version").fetchall()) == 1
        tables = {name for (name,) in database.execute("select name from sqlite_master where type = 'table'")}
        for name in QUERIES.keys() & tables:
            found[name] = sorted(database.execute(QUERIES[name]).fetchall(), key=repr)
    database.close()
    shutil.rmtree(copy)
    return found


def mark_as_a_person(
    course: Course, student: str, number: float, written: str = "why", test: str = "double_hidden"
) -> None:
    """Give a mark for a written answer, one instead of a test's, and a comment, as the formgrader does."""
    mark_by_hand(course, student, written, manual_score=number, extra_credit=0.5)
    mark_by_hand(course, student, test, manual_score=number / 2)
    mark_by_hand(course, student, written, manual_comment=f"Seen, {student}: {number}.")


def by_people(course: Course) -> list:
    """What people wrote into the gradebook."""
    book = gradebook(course)
    marks = [(*row[:2], *row[3:5]) for row in book.get("grade", ()) if row[3:5] != (None, None)]
    comments = [(*row[:2], row[3]) for row in book.get("comment", ()) if row[3]]
    return sorted([*marks, *comments], key=repr)


def processes(temporary: Path) -> list[int]:
    """Return the processes that have this folder as TMPDIR."""
    wanted = f"TMPDIR={temporary}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if wanted in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
            except OSError:
                continue
    return found
