"""How the questions and tests of a week worked: what a class got, and what tells strong from weak."""

from collections import Counter
from dataclasses import dataclass
from statistics import StatisticsError, correlation, mean, median

from coursekit.deliver.review.gather import Gathered, Student
from coursekit.engine.shared.reasons import TestReason
from coursekit.engine.shared.result import PASSED, TestResult

FEW = 8  # students; of fewer, a correlation says nothing


@dataclass(frozen=True)
class QuestionFacts:
    """How a question worked. Shares are of those whose answer has a mark."""

    id: str
    title: str
    max_score: float
    marked: int  # answers that have a mark
    full: float | None  # share with full marks
    mean: float | None  # share of the points
    rest: float | None  # correlation with the points of all other questions
    gap: float | None  # mean share of the stronger third less that of the weaker third


@dataclass(frozen=True)
class TestFacts:
    """How often a test was passed, and what it mostly said where it was not."""

    __test__ = False  # not a class for pytest to collect

    id: str
    name: str
    question: str
    hidden: bool
    passed: int
    of: int
    message: str
    times: int  # that message


@dataclass(frozen=True)
class Scores:
    """A class's scores: how many are in each tenth of the points, from none to all."""

    tenths: tuple[int, ...]
    mean: float
    median: float
    most: float


def scores(week: Gathered) -> Scores:
    """The distribution over those who handed in."""
    most = week.master.points
    found = [student.score or 0.0 for student in week.handed_in]
    tenths = Counter(min(9, max(0, int(10 * score / most))) for score in found) if most else Counter()
    return Scores(tuple(tenths[number] for number in range(10)), mean(found), median(found), most)


def of_questions(week: Gathered) -> list[QuestionFacts]:
    """One for each question, in the notebook's order."""
    return [
        _facts(question.id, question.title, question.max_score, week.handed_in)
        for question in week.master.questions
    ]


def _facts(question: str, title: str, max_score: float, students: list[Student]) -> QuestionFacts:
    pairs = []  # (points of this question, of all others)
    for student in students:
        points = student.of_question(question)
        if points is not None and student.result is not None:
            others = [student.of_question(item.id) or 0.0 for item in student.result.questions]
            pairs.append((points, sum(others) - points))
    if not pairs or not max_score:
        return QuestionFacts(question, title, max_score, len(pairs), None, None, None, None)
    rest = gap = None
    if len(pairs) >= FEW:
        try:
            rest = correlation([points for points, _ in pairs], [others for _, others in pairs])
        except StatisticsError:  # everybody has the same
            rest = None
        by_rest = [points for points, _ in sorted(pairs, key=lambda pair: pair[1])]
        third = len(by_rest) // 3
        gap = (mean(by_rest[-third:]) - mean(by_rest[:third])) / max_score
    return QuestionFacts(
        question,
        title,
        max_score,
        len(pairs),
        sum(points >= max_score for points, _ in pairs) / len(pairs),
        mean(points for points, _ in pairs) / max_score,
        rest,
        gap,
    )


def of_tests(week: Gathered) -> list[TestFacts]:
    """One for each test, the one that the fewest passed first."""
    titles = {question.id: question.title for question in week.master.questions}
    by_test: dict[str, list[TestResult]] = {}
    for student in week.handed_in:
        for test in student.result.tests if student.result is not None else ():
            by_test.setdefault(test.id, []).append(test)
    facts = []
    for name, some in by_test.items():
        test = some[0]
        lost = [one for one in some if one.outcome != PASSED]
        said = Counter(
            one.message.partition("\n")[0] for one in lost if one.reason != TestReason.NOT_ANSWERED
        )
        message, times = said.most_common(1)[0] if said else ("", 0)
        title, passed = titles.get(test.question, ""), len(some) - len(lost)
        facts.append(
            TestFacts(name, test.name or name, title, test.hidden, passed, len(some), message, times)
        )
    return sorted(facts, key=lambda fact: fact.passed / fact.of)
