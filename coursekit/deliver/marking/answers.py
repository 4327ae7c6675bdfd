"""The answers to one question, in the order in which they are marked."""

from collections.abc import Callable
from dataclasses import dataclass

from coursekit.deliver.marking.store import Sheet, Standing
from coursekit.deliver.review.gather import Gathered, Student
from coursekit.deliver.review.groups import groups
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import Question
from coursekit.engine.shared.result import PASSED


@dataclass(frozen=True)
class Card:
    """One student's answer."""

    key: str  # what addresses and forms call it
    student: Student
    text: str
    standing: Standing


@dataclass(frozen=True)
class Series:
    """Answers that are marked together."""

    title: str
    answers: list[Card]
    alike: bool = False  # they fail in one way, so that one comment may serve all


def find_question(week: Gathered, name: str) -> Question:
    """Raises CourseError where the week has none of that name."""
    for question in week.master.questions:
        if question.id == name:
            return question
    raise CourseError(f"{week.week.name} has no question {name[:80]!r}.")


def in_a_row(week: Gathered, question: Question, sheet: Sheet, key_of: Callable[[str], str]) -> list[Series]:
    """All answers to a question that can be marked: of students with a result that the gradebook has.

    Those to a written question are sorted by the name that the page gives them, those who wrote nothing at the end.
    Those to a question with tests are sorted by what went wrong, the most frequent first.
    """
    answers = {
        student.id: Card(key_of(student.id), student, student.answers.get(question.id, ""), standing)
        for student, standing in _markable(week, sheet)
    }
    if question.written:
        empty = {name for name, answer in answers.items() if _nothing(answer, question)}
        written = [answer for name, answer in answers.items() if name not in empty]
        rest = [answer for name, answer in answers.items() if name in empty]
        return _filled([Series("Answers", written), Series("Nothing was written", rest)])
    found = []
    for group in groups(week):
        if group.question == question.id:
            some = [answers.pop(student.id) for student in group.students if student.id in answers]
            found.append(Series(group.what, some, alike=len(some) > 1))
    return _filled([*found, Series("All tests passed", list(answers.values()))])


def _markable(week: Gathered, sheet: Sheet) -> list[tuple[Student, Standing]]:
    return [
        (student, sheet.standings[student.id])
        for student in week.students
        if student.result is not None and student.id in sheet.standings
    ]


def _nothing(answer: Card, question: Question) -> bool:
    """Whether there is nothing to read, for which the grader has given 0 points by itself."""
    result = answer.student.result
    return result is not None and any(
        item.id == question.id and item.score is not None for item in result.questions
    )


def _filled(series: list[Series]) -> list[Series]:
    return [one for one in series if one.answers]


def passes(student: Student, question: Question) -> str:
    """How many tests of a question were passed, in words; "" for a written one."""
    if student.result is None or not question.tests:
        return ""
    mine = [test for test in student.result.tests if test.question == question.id]
    return f"{sum(test.outcome == PASSED for test in mine)} of {len(mine)} tests passed"


def progress(week: Gathered, question: Question, sheet: Sheet) -> tuple[int, int]:
    """(marked, all) of a written question; of one with tests (commented, all)."""
    standings = [standing for _, standing in _markable(week, sheet)]
    if question.written:
        done = [not standing.waits for standing in standings]
    else:
        done = [bool(standing.given.items or standing.given.comment) for standing in standings]
    return sum(done), len(done)
