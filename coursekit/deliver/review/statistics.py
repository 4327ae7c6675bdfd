"""How a week's questions and tests worked: the class's points, and which questions tell strong from weak students."""

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from statistics import StatisticsError, correlation, mean, median

from coursekit.deliver.review.week_data import WeekData
from coursekit.engine.shared.reasons import TestReason
from coursekit.engine.shared.result import PASSED, TestResult

MIN_STUDENTS = 8  # for fewer, a correlation says nothing


@dataclass(frozen=True)
class QuestionFacts:
    """How a question worked. Shares are of the answers that have a mark."""

    title: str
    marked: int  # answers that have a mark
    full: float | None = None  # share with full marks
    mean: float | None = None  # share of the points
    item_rest: float | None = None  # correlation with the points of all other questions
    # mean share of the best third of students, by all other questions, less the worst third's
    discrimination: float | None = None


@dataclass(frozen=True)
class TestFacts:
    """How often a test was passed, and its most frequent message where an answer failed it."""

    __test__ = False  # not a class for pytest to collect

    test: TestResult  # the first student's
    question: str  # its title
    passed: int  # students who passed it
    of: int  # students who have a result for it
    message: str
    times: int  # how often that message was seen


@dataclass(frozen=True)
class Scores:
    """A class's scores, with the number of students whose points are in each tenth, from 0 to all points."""

    tenths: tuple[int, ...]
    mean: float
    median: float
    max_score: float


def score_distribution(week: WeekData) -> Scores:
    """Return the distribution of the scores of all who handed in."""
    maximum = week.master.total_points
    scores = [student.score or 0.0 for student in week.handed_in]
    tenths = Counter(min(9, max(0, int(10 * score / maximum))) for score in scores) if maximum else Counter()
    return Scores(tuple(tenths[number] for number in range(10)), mean(scores), median(scores), maximum)


def question_facts(week: WeekData) -> list[QuestionFacts]:
    """Return the facts of each question, in the notebook's order."""
    facts = []
    for question in week.master.questions:
        points, others = [], []  # of this question, and of all others
        for student in week.handed_in:
            score = student.question_score(question.id)
            if score is not None and student.result is not None:
                scores = [student.question_score(item.id) or 0.0 for item in student.result.questions]
                points.append(score)
                others.append(sum(scores) - score)
        maximum, marked = question.max_score, len(points)
        if not marked or not maximum:
            facts.append(QuestionFacts(question.title, marked))
            continue
        item_rest = discrimination = None
        if marked >= MIN_STUDENTS:
            with suppress(StatisticsError):  # everybody has the same points
                item_rest = correlation(points, others)
            by_rest = [points[index] for index in sorted(range(marked), key=others.__getitem__)]
            third = marked // 3
            discrimination = (mean(by_rest[-third:]) - mean(by_rest[:third])) / maximum
        facts.append(
            QuestionFacts(
                title=question.title,
                marked=marked,
                full=sum(score >= maximum for score in points) / marked,
                mean=mean(points) / maximum,
                item_rest=item_rest,
                discrimination=discrimination,
            )
        )
    return facts


def test_facts(week: WeekData) -> list[TestFacts]:
    """Return the facts of each test, the least often passed first."""
    titles = {question.id: question.title for question in week.master.questions}
    by_test: dict[str, list[TestResult]] = {}
    for student in week.handed_in:
        for test in student.result.tests if student.result is not None else ():
            by_test.setdefault(test.id, []).append(test)
    facts = []
    for tests in by_test.values():
        lost = [test for test in tests if test.outcome != PASSED]
        answered = (test.message for test in lost if test.reason != TestReason.NOT_ANSWERED)
        frequent = Counter(message.partition("\n")[0] for message in answered).most_common(1)
        message, times = frequent[0] if frequent else ("", 0)
        facts.append(
            TestFacts(
                test=tests[0],
                question=titles.get(tests[0].question, ""),
                passed=len(tests) - len(lost),
                of=len(tests),
                message=message,
                times=times,
            )
        )
    return sorted(facts, key=lambda fact: fact.passed / fact.of)
