"""Tests of the tests: the engine grades stubs, reference, the bank's answers, and notebooks that must not earn points.

The last, the trials of `gates`, answer without solving anything: by forged values, or by what the release itself holds.
"""

import json
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

from coursekit.authoring.checks import gates
from coursekit.course.bank import FORMAT, Answer, fewest_notebooks, read_bank
from coursekit.course.config import Course, Week
from coursekit.engine.coordinator.grade import grade, warm_modules
from coursekit.engine.coordinator.outcome import Graded
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.limits import SLOWEST, Calibration, Limits
from coursekit.engine.shared.master import TEST, Master, fill, read_master
from coursekit.engine.shared.result import GRADED, PASSED, Result
from coursekit.grading.faults import faults_of, filled

MAX_CORE_SECONDS = 5
HASH_SEEDS = range(4)
MAX_SHARE = 0.2  # of a limit that a right answer may use: even a slow one then passes on a slow machine
REPETITIONS = 3  # of a notebook that seems to use too much

Facts = dict[str, list[str]]  # {a fact that should hold: its problems, as sentences}
# The answers of the bank that one notebook carries, {question: answer}, and the graded notebook.
Carried = tuple[dict[str, Answer], Graded]


def grade_all(
    course: Course,
    master: Master,
    servers: Servers,
    notebooks: list[bytes],
    workers: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Graded]:
    """Grade notebooks side by side; return the graded ones in order, without the rebuilt notebooks."""
    finished: list[Graded] = []
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        for graded in pool.map(lambda data: grade(master, data, course.limits, servers), notebooks):
            finished.append(replace(graded, notebook=b""))
            progress(len(finished), len(notebooks))
    return finished


def check_reference(course: Course, master: Master, servers: Servers) -> tuple[Result, float, Facts]:
    """Grade the reference; return its result, the core-seconds that this has used, and the facts about both.

    The servers must be new. Nothing else may run then, since a busy core makes each second of work a little longer.
    """
    graded = grade(master, filled(master), course.limits, servers)
    full, used = graded.result, servers.cpu_seconds
    faults = []
    if full.score < full.max_score or full.status != GRADED:
        faults = faults_of(master, graded, course.limits) or [f"its status is {full.status}"]
    slow = f"grading the reference takes {used:.1f} core-seconds; at most {MAX_CORE_SECONDS} are allowed"
    score = f"the reference gets {full.score:g} of {full.max_score:g}"
    facts = {
        score: [f"{score}. {fault}" for fault in faults],
        f"grading the reference takes at most {MAX_CORE_SECONDS} core-seconds": (
            [slow] if used > MAX_CORE_SECONDS else []
        ),
    }
    return full, used, facts


def check_hash_seeds(course: Course, master: Master, full: Result, unsafe: bool) -> Facts:
    """Grade the reference under each other hash seed, in new servers; return the fact that its result is `full`."""
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
) -> tuple[Facts, dict[str, float], list[Carried]]:
    """Grade stubs, solutions, bank and trials; return the facts, the bank's counts, and the bank's graded notebooks.

    A notebook carries at most one answer of the bank to each question (`bank.fewest_notebooks`). One more notebook per
    question answers only this question, to show that questions are independent.

    Args:
        only: a question's id: grade only answers to it, without the trials; `master` is then one from `of_question`.
    """
    has_bank = course.answers(week).is_dir()
    bank = read_bank(course, week, only) if has_bank else []
    right = sum(answer.right for answer in bank)
    counts: dict[str, float] = {"right": right, "wrong": len(bank) - right}
    untouched_fact = "the untouched notebook gets 0 points"
    alone_fact = (
        f"question {only} alone gets its full marks" if only else "each question alone gets its full marks"
    )
    bank_fact = (
        f"right answers get full marks ({counts['right']}), wrong ones fail exactly the tests that they name "
        f"({counts['wrong']})"
    )
    combinations = fewest_notebooks(bank)
    # (fact, a notebook that shows it, function from its result to the problems)
    notebooks_with_facts: list[tuple[str, bytes, Callable[[Result], list[str]]]] = [
        (untouched_fact, fill(master, {}), _problems_untouched),
        *(
            (alone_fact, fill(master, {name: source}), partial(_problems_alone, name))
            for name, source in master.solutions.items()
            if only in ("", name)
        ),
        *((bank_fact, carrying(master, chosen), partial(compare_all, chosen)) for chosen in combinations),
    ]
    trials = [] if only else gates.trials(master)
    notebooks = [notebook for _, notebook, _ in notebooks_with_facts] + [trial.notebook for trial in trials]
    graded = grade_all(course, master, servers, notebooks, workers, progress)
    facts: Facts = {untouched_fact: [], alone_fact: [], bank_fact: []}
    for (fact, _, judge), one in zip(notebooks_with_facts, graded, strict=False):
        facts[fact] += judge(one.result)
    if not only:
        facts |= gates.facts(trials, [one.result for one in graded[len(notebooks_with_facts) :]])
    facts["the bank is complete"] = _problems_of_bank(master, bank, only)
    if not has_bank:
        facts["the bank is complete"] = [
            f"there is no folder answers/{week.name}: nothing shows that the tests tell right answers from wrong ones. "
            f"Put some of each into right/ and wrong/ there; {FORMAT}"
        ]
    of_bank = graded[len(notebooks_with_facts) - len(combinations) : len(notebooks_with_facts)]
    return facts, counts, [*zip(combinations, of_bank, strict=True)]


def check_limits(course: Course, master: Master, graded: list[Carried], unsafe: bool) -> Facts:
    """Return the fact that the bank's right answers stay far below the limits, with its problems.

    A notebook that seems to use too much is graded again, each time in new servers, which measure the machine's speed
    again. Nothing else should run then.

    Args:
        graded: the third of the values that `check_answers` returns.
    """

    def again(chosen: dict[str, Answer]) -> Graded:
        with Servers(unsafe, warm_modules(master, course.limits)) as servers:
            return grade(master, carrying(master, chosen), course.limits, servers)

    fact = f"right answers take at most {MAX_SHARE:.0%} of each limit"
    return {fact: check_used(master, course.limits, graded, again)}


def check_used(
    master: Master,
    limits: Limits,
    graded: Iterable[tuple[dict[str, Answer], Graded]],
    again: Callable[[dict[str, Answer]], Graded],
) -> list[str]:
    """Return a sentence for each limit of which a right answer, or a notebook of right ones, takes over MAX_SHARE.

    Args:
        graded: {question: answer} of each notebook, and the graded notebook.
        again: grades such a notebook once more. This is done up to REPETITIONS times, until it has no problem: a
            processor that others use as well does less work in each second.
    """
    problems = []
    for chosen, first in graded:
        problems_now = _above_share(master, limits, chosen, first)
        for _ in range(REPETITIONS):
            if problems_now:
                problems_now = _above_share(master, limits, chosen, again(chosen))
        problems += problems_now
    return problems


def _above_share(master: Master, limits: Limits, chosen: dict[str, Answer], graded: Graded) -> list[str]:
    """Return a sentence for each limit of which the right answers of one notebook use too much."""
    used = graded.used
    scale = _speed(graded.result.calibration)
    uses: list[tuple[str, str, float]] = []  # (answer or notebook, the limit's name, amount)
    for question in master.questions:
        answer = chosen.get(question.id)
        if answer is not None and answer.right:
            tests = [scale * used.test_seconds.get(test, 0.0) for test in question.tests]
            uses += [
                (answer.name, "cell_seconds", scale * used.cell_seconds.get(question.id, 0.0)),
                (answer.name, "test_seconds", max(tests, default=0.0)),
                (answer.name, "question_seconds", sum(tests)),
            ]
    if all(answer.right for answer in chosen.values()):
        notebook = f"a notebook with {', '.join(answer.path.stem for answer in chosen.values())}"
        uses += [
            (notebook, "all_cells_seconds", scale * used.all_cells_seconds),
            (notebook, "memory_mb", used.memory_mb),
            (notebook, "output_kb", used.output_kb),
        ]
    return [
        f"{name} uses {amount:.2g} of {limit} = {most:g}; at most {MAX_SHARE * most:.2g} is safe on every machine. "
        "Make the limit larger in course.toml, or what is asked smaller."
        for name, limit, amount in uses
        if amount > MAX_SHARE * (most := getattr(limits, limit))
    ]


def _speed(calibration: Calibration) -> float:
    """Return how many times as fast as a normal machine this one is, at what it does slowest.

    A slower machine extends its limits in the same proportion, up to SLOWEST.
    """
    return 1 / min(max(calibration.slowest, 0.01), SLOWEST)


def carrying(master: Master, chosen: dict[str, Answer]) -> bytes:
    """Return the notebook with these answers, and the reference's to other questions."""
    return fill(master, master.solutions | {name: answer.source for name, answer in chosen.items()})


def of_question(master: Master, question: str) -> Master:
    """Return the master up to this question's last test, without the tests of other questions.

    An answer's marks depend on nothing else: its tests see no names from another question, and the cells below run
    after them.
    """
    last = max(cell.index for cell in master.cells if cell.question == question)
    kept = [
        master.notebook.cells[cell.index]
        for cell in master.cells[: last + 1]
        if cell.role != TEST or cell.question == question
    ]
    return read_master(
        json.dumps(dict(master.notebook, cells=kept)).encode(), master.week, master.name, master.data_files
    )


def compare(answer: Answer, result: Result) -> list[str]:
    """Return a sentence for each test whose outcome is not what the bank says of this answer."""
    failed = {
        test.id: test.message
        for test in result.tests
        if test.question == answer.question and test.outcome != PASSED
    }
    expected = set(answer.fails)
    where = "" if answer.right else ", which its line `Fails:` does not name"
    return [
        *(
            f"{answer.name} fails {name}{where}: {failed[name][:300]}"
            for name in sorted(failed.keys() - expected)
        ),
        *(f"{answer.name} passes {name}, which it should fail" for name in sorted(expected - failed.keys())),
    ]


def compare_all(chosen: dict[str, Answer], result: Result) -> list[str]:
    return [problem for answer in chosen.values() for problem in compare(answer, result)]


def _problems_untouched(result: Result) -> list[str]:
    if result.score == 0 and result.status == GRADED:
        return []
    return [f"the untouched notebook gets {result.score:g} points, {result.status}"]


def _problems_alone(question: str, result: Result) -> list[str]:
    """Return a sentence for each test of this question that is not passed by a notebook that answers only this one."""
    return [
        f"answered alone, question {question} fails {test.id}: {test.message[:300]}"
        for test in result.tests
        if test.question == question and test.outcome != PASSED
    ]


def _problems_of_bank(master: Master, bank: list[Answer], only: str) -> list[str]:
    problems = []
    for question in master.questions:
        if question.written or only not in ("", question.id):
            continue
        answers = [answer for answer in bank if answer.question == question.id]
        sides = {answer.right for answer in answers}
        if sides != {True, False}:
            side = "wrong" if True in sides else "right"
            problems.append(f"question {question.id} has no {side} answer in the bank")
        caught = {name for answer in answers for name in answer.fails}
        problems += [
            f"no wrong answer of the bank names {test} in its line `Fails:`: one has to show that it can fail"
            for test in question.tests
            if test not in caught
        ]
    return problems
