"""Right notebooks with habits: one file a habit, one class a week, graded once by the real engine.

`tests/honest/<week>/<name>.py` has a docstring that says the habit, and `habit(submission)`, which puts it into a
right notebook. All of them must get full marks, no flag, and no repair but those that the file names in `REPAIRS`.
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from cases import Notebook, load
from small_course import copy_course

from coursekit.course.config import Course, Week
from coursekit.engine.shared.master import SOLUTION_CELL, fill
from coursekit.engine.shared.result import Result
from coursekit.grading.place import Here
from coursekit.grading.run import grade_class

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SOLUTION_MARKS = re.compile(r"^[ \t]*### (?:BEGIN|END) SOLUTION\n", re.MULTILINE)
STUB = re.compile(r"^[ \t]*raise NotImplementedError\(\"week \d.*\)\n?", re.MULTILINE)


@dataclass(frozen=True)
class Habit:
    """One file: `week/name`, and which kinds of repair its notebook really needs."""

    week: str
    name: str

    @property
    def path(self) -> Path:
        return HERE / self.week / f"{self.name}.py"

    @cache  # noqa: B019  a handful of small modules, as long as the tests run
    def module(self):
        module = load(self.path)
        assert module.__doc__, f"{self.path} does not say what the habit is"
        return module

    @property
    def repairs(self) -> set[str]:
        return getattr(self.module(), "REPAIRS", set())

    def notebook(self, course: Course) -> bytes:
        submission = Submission(course, course.week(self.week))
        self.module().habit(submission)
        return json.dumps(submission.notebook, ensure_ascii=False).encode()


HABITS = tuple(Habit(path.parent.name, path.stem) for path in sorted(HERE.glob("week*/*.py")))


class Submission(Notebook):
    """A right notebook that a habit is put into.

    Attributes:
        notebook: the JSON dict, to edit in any way.
    """

    def __init__(self, course: Course, week: Week):
        master = course.master(week)
        answers = {}
        for cell in master.cells:
            if cell.role == SOLUTION_CELL:
                answers[cell.grade_id] = STUB.sub("", SOLUTION_MARKS.sub("", cell.source)).strip() + "\n"
        self.first = next(iter(answers))
        self.notebook = json.loads(fill(master, answers))

    def __getitem__(self, name: str) -> str:
        """The source of a cell."""
        return self.cell(name)["source"]

    def __setitem__(self, name: str, source: str) -> None:
        self.cell(name)["source"] = source

    def replace(self, name: str, old: str, new: str) -> None:
        """Replace a text in a cell."""
        assert old in self[name], f"{name} has no {old!r}"
        self[name] = self[name].replace(old, new)

    def add(self, source: str, *, before: str = "", after: str = "", kind: str = "code") -> None:
        """Add a cell, before the first question unless another place is given."""
        place = self.place(after) + 1 if after else self.place(before or self.first)
        self.cells.insert(place, _cell(source, kind))

    def append(self, source: str) -> None:
        """Add a code cell at the end."""
        self.cells.append(_cell(source, "code"))


def _cell(source: str, kind: str) -> dict[str, Any]:
    """A cell without an id, as Colab makes it."""
    outputs = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, "source": source} | outputs


def grade_honest(root: Path, week_name: str) -> dict[str, Result]:
    """Grade all notebooks of one week in one run of the engine: {habit's name: result}."""
    course = copy_course(root, f"source/{week_name}")
    week = course.week(week_name)
    for habit in HABITS:
        if habit.week == week_name:
            folder = course.submitted(habit.name, week)
            folder.mkdir(parents=True)
            (folder / f"{week.notebook}.ipynb").write_bytes(habit.notebook(course))
    run = grade_class(course, week, place=Here(2))
    assert run.failed == {}
    return run.results
