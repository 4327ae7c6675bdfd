"""The answers to one question, in the order in which they are marked."""

from collections.abc import Callable
from dataclasses import dataclass

from coursekit.deliver.marking.store import AnswerState, MarkSheet
from coursekit.deliver.review.groups import failure_groups
from coursekit.deliver.review.week_data import DOUBTFUL, Student, WeekData
from coursekit.engine.coordinator.sentences import sentence
from coursekit.engine.shared.master import Question
from coursekit.engine.shared.result import PASSED


@dataclass(frozen=True)
class Card:
    """One student's answer."""

    key: str  # its name in URLs and forms
    student: Student
    text: str
    state: AnswerState
    passed: str  # how many tests were passed, in words; "" for a question without tests
    notes: tuple[str, ...]  # where a written answer was found, and where more of it may be, in sentences


@dataclass(frozen=True)
class AnswerGroup:
    """Answers that are marked together."""

    title: str
    answers: list[Card]
    same_failure: bool = False  # so that one comment may serve all


def grouped_answers(
    week: WeekData, question: Question, sheet: MarkSheet, key_of: Callable[[str], str]
) -> list[AnswerGroup]:
    """Return a question's answers by group, of all students who handed something in and are in the gradebook.

    Answers to a written question are in the order of `week.handed_in`; those where nothing was written come last.
    Answers to a question with tests are grouped by failure, the most frequent first; those that passed come last.
    """
    cards = {}
    for student, state in _markable(week, sheet):
        cards[student.id] = Card(
            key=key_of(student.id),
            student=student,
            text=student.answers.get(question.id, ""),
            state=state,
            passed=_passed_in_words(student, question),
            notes=_notes(student, question),
        )
    if question.written:
        # The grader itself gives 0 points to an answer where nothing was written.
        answer_groups = [
            AnswerGroup(
                title, [card for card in cards.values() if _is_scored(card.student, question) is empty]
            )
            for title, empty in (("Answers", False), ("Nothing was written", True))
        ]
    else:
        answer_groups = []
        for group in failure_groups(week):
            if group.question == question.id:
                members = [cards.pop(student.id) for student in group.students if student.id in cards]
                answer_groups.append(AnswerGroup(group.what, members, same_failure=len(members) > 1))
        answer_groups.append(AnswerGroup("All tests passed", list(cards.values())))
    return [group for group in answer_groups if group.answers]


def progress(week: WeekData, question: Question, sheet: MarkSheet) -> tuple[int, int]:
    """Return the numbers of answers that are marked (with tests: have rubric items or a comment) and of all answers."""
    states = [state for _, state in _markable(week, sheet)]
    if question.written:
        return sum(not state.waits for state in states), len(states)
    return sum(bool(state.mark.items or state.mark.comment) for state in states), len(states)


def _markable(week: WeekData, sheet: MarkSheet) -> list[tuple[Student, AnswerState]]:
    return [(student, sheet.answers[student.id]) for student in week.handed_in if student.id in sheet.answers]


def _is_scored(student: Student, question: Question) -> bool:
    questions = student.result.questions if student.result is not None else ()
    return any(item.id == question.id and item.score is not None for item in questions)


def _passed_in_words(student: Student, question: Question) -> str:
    if student.result is None or not question.tests:
        return ""
    outcomes = [test.outcome for test in student.result.tests if test.question == question.id]
    return f"{outcomes.count(PASSED)} of {len(outcomes)} tests passed"


def _notes(student: Student, question: Question) -> tuple[str, ...]:
    if student.result is None or not question.written:
        return ()
    notes = [note for note in student.result.repairs if note.kind in DOUBTFUL] + student.result.flags
    return tuple(sentence(note) for note in notes if note.cell == question.id)
