"""What is known of each student of a week, from results, gradebook, roster and bank."""

import hashlib
import json
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from coursekit.course.config import Course, Week
from coursekit.course.roster import Roster, the_roster
from coursekit.deliver.feedback.regraded import sentences
from coursekit.engine.coordinator.sentences import kind_in_words, sentence
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import SOLUTION_CELL, WRITTEN, Master
from coursekit.engine.shared.reasons import Repair
from coursekit.engine.shared.result import PASSED, STOPPED, UNREADABLE, Note, Result
from coursekit.files import write_atomically
from coursekit.gradebook.marks import Marks, marks
from coursekit.grading.diagnosis import Diagnosis, diagnose, known_mistakes
from coursekit.grading.regrades import read_regrades
from coursekit.intake.placing import EARLIER
from coursekit.intake.submissions import graded

# Repairs that guess: a person should see whether the guess was right.
DOUBTFUL = {
    Repair.ACCENTS_REMOVED,
    Repair.ANOTHER_WEEK,
    Repair.ANSWER_FOUND_ELSEWHERE,
    Repair.CHARACTERS_RESTORED,
    Repair.CONCATENATED,
    Repair.CONFLICT_RESOLVED,
    Repair.ENCODING_RESTORED,
    Repair.READ_FROM_SCRIPT,
    Repair.REST_DROPPED,
    Repair.SALVAGED,
}
TO_MARK = "to mark"
HEX = 6  # digits of a pseudonym


@dataclass(frozen=True)
class Reason:
    """Why a person should look at a submission. `rank` orders them: the least first."""

    rank: int
    what: str
    detail: str = ""


@dataclass(frozen=True)
class Student:
    """One student of a week. Without a result, nothing was handed in, or the result cannot be read."""

    id: str
    name: str  # what the pages call them
    result: Result | None = None
    marks: Marks | None = None
    diagnoses: dict[str, Diagnosis] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)  # {question: what they wrote}
    regraded: tuple[str, ...] = ()  # when and why it was graded again, in sentences
    earlier: tuple[str, ...] = ()  # files that were handed in before
    damaged: bool = False  # there is a result.json that is none

    @property
    def score(self) -> float | None:
        """All points so far; None where nothing was handed in."""
        if self.marks is not None:
            return self.marks.total
        return self.result.score if self.result is not None else None

    def of_question(self, question: str) -> float | None:
        """Points; None where a person has to give them, or nothing was handed in."""
        if self.marks is not None:
            return self.marks.questions.get(question)
        if self.result is not None:
            return next((item.score for item in self.result.questions if item.id == question), None)
        return None


@dataclass(frozen=True)
class Gathered:
    """A week, with all its students, sorted by what the pages call them."""

    week: Week
    master: Master
    students: list[Student]
    roster: Roster
    unknown: str  # why no probable causes are known; "" where they are

    @property
    def handed_in(self) -> list[Student]:
        return [student for student in self.students if student.result is not None]


def gather(
    course: Course,
    week: Week,
    named: bool,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Gathered:
    """Collect it.

    Args:
        named: call students by their ids; else by pseudonyms.
        progress: told how much of the bank has been graded, where that has to be done.

    Raises:
        CourseError: nothing of this week was graded yet, or the results, the gradebook or the roster cannot be read.
    """
    known = graded(course, week)
    if not known:
        raise CourseError(
            f"autograded/ holds no result of {week.name}. Run `course grade {week.name}` first."
        )
    master, roster = course.master(week), the_roster(course)
    results = {name: Result.read(course.autograded(name, week) / "result.json") for name in known}
    if not any(results.values()):
        raise CourseError(
            f"No result of {week.name} can be read: they are damaged, or from another version of this tool. "
            f"Run `course grade {week.name}` again."
        )
    rows = {row.student: row for row in marks(course, week)}
    mistakes, unknown = [], ""
    if any(test.outcome != PASSED for result in results.values() if result for test in result.tests):
        try:
            mistakes = known_mistakes(course, week, progress=progress)
        except CourseError as error:
            unknown = str(error)
    names = aliases([*known, *roster.ids], the_salt(course)) if not named else {}
    students = []
    for name in dict.fromkeys((*known, *roster.ids)):
        result = results.get(name)
        students.append(
            Student(
                id=name,
                name=names.get(name, name),
                result=result,
                marks=rows.get(name) if result is not None else None,
                diagnoses=diagnose(result, mistakes) if result is not None else {},
                answers=_answers(course.autograded(name, week) / f"{week.notebook}.ipynb", master)
                if result is not None
                else {},
                regraded=_regraded(course, week, name, result, rows.get(name)),
                earlier=_earlier(course, week, name),
                damaged=name in results and result is None,
            )
        )
    students.sort(key=lambda student: student.name)
    return Gathered(week, master, students, roster, unknown)


def the_salt(course: Course) -> str:
    """What makes this course's pseudonyms its own: made once, by chance, and kept beside the results.

    Without it, whoever has a list of the class could work out whose a pseudonym is.
    """
    path = course.results / ".pseudonyms"
    with suppress(OSError):
        if salt := path.read_text(encoding="utf-8").strip():
            return salt
    salt = secrets.token_hex(16)
    try:
        write_atomically(path, salt.encode())
    except OSError as error:
        raise CourseError(f"{path} cannot be written ({error.strerror}).") from error
    return salt


def aliases(students: Iterable[str], salt: str) -> dict[str, str]:
    """{student: a pseudonym}, the same in each week.

    >>> aliases(["ann", "bo"], "salt")
    {'ann': 's-ef6ca4', 'bo': 's-28befe'}
    """
    digits = HEX
    while True:
        made = {
            student: f"s-{hashlib.sha256(f'{salt} {student}'.encode('utf-8', 'replace')).hexdigest()[:digits]}"
            for student in students
        }
        if len(set(made.values())) == len(made):
            return made
        digits += 1


def reasons(student: Student, roster: Roster) -> list[Reason]:
    """Why a person should look at this student's submission, the most urgent first."""
    result = student.result
    if student.damaged:
        return [Reason(0, "result damaged", "Run `course grade` again: it makes a new one.")]
    if result is None:
        return [Reason(7, "missing", "In the roster, but nothing was handed in.")]
    found = []
    if result.faulty:
        found.append(Reason(0, "grader failed", "It is graded again in the next run."))
    if result.status == UNREADABLE:
        found.append(Reason(1, "unreadable", _first(result.flags, UNREADABLE)))
    elif result.status == STOPPED:
        found.append(Reason(2, "stopped", "A test met a limit of time or memory, or ended Python."))
    if student.marks is None or student.marks.flagged:
        found += [
            Reason(4, "flagged", f"{kind_in_words(note)}: {sentence(note)}")
            for note in result.flags
            if note.kind != UNREADABLE
        ]
    found += [
        Reason(5, "doubtful repair", f"{kind_in_words(note)} {note.cell}: {sentence(note)}")
        for note in result.repairs
        if note.kind in DOUBTFUL
    ]
    waiting = [question.title for question in result.questions if student.of_question(question.id) is None]
    if waiting:
        found.append(Reason(6, TO_MARK, "; ".join(waiting)))
    if roster.ids and student.id not in roster.ids:
        found.append(Reason(7, "not in the roster", "No student of roster.csv has this id."))
    return sorted(found, key=lambda reason: reason.rank)


def _first(notes: list[Note], kind: str) -> str:
    return next((sentence(note) for note in notes if note.kind == kind), "")


def _answers(path: Path, master: Master) -> dict[str, str]:
    """What the student wrote for each question, from the graded notebook, which the grader itself has written."""
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        found = {cell["metadata"].get("nbgrader", {}).get("grade_id"): cell["source"] for cell in cells}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
    wanted = {cell.grade_id for cell in master.cells if cell.role in (SOLUTION_CELL, WRITTEN)}
    return {name: text for name, text in found.items() if name in wanted and isinstance(text, str)}


def _regraded(
    course: Course, week: Week, student: str, result: Result | None, row: Marks | None
) -> tuple[str, ...]:
    if result is None:
        return ()
    regrades = read_regrades(course.autograded(student, week), result)
    return tuple(sentences(regrades, result, row.by_people if row else {}))


def _earlier(course: Course, week: Week, student: str) -> tuple[str, ...]:
    folder = course.root / "submitted" / student / EARLIER / week.name
    return tuple(sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()))
