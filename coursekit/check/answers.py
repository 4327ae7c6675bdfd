"""The tests' tests: the stub, the reference and the whole bank of answers through the real engine."""

import os
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from coursekit.bank import Answer, read_bank
from coursekit.course import Course, Week
from coursekit.grade import grade
from coursekit.kernels.client import Servers
from coursekit.master import SOLUTION_CELL, Master, fill
from coursekit.result import GRADED, PASSED, Result

MIN_RIGHT, MIN_WRONG = 4, 6


def check_answers(
    course: Course,
    week: Week,
    master: Master,
    workers: int | None,
    unsafe: bool,
    progress: Callable[[int, int], None],
) -> tuple[list[str], list[str]]:
    """Facts and problems.

    Questions are independent of one another, so one notebook carries an answer to each question: as many
    notebooks are graded as the question with the most answers has.
    """
    bank = read_bank(course, week)
    reference = {cell.grade_id: cell.source for cell in master.cells if cell.role == SOLUTION_CELL}
    notebooks: list[tuple[dict[str, Answer], bytes]] = []
    by_question: dict[str, list[Answer]] = defaultdict(list)
    for answer in bank:
        by_question[answer.question].append(answer)
    for number in range(max(map(len, by_question.values()))):
        chosen = {name: found[number] for name, found in by_question.items() if number < len(found)}
        sources = reference | {name: answer.source for name, answer in chosen.items()}
        notebooks.append((chosen, fill(master, sources)))

    with Servers(unsafe) as servers, ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        plain = [fill(master, reference), fill(master, {})]
        submissions = plain + [data for _, data in notebooks]
        results: list[Result] = []
        for graded in pool.map(lambda data: grade(master, data, course.limits, servers), submissions):
            results.append(graded.result)
            progress(len(results), len(submissions))

    full, empty, *rest = results
    problems = _problems_of_bank(master, by_question)
    if full.score != full.max_score or full.status != GRADED:
        lost = ", ".join(f"{test.id} ({test.message[:200]})" for test in full.tests if test.outcome != PASSED)
        problems.append(f"the reference gets {full.score:g} of {full.max_score:g}, {full.status}: {lost}")
    if empty.score != 0 or empty.status != GRADED:
        problems.append(f"the untouched notebook gets {empty.score:g} points, {empty.status}")
    if full.seconds > course.limits.total_seconds:
        problems.append(
            f"grading the reference takes {full.seconds:g} s; the limit is {course.limits.total_seconds:g}"
        )
    for (chosen, _), result in zip(notebooks, rest, strict=True):
        for answer in chosen.values():
            problems += compare(answer, result)
    facts = []
    if not problems:
        right = sum(answer.right for answer in bank)
        facts = [
            f"the reference gets {full.score:g} of {full.max_score:g} in {full.seconds:.1f} s",
            "the untouched notebook gets 0",
            f"{right} right answers get full marks, {len(bank) - right} wrong ones fail exactly the tests they name",
        ]
    return facts, problems


def compare(answer: Answer, result: Result) -> list[str]:
    """How a result differs from what the bank says of this answer."""
    failed = {test.id for test in result.tests if test.question == answer.question and test.outcome != PASSED}
    expected = set(answer.fails)
    problems = []
    for name in sorted(failed - expected):
        message = next(test.message for test in result.tests if test.id == name)
        problems.append(f"{answer.name} fails {name}, which it should pass: {message[:300]}")
    problems += [f"{answer.name} passes {name}, which it should fail" for name in sorted(expected - failed)]
    return problems


def _problems_of_bank(master: Master, by_question: dict[str, list[Answer]]) -> list[str]:
    problems = []
    for question in master.questions:
        if question.written:
            continue
        found = by_question.get(question.id, [])
        right = sum(answer.right for answer in found)
        wrong = len(found) - right
        if right < MIN_RIGHT or wrong < MIN_WRONG:
            problems.append(
                f"question {question.id} has {right} right and {wrong} wrong answers in the bank; "
                f"it needs {MIN_RIGHT} and {MIN_WRONG}"
            )
        caught = {name for answer in found for name in answer.fails}
        problems += [
            f"no wrong answer of the bank fails {test}: nothing shows that it can fail"
            for test in question.tests
            if test not in caught
        ]
    return problems
