"""The data on each student of a week, from results, gradebook, roster and bank."""

import hashlib
import json
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from coursekit.course.config import Course, Week
from coursekit.course.roster import Roster, read_roster
from coursekit.deliver.feedback.regrades import regrade_paragraphs
from coursekit.deliver.pictures import Picture, pictures_by_question
from coursekit.deliver.templates import write_page
from coursekit.engine.coordinator.sentences import kind_in_words, sentence
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import SOLUTION_CELL, WRITTEN, Master
from coursekit.engine.shared.reasons import Repair
from coursekit.engine.shared.result import STOPPED, UNREADABLE, Result
from coursekit.gradebook.marks import Marks, marks
from coursekit.grading.diagnosis import Diagnosis, diagnose, mistakes_for
from coursekit.grading.regrades import read_regrades
from coursekit.intake.placing import EARLIER
from coursekit.intake.submissions import graded_students
from coursekit.progress import Progress, no_progress

# Repairs that guess: a person should see whether the guess was right.
DOUBTFUL = {
    Repair.ACCENTS_REMOVED,
    Repair.ANOTHER_WEEK,
    Repair.ANSWER_FOUND_ELSEWHERE,
    Repair.ANSWER_IN_FILE,
    Repair.CHARACTERS_RESTORED,
    Repair.CONCATENATED,
    Repair.CONFLICT_RESOLVED,
    Repair.ENCODING_RESTORED,
    Repair.CONVERTED,
    Repair.REST_DROPPED,
    Repair.SALVAGED,
    Repair.WORDS_IN_CODE,
    Repair.WORDS_IN_GIVEN_TEXT,
}
TO_MARK = "to mark"
PSEUDONYM_DIGITS = 6  # more if two would be equal


@dataclass(frozen=True)
class Reason:
    """Why a person should look at a submission. `rank` orders them: the lowest first."""

    rank: int
    what: str
    detail: str = ""


@dataclass(frozen=True)
class Student:
    """One student of a week. Without a result, nothing was handed in, or the result cannot be read."""

    id: str
    name: str  # the id or pseudonym on the pages
    result: Result | None = None
    marks: Marks | None = None
    diagnoses: dict[str, Diagnosis] = field(default_factory=dict)  # by question
    answers: dict[str, str] = field(default_factory=dict)  # {question: source of the answer}
    # {question: names of the pictures that `read_pictures` returns}
    pictures: dict[str, tuple[str, ...]] = field(default_factory=dict)
    regraded: tuple[str, ...] = ()  # when and why it was graded again, in sentences
    earlier: tuple[str, ...] = ()  # older handed-in files, which are not graded
    result_damaged: bool = False  # there is a result.json that cannot be read

    @property
    def score(self) -> float | None:
        """The points so far, less any penalty in the gradebook for being late; None without a result."""
        if self.marks is not None:
            return self.marks.total
        return self.result.score if self.result is not None else None

    def question_score(self, question: str) -> float | None:
        """Return the points for a question; None if a person has to give them, or without a result."""
        if self.marks is not None:
            return self.marks.questions.get(question)
        items = self.result.questions if self.result is not None else ()
        return next((item.score for item in items if item.id == question), None)


@dataclass(frozen=True)
class WeekData:
    """A week, with all its students, sorted by their names on the pages."""

    week: Week
    master: Master
    students: list[Student]
    roster: Roster
    undiagnosed: str  # why no probable causes are known; "" where they are

    @property
    def handed_in(self) -> list[Student]:
        """The students with a result."""
        return [student for student in self.students if student.result is not None]


def load_week(
    course: Course,
    week: Week,
    named: bool,
    progress: Progress = no_progress,
) -> WeekData:
    """Read the data of a week.

    Args:
        named: show students' ids; if False, pseudonyms.
        progress: called with (done, total) while the bank is graded, if it has to be.

    Raises:
        CourseError: nothing of this week was graded yet, or the results, the gradebook or the roster cannot be read.
    """
    graded_ids = graded_students(course, week)
    if not graded_ids:
        raise CourseError(
            f"autograded/ holds no result of {week.name}. Run `course grade {week.name}` first."
        )
    master, roster = course.master(week), read_roster(course)
    results = {name: Result.read(course.autograded(name, week) / "result.json") for name in graded_ids}
    if not any(results.values()):
        raise CourseError(
            f"No result of {week.name} can be read: they are damaged, or from another version of this tool. "
            f"Run `course grade {week.name}` again."
        )
    rows = {row.student: row for row in marks(course, week)}
    mistakes, undiagnosed = mistakes_for(course, week, results.values(), progress)
    ids = list(dict.fromkeys((*graded_ids, *roster.ids)))
    pseudonym_of = {} if named else pseudonyms(ids, read_salt(course))
    students = []
    for student_id in ids:
        result, row = results.get(student_id), rows.get(student_id)
        folder, earlier = course.autograded(student_id, week), _earlier(course, week, student_id)
        student = Student(student_id, pseudonym_of.get(student_id, student_id), earlier=earlier)
        if result is None:
            student = replace(student, result_damaged=student_id in results)
        else:
            by_people = row.by_people if row else {}
            cells = _cells(folder / f"{week.notebook}.ipynb")
            pictures = pictures_by_question(master, cells)
            student = replace(
                student,
                result=result,
                marks=row,
                diagnoses=diagnose(result, mistakes),
                answers=_answers(cells, master),
                pictures={question: tuple(one.name for one in shown) for question, shown in pictures.items()},
                regraded=tuple(regrade_paragraphs(read_regrades(folder, result), result, by_people)),
            )
        students.append(student)
    students.sort(key=lambda student: student.name)
    return WeekData(week, master, students, roster, undiagnosed)


def read_salt(course: Course) -> str:
    """Return the random text from which this course's pseudonyms are made; it is kept beside the results.

    Without it, anybody with a list of the class could compute which pseudonym is whose.
    """
    path = course.results / ".pseudonyms"
    with suppress(OSError):
        if salt := path.read_text(encoding="utf-8").strip():
            return salt
    salt = secrets.token_hex(16)
    write_page(path, salt)
    return salt


def pseudonyms(students: Iterable[str], salt: str) -> dict[str, str]:
    """Return {student: pseudonym}; a student has the same one in each week.

    >>> pseudonyms(["ann", "bo"], "salt")
    {'ann': 's-ef6ca4', 'bo': 's-28befe'}
    """
    digests = {
        student: hashlib.sha256(f"{salt} {student}".encode("utf-8", "replace")).hexdigest()
        for student in students
    }
    digits = PSEUDONYM_DIGITS
    while len({digest[:digits] for digest in digests.values()}) < len(digests):
        digits += 1
    return {student: f"s-{digest[:digits]}" for student, digest in digests.items()}


def reasons(student: Student, roster: Roster) -> list[Reason]:
    """Return why a person should look at this student's submission, the most urgent reason first."""
    result = student.result
    if student.result_damaged:
        return [Reason(0, "result damaged", "Run `course grade` again: it makes a new one.")]
    if result is None:
        return [Reason(7, "missing", "In the roster, but nothing was handed in.")]
    why = []
    if result.faulty:
        why.append(Reason(0, "grader failed", "It is graded again in the next run."))
    if result.status == UNREADABLE:
        details = (sentence(note) for note in result.flags if note.kind == UNREADABLE)
        why.append(Reason(1, "unreadable", next(details, "")))
    elif result.status == STOPPED:
        why.append(Reason(2, "stopped", "A test met a limit of time or memory, or ended Python."))
    if student.marks is None or student.marks.flagged:
        why += [
            Reason(4, "flagged", f"{kind_in_words(note)}: {sentence(note)}")
            for note in result.flags
            if note.kind != UNREADABLE
        ]
    why += [
        Reason(
            5,
            "doubtful repair",
            f"{' '.join(filter(None, (kind_in_words(note), note.cell)))}: {sentence(note)}",
        )
        for note in result.repairs
        if note.kind in DOUBTFUL
    ]
    if waiting := [item.title for item in result.questions if student.question_score(item.id) is None]:
        why.append(Reason(6, TO_MARK, "; ".join(waiting)))
    if roster.ids and student.id not in roster.ids:
        why.append(Reason(7, "not in the roster", "No student of roster.csv has this id."))
    return sorted(why, key=lambda reason: reason.rank)


def read_pictures(course: Course, week: WeekData, student: str) -> dict[str, list[Picture]]:
    """Return {question: pictures} of a student, from the graded notebook: a class's would be too many to keep."""
    path = course.autograded(student, week.week) / f"{week.week.notebook}.ipynb"
    return pictures_by_question(week.master, _cells(path))


def _cells(path: Path) -> list[dict[str, Any]]:
    """Return the cells of the graded notebook, which the grader itself wrote; [] if it cannot be read."""
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return [cell for cell in cells if isinstance(cell["metadata"].get("nbgrader", {}), dict)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []


def _answers(cells: list[dict[str, Any]], master: Master) -> dict[str, str]:
    """Return {question: answer} from the cells of the graded notebook."""
    answer_ids = {cell.grade_id for cell in master.cells if cell.role in (SOLUTION_CELL, WRITTEN)}
    sources = {cell["metadata"].get("nbgrader", {}).get("grade_id"): cell.get("source") for cell in cells}
    return {name: text for name, text in sources.items() if name in answer_ids and isinstance(text, str)}


def _earlier(course: Course, week: Week, student: str) -> tuple[str, ...]:
    folder = course.root / "submitted" / student / EARLIER / week.name
    return tuple(sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()))
