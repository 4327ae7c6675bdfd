"""One class of honest students whose notebooks are broken, graded once by the real command.

A damage is a function in one of the other modules of this folder. Its docstring says how a student gets there, it edits
the submission, and `damaged` says what must come out.
"""

import copy
import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from cases import Notebook, grade_id
from small_course import code, copy_course, markdown

from coursekit.course.bank import read_bank
from coursekit.course.config import Course, Week
from coursekit.engine.shared.master import HIDDEN_BEGIN, TEST, Master, fill
from coursekit.engine.shared.result import Result

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = Path(__file__).resolve().parent
FIRST = "week1_attention"
WORKERS = 2
UNDAMAGED = "undamaged"
WORDS = "With one matrix the scores would be symmetric: word i would look at j just as j looks at i."


class Submission(Notebook):
    """What a student is about to hand in: a notebook with every question answered, one of them partly wrong.

    Attributes:
        notebook: as nbformat's JSON; `damage` edits it.
        data: the file's bytes, instead of the notebook.
        name: the file's path in the student's folder.
        files: {path in that folder: bytes} of what else lies there.
    """

    def __init__(self, course: Course, week: Week):
        self.course, self.week = course, week
        self.master: Master = course.master(week)
        self.answers = _answers(course, week)
        self.notebook = self._release(self.answers)
        self.data: bytes | None = None
        self.name = f"{week.notebook}.ipynb"
        self.files: dict[str, bytes] = {}

    def stub(self, question: str) -> str:
        """The solution cell of a question as it was released."""
        return self.master.stub(next(cell for cell in self.master.cells if cell.grade_id == question))

    def tests(self, question: str) -> list[dict[str, Any]]:
        """The visible test cells of a question."""
        names = [
            cell.grade_id for cell in self.master.cells if cell.question == question and cell.role == TEST
        ]
        return [cell for cell in self.cells if grade_id(cell) in names and "\n" in cell["source"]]

    def empty(self) -> dict[str, Any]:
        """The released notebook with nothing answered."""
        return self._release({})

    def text(self, notebook: dict | None = None) -> str:
        """The notebook as Jupyter writes it."""
        return json.dumps(notebook or self.notebook, ensure_ascii=False, indent=1) + "\n"

    def other_week(self, name: str) -> "Submission":
        return Submission(self.course, self.course.week(name))

    def hand_in(self, folder: Path) -> None:
        """Write it all to the student's folder."""
        data = self.text().encode() if self.data is None else self.data
        for name, content in (self.files | {self.name: data}).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)

    def _release(self, answers: dict[str, str]) -> dict[str, Any]:
        notebook = json.loads(fill(self.master, answers))
        for cell, node in zip(self.master.cells, notebook["cells"], strict=True):
            if cell.role == TEST and cell.hidden:  # students have the line that names it
                node["source"] = cell.source.partition(HIDDEN_BEGIN)[0].rstrip()
        return notebook


def _answers(course: Course, week: Week) -> dict[str, str]:
    """A right answer to each question, and for the fourth one that fails some of its tests."""
    bank = read_bank(course, week)
    coded = [question for question in course.master(week).questions if not question.written]
    found = {}
    for number, question in enumerate(coded):
        answers = [answer for answer in bank if answer.question == question.id]
        right = [answer for answer in answers if answer.right]
        partly = [
            answer for answer in answers if not answer.right and len(answer.fails) < len(question.tests)
        ]
        plain = [answer for answer in right if answer.path.stem.endswith("by_the_book")]
        found[question.id] = (partly if number == 3 else plain or right)[0].source
    return found | {question.id: WORDS for question in course.master(week).questions if question.written}


def own_code(source: str) -> dict[str, Any]:
    """A code cell as a student adds it."""
    return code(token(source), source)


def own_words(source: str) -> dict[str, Any]:
    return markdown(token(source), source)


def token(text: str, length: int = 12) -> str:
    """Letters and digits that look random and never change."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:length]


def copied(cell: dict, source: str | None = None) -> dict[str, Any]:
    """A cell pasted a second time: all its metadata, another cell id."""
    twin = copy.deepcopy(cell)
    twin["id"] = token(cell["id"] + (source or ""))
    return twin if source is None else twin | {"source": source}


def saved_by_colab(notebook: dict) -> None:
    """Metadata, outputs and sources as Colab leaves them, around whatever ids there are."""
    for number, cell in enumerate(notebook["cells"]):
        cell["source"] = cell["source"].splitlines(keepends=True)
        if cell["cell_type"] == "code":
            cell["execution_count"] = number
            cell["metadata"] |= {
                "colab": {"base_uri": "https://localhost:8080/", "height": 34},
                "outputId": f"{token(str(number), 8)}-0a1b-4c2d-8e3f-{token(str(number))}",
            }
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["passed\n"]}]
        else:
            cell["metadata"]["colab_type"] = "text"
    badge = own_words('<a href="https://colab.research.google.com" target="_parent">Open In Colab</a>')
    del badge["id"]
    badge["metadata"] = {"id": "view-in-github", "colab_type": "text"}
    notebook["cells"].insert(0, badge)
    notebook["metadata"] = {
        "accelerator": "GPU",
        "colab": {"provenance": [], "gpuType": "T4", "toc_visible": True},
        "kernelspec": {"name": "python3", "display_name": "Python 3"},
        "language_info": {"name": "python"},
    }


@dataclass(frozen=True, repr=False)
class Damage:
    """A damage, and how its result differs from that of the same notebook unbroken, question by question.

    Attributes:
        damage: the function that edits a submission.
        week: the week's name.
        lost: questions worth nothing: what was written is not in the file, or in no right place.
        status: of the result.
        repairs, flags: kinds of the repairs and flags.
    """

    damage: Callable[[Submission], None]
    week: str
    lost: Collection[str]
    status: str
    repairs: Collection[str]
    flags: Collection[str]

    @property
    def student(self) -> str:
        return f"{self.damage.__module__.rpartition('.')[2]}-{self.damage.__name__}"


def damaged(
    *,
    week: str = FIRST,
    lost: Collection[str] = (),
    status: str = "",
    repairs: Collection[str] = (),
    flags: Collection[str] = (),
) -> Callable[[Callable[[Submission], None]], Damage]:
    """Decorate the function of a damage; the status is "repaired" or "graded" if not given."""
    status = status or ("repaired" if repairs else "graded")
    return lambda damage: Damage(damage, week, lost, status, repairs, flags)


def read_damages() -> list[Damage]:
    """Every damage, sorted by group and name."""
    modules = [import_module(f"damage.{path.stem}") for path in HERE.glob("*.py")]
    found = [value for module in modules for value in vars(module).values() if isinstance(value, Damage)]
    return sorted(found, key=lambda damage: damage.student)


@dataclass
class ClassRun:
    """What a class of damaged notebooks came to."""

    course: Course
    code: int  # exit code of `course grade`
    output: str
    seconds: float

    def result(self, week: str, student: str) -> Result | None:
        return Result.read(self.course.autograded(student, self.course.week(week)) / "result.json")


def make_folder(root: Path) -> Course:
    """A course folder of its own with the repository's weeks."""
    return copy_course(root, "nbgrader_config.py", "source", "answers")


def run_class(root: Path, damages: list[Damage]) -> ClassRun:
    """Hand in all of them, and in each week the same notebook unbroken; grade them with the command."""
    course = make_folder(root / "course")
    weeks = sorted({damage.week for damage in damages})
    for name in weeks:
        Submission(course, course.week(name)).hand_in(course.submitted(UNDAMAGED, course.week(name)))
    for damage in damages:
        submission = Submission(course, course.week(damage.week))
        damage.damage(submission)
        submission.hand_in(course.submitted(damage.student, submission.week))
    started = time.monotonic()
    outcomes = [
        _course(course, "grade", *weeks, "--workers", str(WORKERS)),
        _course(course, "feedback", *weeks),
    ]
    return ClassRun(
        course,
        max(outcome.returncode for outcome in outcomes),
        "".join(outcome.stdout + outcome.stderr for outcome in outcomes),
        time.monotonic() - started,
    )


def _course(course: Course, *arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "coursekit.cli", *arguments]
    return subprocess.run(command, cwd=course.root, capture_output=True, text=True, timeout=1200)
