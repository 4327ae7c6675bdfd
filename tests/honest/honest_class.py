"""Right notebooks with habits: one file a habit, one class a week, graded once by the real engine.

`tests/honest/<week>/<name>.py` has a docstring that says the habit, and `habit(submission)`, which puts it into a
right notebook. All of them must get full marks, no flag, and no repair but those that the file names in `REPAIRS`.
"""

import json
import re
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cases import load

from coursekit.course.config import Course, Week, open_course
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


class Submission:
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

    def cell(self, name: str) -> dict:
        """The cell with this grade id or cell id."""
        return self.notebook["cells"][self._place(name)]

    def __getitem__(self, name: str) -> str:
        """The source of a cell."""
        return self.cell(name)["source"]

    def __setitem__(self, name: str, source: str) -> None:
        self.cell(name)["source"] = source

    def replace(self, name: str, old: str, new: str) -> None:
        """Replace a text in a cell."""
        assert old in self[name], f"{name} has no {old!r}"
        self[name] = self[name].replace(old, new)

    def add(self, source: str, *, before: str = "", after: str = "", kind: str = "code") -> dict:
        """Add a cell, before the first question unless another place is given; return it."""
        place = self._place(after) + 1 if after else self._place(before or self.first)
        return self._insert(place, source, kind)

    def append(self, source: str, kind: str = "code") -> dict:
        """Add a cell at the end; return it."""
        return self._insert(len(self.notebook["cells"]), source, kind)

    def _insert(self, place: int, source: str, kind: str) -> dict:
        cell = {"cell_type": kind, "metadata": {}, "source": source}
        if kind == "code":
            cell |= {"execution_count": None, "outputs": []}
        self.notebook["cells"].insert(place, cell)
        return cell

    def _place(self, name: str) -> int:
        for place, cell in enumerate(self.notebook["cells"]):
            if name in (cell["metadata"].get("nbgrader", {}).get("grade_id"), cell.get("id")):
                return place
        raise KeyError(f"no cell is called {name!r}")


def grade_honest(root: Path, week_name: str) -> dict[str, Result]:
    """Grade all notebooks of one week in one run of the engine: {habit's name: result}."""
    (root / "source").mkdir(parents=True)
    shutil.copy(ROOT / "course.toml", root)
    shutil.copytree(ROOT / "source" / week_name, root / "source" / week_name)
    course = open_course(root)
    week = course.week(week_name)
    for habit in HABITS:
        if habit.week == week_name:
            folder = course.submitted(habit.name, week)
            folder.mkdir(parents=True)
            (folder / f"{week.notebook}.ipynb").write_bytes(habit.notebook(course))
    run = grade_class(course, week, place=Here(2))
    assert run.failed == {}
    return run.results
