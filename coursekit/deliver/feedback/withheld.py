"""What a student does not read before the due time: what hidden tests found, and what cells printed while grading.

Students who may hand in again could otherwise ask the hidden tests, or have their code print what it was asked.
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from datetime import datetime

from nbformat import NotebookNode

from coursekit.course.config import ALL, COUNT, Course, Shown, Week
from coursekit.course.late import due_time
from coursekit.course.roster import Roster
from coursekit.engine.shared.reasons import TestReason
from coursekit.engine.shared.result import FAILED, PASSED, QuestionResult, Result, TestResult

IN_NOTEBOOK = "Run this test in your notebook: it says there what it found."


def policy_now(course: Course, week: Week, roster: Roster, student: str, now: datetime) -> Shown:
    """Return what this student may read of hidden tests at this moment, which has a zone."""
    due = due_time(course, week, roster, student)
    return course.hidden_tests.before_due if due and now <= due else ALL


def withhold(result: Result, policy: Shown) -> Result:
    """Return the result without what the policy withholds.

    Under COUNT, the hidden tests of a question have neither name nor message, and the passed ones come first. Under
    NOTHING there are none, and points are those of the visible tests.
    """
    if policy == ALL:
        return result
    result = replace(result, tests=list(_silenced(result.tests)))
    hidden = {test.id for test in result.tests if test.hidden}
    stops = [note for note in result.stops if note.cell not in hidden]
    if policy == COUNT:
        tests = [test for question in result.questions for test in _anonymous(result, question.id)]
        return replace(result, tests=tests, stops=stops)
    tests = [test for test in result.tests if not test.hidden]
    return replace(
        result,
        tests=tests,
        stops=stops,
        questions=[_of_visible(question, tests) for question in result.questions],
        score=sum((test.score for test in tests), 0.0),
        max_score=sum((test.points for test in tests), 0.0),
    )


def without_outputs(notebook: NotebookNode) -> NotebookNode:
    """Return the graded notebook without what its cells printed, in which they can have kept what they were asked."""
    silent = deepcopy(notebook)
    for cell in silent.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    return silent


def _silenced(tests: list[TestResult]) -> Iterator[TestResult]:
    """Yield the tests, without what visible ones found that ran after a hidden one.

    An answer that has kept what it was asked could say it there, in an error or a value. The student can run a visible
    test in their notebook.
    """
    asked = False
    for test in tests:
        asked |= test.hidden
        if test.hidden or not asked or test.outcome == PASSED or test.reason == TestReason.NOT_ANSWERED:
            yield test
        else:
            yield replace(test, message=IN_NOTEBOOK, comparison=None)


def _anonymous(result: Result, question: str) -> Iterator[TestResult]:
    """Yield the tests of a question, the visible ones first, the others without what they found."""
    tests = [test for test in result.tests if test.question == question]
    yield from (test for test in tests if not test.hidden)
    hidden = sorted((test for test in tests if test.hidden), key=lambda test: test.outcome != PASSED)
    for number, test in enumerate(hidden, 1):
        yield TestResult(
            id=f"{question}-hidden-{number}",
            question=question,
            points=test.points,
            score=test.score,
            outcome=PASSED if test.outcome == PASSED else FAILED,
            message="",
            hidden=True,
            name=f"hidden test, {number} of {len(hidden)}",
            reason=TestReason.NOT_ANSWERED if test.reason == TestReason.NOT_ANSWERED else None,
        )


def _of_visible(question: QuestionResult, tests: list[TestResult]) -> QuestionResult:
    own = [test for test in tests if test.question == question.id]
    if question.score is None or not own:  # a person grades it
        return question
    score = sum((test.score for test in own), 0.0)
    return replace(question, score=score, max_score=sum((test.points for test in own), 0.0))
