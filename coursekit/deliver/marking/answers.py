"""The answers to one question, in the order in which they are marked."""

from collections.abc import Callable
from dataclasses import dataclass

from coursekit.deliver.marking.store import AnswerState, MarkSheet
from coursekit.deliver.review.groups import groups
from coursekit.deliver.review.week_data import Student, WeekData
from coursekit.engine.shared.master import Question
from coursekit.engine.shared.result import PASSED


@dataclass(frozen=True)
class Card:
    """One student's answer."""

    key: str  # what addresses and forms call it
    student: Student
    text: str
    state: AnswerState
    passed: str  # how many tests were passed, in words; "" for a written question


@dataclass(frozen=True)
class AnswerGroup:
    """Answers that are marked together."""

    title: str
    answers: list[Card]
    same_failure: bool = False  # so that one comment may serve all


def grouped_answers(
    week: WeekData, question: Question, sheet: MarkSheet, key_of: Callable[[str], str]
) -> list[AnswerGroup]:
    """All answers to a question that can be marked: of students with a result that the gradebook has.

    Those to a written question are sorted by the name that the page gives them, those who wrote nothing at the end.
    Those to a question with tests are sorted by what went wrong, the most frequent first.
    """
    cards = {}
    for student, state in _markable(week, sheet):
        answer = student.answers.get(question.id, "")
        cards[student.id] = Card(key_of(student.id), student, answer, state, _passed(student, question))
    if question.written:
        # To an answer with nothing to read, the grader has given 0 points by itself.
        found = [
            AnswerGroup(
                title, [card for card in cards.values() if _is_scored(card.student, question) is empty]
            )
            for title, empty in (("Answers", False), ("Nothing was written", True))
        ]
    else:
        found = []
        for group in groups(week):
            if group.question == question.id:
                some = [cards.pop(student.id) for student in group.students if student.id in cards]
                found.append(AnswerGroup(group.what, some, same_failure=len(some) > 1))
        found.append(AnswerGroup("All tests passed", list(cards.values())))
    return [group for group in found if group.answers]


def progress(week: WeekData, question: Question, sheet: MarkSheet) -> tuple[int, int]:
    """(marked, all) of a written question; of one with tests (commented, all)."""
    states = [state for _, state in _markable(week, sheet)]
    if question.written:
        return sum(not state.waits for state in states), len(states)
    return sum(bool(state.mark.items or state.mark.comment) for state in states), len(states)


def _markable(week: WeekData, sheet: MarkSheet) -> list[tuple[Student, AnswerState]]:
    return [(student, sheet.answers[student.id]) for student in week.handed_in if student.id in sheet.answers]


def _is_scored(student: Student, question: Question) -> bool:
    questions = student.result.questions if student.result is not None else ()
    return any(item.id == question.id and item.score is not None for item in questions)


def _passed(student: Student, question: Question) -> str:
    if student.result is None or not question.tests:
        return ""
    outcomes = [test.outcome for test in student.result.tests if test.question == question.id]
    return f"{outcomes.count(PASSED)} of {len(outcomes)} tests passed"
