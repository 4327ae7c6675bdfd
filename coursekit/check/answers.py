"""The tests' tests: the stub, the reference, blanks and the whole bank of answers through the real engine."""

import os
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from coursekit.bank import Answer, read_bank
from coursekit.check import gates
from coursekit.check.blanks import ERRORS, KINDS, make_blanks, problems_of_blanks
from coursekit.check.report import Report
from coursekit.course import Course, Week
from coursekit.grade import grade, late_imports
from coursekit.kernels.client import Servers
from coursekit.master import Master, fill
from coursekit.result import GRADED, PASSED, Result

MIN_RIGHT, MIN_WRONG = 4, 8
MAX_CORE_SECONDS = 5
HASH_SEEDS = range(4)


def check_answers(
    course: Course,
    week: Week,
    master: Master,
    report: Report,
    workers: int | None,
    unsafe: bool,
    progress: Callable[[int, int], None],
) -> None:
    """Grade them all and add to the report what holds and what does not.

    Questions are independent of one another, so one notebook carries an answer of the bank to each question: as
    many notebooks are graded as the question with the most answers has. That they are independent is shown by
    one more notebook a question, which answers it alone.
    """
    there = course.answers(week).is_dir()
    bank = read_bank(course, week) if there else []
    reference = master.solutions
    by_question: dict[str, list[Answer]] = defaultdict(list)
    for answer in bank:
        by_question[answer.question].append(answer)

    mixed = []
    for number in range(max(map(len, by_question.values()), default=0)):
        mixed.append({name: found[number] for name, found in by_question.items() if number < len(found)})
    handed_in = [fill(master, {})]
    handed_in += [fill(master, {name: source}) for name, source in reference.items()]
    blanks = make_blanks(reference)
    handed_in += [fill(master, blank.sources) for blank in blanks]
    handed_in += [
        fill(master, reference | {name: answer.source for name, answer in chosen.items()}) for chosen in mixed
    ]
    tried = gates.trials(master)
    handed_in += [trial.notebook for trial in tried]

    results: list[Result] = []
    total = len(HASH_SEEDS) + len(handed_in)
    references = []
    used = 0.0
    for seed in HASH_SEEDS:
        with (
            Servers(unsafe, late_imports(master), seed) as servers,
            ThreadPoolExecutor(workers or os.cpu_count()) as pool,
        ):
            # One after the other: nothing else may run while core-seconds are counted.
            references.append(grade(master, fill(master, reference), course.limits, servers).result)
            progress(len(references), total)
            if seed == HASH_SEEDS[0]:
                used = servers.cpu_seconds
                for graded in pool.map(lambda data: grade(master, data, course.limits, servers), handed_in):
                    results.append(graded.result)
                    progress(len(references) + len(results), total)

    queue = iter(results)
    report.add("the untouched notebook gets 0 points", _empty(next(queue)))
    report.add(
        "each question alone gets its full marks",
        [problem for name in reference for problem in _alone(name, next(queue))],
    )
    report.add(
        f"no test is passed by an answer that answers nothing ({len(KINDS | ERRORS)} kinds)",
        problems_of_blanks(blanks, [next(queue) for _ in blanks]),
    )
    report.add(
        f"right answers get full marks ({sum(answer.right for answer in bank)}), wrong ones fail exactly the tests "
        f"that they name ({sum(not answer.right for answer in bank)})",
        [
            p
            for chosen in mixed
            for result in [next(queue)]
            for a in chosen.values()
            for p in compare(a, result)
        ],
    )
    found = gates.shares(tried, list(queue))
    report.add(
        f"probes answered by a forger give at most {gates.MOST[gates.FORGER]:.0%} of any question",
        gates.problems(found, gates.FORGER),
    )
    report.add(
        f"the page gives nothing away: none of its {len(tried) - 1} pieces of code, handed in as an answer, gets more "
        f"than {gates.MOST[gates.PASTE]:.0%} of any question",
        gates.problems(found, gates.PASTE),
    )
    full = references[0]
    report.add(f"the reference gets {full.score:g} of {full.max_score:g}", _full(full))
    report.add(
        f"the reference's result is the same under PYTHONHASHSEED {HASH_SEEDS[0]} to {HASH_SEEDS[-1]}",
        [
            f"under PYTHONHASHSEED={seed} the reference's result is another one"
            for seed, result in zip(HASH_SEEDS, references, strict=True)
            if replace(result, seconds=0) != replace(full, seconds=0)
        ],
    )
    report.add(
        f"grading the reference takes at most {MAX_CORE_SECONDS} core-seconds",
        [f"grading the reference takes {used:.1f} core-seconds; at most {MAX_CORE_SECONDS} are allowed"]
        if used > MAX_CORE_SECONDS
        else [],
    )
    missing = (
        f"there is no folder answers/{week.name}: nothing shows that the tests tell right answers from wrong ones. Put "
        "some of each into right/ and wrong/ there; coursekit/bank.py shows the format"
    )
    report.add("the bank is complete", _problems_of_bank(master, by_question) if there else [missing])
    report.counts |= {
        "right": sum(answer.right for answer in bank),
        "wrong": sum(not answer.right for answer in bank),
        "core-seconds": used,
    }


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


def _empty(result: Result) -> list[str]:
    if result.score == 0 and result.status == GRADED:
        return []
    return [f"the untouched notebook gets {result.score:g} points, {result.status}"]


def _full(result: Result) -> list[str]:
    if result.score == result.max_score and result.status == GRADED:
        return []
    lost = ", ".join(f"{test.id} ({test.message[:200]})" for test in result.tests if test.outcome != PASSED)
    return [f"the reference gets {result.score:g} of {result.max_score:g}, {result.status}: {lost}"]


def _alone(question: str, result: Result) -> list[str]:
    """What a notebook loses in the only question that it answers, and what it gets in others."""
    return [
        f"answered alone, question {question} fails {test.id}: {test.message[:300]}"
        for test in result.tests
        if test.question == question and test.outcome != PASSED
    ]


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
