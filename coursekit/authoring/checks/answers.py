"""The tests' tests: the stub, the reference, blanks and the whole bank of answers through the real engine."""

import json
import os
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from coursekit.authoring.checks import gates
from coursekit.authoring.checks.blanks import ERRORS, KINDS, Blank, make_blanks, problems_of_blanks
from coursekit.authoring.checks.limits import SHARE, check_used
from coursekit.course.bank import FORMAT, Answer, read_bank, together
from coursekit.course.config import Course, Week
from coursekit.engine.coordinator.grade import grade, warm_modules
from coursekit.engine.coordinator.outcome import Graded
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.master import TEST, Master, fill, read_master
from coursekit.engine.shared.result import GRADED, PASSED, Result
from coursekit.grading.faults import faults_of, filled

MAX_CORE_SECONDS = 5
HASH_SEEDS = range(4)

# The answers of the bank that one notebook carries, {question: answer}, and what came of it.
Carried = tuple[dict[str, Answer], Graded]


def check_reference(
    course: Course, master: Master, servers: Servers
) -> tuple[Result, float, dict[str, list[str]]]:
    """Grade the reference: its result, its core-seconds, and what should hold of them.

    Nothing else may run meanwhile, since a busy core makes each second of work a little longer.
    """
    graded = grade(master, filled(master), course.limits, servers)
    full, used = graded.result, servers.cpu_seconds
    problems = []
    if used > MAX_CORE_SECONDS:
        problems = [
            f"grading the reference takes {used:.1f} core-seconds; at most {MAX_CORE_SECONDS} are allowed"
        ]
    facts = {
        f"the reference gets {full.score:g} of {full.max_score:g}": _full(master, graded, course),
        f"grading the reference takes at most {MAX_CORE_SECONDS} core-seconds": problems,
    }
    return full, used, facts


def check_hash_seeds(course: Course, master: Master, full: Result, unsafe: bool) -> dict[str, list[str]]:
    """Grade the reference under the other hash seeds, each in servers of its own, and compare."""
    problems = []
    for seed in HASH_SEEDS[1:]:
        with Servers(unsafe, warm_modules(master, course.limits), seed) as servers:
            result = grade(master, filled(master), course.limits, servers).result
        if replace(result, seconds=full.seconds, calibration=full.calibration) != full:
            problems.append(f"under PYTHONHASHSEED={seed} the reference's result is different")
    fact = f"the reference's result is the same under PYTHONHASHSEED {HASH_SEEDS[0]} to {HASH_SEEDS[-1]}"
    return {fact: problems}


def check_answers(
    course: Course,
    week: Week,
    master: Master,
    servers: Servers,
    workers: int | None,
    progress: Callable[[int, int], None],
    only: str = "",
) -> tuple[dict[str, list[str]], dict[str, float], list[Carried]]:
    """Grade them all: what should hold, with what is wrong with it, how many answers the bank has, and their notebooks.

    One notebook carries an answer of the bank to each question, see `bank.together`. That questions are independent
    is shown by one more notebook a question, which answers it alone.

    Args:
        only: a question: its answers of the bank alone, without the gates; `master` is what `of_question` gives.
    """
    there = course.answers(week).is_dir()
    bank = read_bank(course, week, only) if there else []
    reference = master.solutions
    by_question: dict[str, list[Answer]] = defaultdict(list)
    for answer in bank:
        by_question[answer.question].append(answer)

    mixed = together(bank)
    handed_in = [fill(master, {})]
    alone = [name for name in reference if only in ("", name)]
    handed_in += [fill(master, {name: reference[name]}) for name in alone]
    blanks = [] if only else make_blanks(reference)
    handed_in += [carrying(master, chosen) for chosen in mixed]
    handed_in += [fill(master, blank.sources) for blank in blanks]
    tried = [] if only else gates.trials(master)
    handed_in += [trial.notebook for trial in tried]

    found: list[Graded] = []
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        for graded in pool.map(lambda data: grade(master, data, course.limits, servers), handed_in):
            found.append(replace(graded, notebook=b""))  # which nobody looks at
            progress(len(found), len(handed_in))

    queue = iter([graded.result for graded in found])
    first = 1 + len(alone)
    of_mixed = [*zip(mixed, found[first : first + len(mixed)], strict=True)]
    facts = {
        "the untouched notebook gets 0 points": _empty(next(queue)),
        f"question {only} alone gets its full marks" if only else "each question alone gets its full marks": [
            problem for name in alone for problem in _alone(name, next(queue))
        ],
        f"right answers get full marks ({sum(answer.right for answer in bank)}), wrong ones fail exactly the tests "
        f"that they name ({sum(not answer.right for answer in bank)})": [
            problem
            for chosen in mixed
            for result in [next(queue)]
            for answer in chosen.values()
            for problem in compare(answer, result)
        ],
    }
    if not only:
        facts |= _of_gates(blanks, [next(queue) for _ in blanks], tried, list(queue))
    missing = (
        f"there is no folder answers/{week.name}: nothing shows that the tests tell right answers from wrong ones. Put "
        f"some of each into right/ and wrong/ there; {FORMAT}"
    )
    facts["the bank is complete"] = _problems_of_bank(master, by_question, only) if there else [missing]
    counts: dict[str, float] = {
        "right": sum(answer.right for answer in bank),
        "wrong": sum(not answer.right for answer in bank),
    }
    return facts, counts, of_mixed


def check_limits(course: Course, master: Master, graded: list[Carried], unsafe: bool) -> dict[str, list[str]]:
    """Whether the bank's right answers stay far below the limits.

    What seems to take too much is graded again, best with nothing beside it, each time in servers of its own: these
    measure anew how fast the machine is.

    Args:
        graded: what `check_answers` gives.
    """

    def again(chosen: dict[str, Answer]) -> Graded:
        with Servers(unsafe, warm_modules(master, course.limits)) as servers:
            return grade(master, carrying(master, chosen), course.limits, servers)

    fact = f"right answers take at most {SHARE:.0%} of each limit"
    return {fact: check_used(master, course.limits, graded, again)}


def carrying(master: Master, chosen: dict[str, Answer]) -> bytes:
    """The notebook with these answers, and the reference's to other questions."""
    return fill(master, master.solutions | {name: answer.source for name, answer in chosen.items()})


def _of_gates(
    blanks: list[Blank], of_blanks: list[Result], tried: list[gates.Trial], of_trials: list[Result]
) -> dict[str, list[str]]:
    """What should hold of notebooks that must not get marks."""
    found = gates.shares(tried, of_trials)
    pieces = {about for trial in tried if trial.gate == gates.PASTE for about in trial.about.values()}
    return {
        f"no test is passed by an answer that answers nothing ({len(KINDS | ERRORS)} kinds)": problems_of_blanks(
            blanks, of_blanks
        ),
        f"probes answered by a forger give at most {gates.MOST[gates.FORGER]:.0%} of any question": gates.problems(
            found, gates.FORGER
        ),
        f"the page gives nothing away: none of its {len(pieces)} pieces of code, handed in as an answer, gets more "
        f"than {gates.MOST[gates.PASTE]:.0%} of any question": gates.problems(found, gates.PASTE),
    }


def of_question(master: Master, question: str) -> Master:
    """The master up to this question's last test, and without the tests of others.

    What an answer to the question gets depends on nothing else: a test sees no names from another question, and what
    comes below has not run yet when the last of them is over.
    """
    last = max(cell.index for cell in master.cells if cell.question == question)
    kept = [
        master.notebook.cells[cell.index]
        for cell in master.cells[: last + 1]
        if cell.role != TEST or cell.question == question
    ]
    return read_master(json.dumps(dict(master.notebook, cells=kept)).encode(), master.week, master.name)


def compare(answer: Answer, result: Result) -> list[str]:
    """How a result differs from what the bank says of this answer."""
    failed = {test.id for test in result.tests if test.question == answer.question and test.outcome != PASSED}
    expected = set(answer.fails)
    problems = []
    for name in sorted(failed - expected):
        message = next(test.message for test in result.tests if test.id == name)
        where = "" if answer.right else ", which its line `Fails:` does not name"
        problems.append(f"{answer.name} fails {name}{where}: {message[:300]}")
    problems += [f"{answer.name} passes {name}, which it should fail" for name in sorted(expected - failed)]
    return problems


def _empty(result: Result) -> list[str]:
    if result.score == 0 and result.status == GRADED:
        return []
    return [f"the untouched notebook gets {result.score:g} points, {result.status}"]


def _full(master: Master, graded: Graded, course: Course) -> list[str]:
    result = graded.result
    if result.score == result.max_score and result.status == GRADED:
        return []
    found = faults_of(master, graded, course.limits) or [f"its status is {result.status}"]
    return [f"the reference gets {result.score:g} of {result.max_score:g}. {fault}" for fault in found]


def _alone(question: str, result: Result) -> list[str]:
    """What a notebook loses in the only question that it answers, and what it gets in others."""
    return [
        f"answered alone, question {question} fails {test.id}: {test.message[:300]}"
        for test in result.tests
        if test.question == question and test.outcome != PASSED
    ]


def _problems_of_bank(master: Master, by_question: dict[str, list[Answer]], only: str) -> list[str]:
    problems = []
    for question in master.questions:
        if question.written or only not in ("", question.id):
            continue
        found = by_question.get(question.id, [])
        right = sum(answer.right for answer in found)
        wrong = len(found) - right
        if not right or not wrong:
            side = "wrong" if right else "right"
            problems.append(f"question {question.id} has no {side} answer in the bank")
        caught = {name for answer in found for name in answer.fails}
        problems += [
            f"no wrong answer of the bank names {test} in its line `Fails:`: one has to show that it can fail"
            for test in question.tests
            if test not in caught
        ]
    return problems
