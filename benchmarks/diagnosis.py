"""How many known mistakes are recognised, how many other answers are taken for one, and what that costs.

    .venv/bin/python benchmarks/diagnosis.py [WEEK ...]

Each wrong answer of the bank is handed in again, with other answers than those with which it was learnt, and each right
one. Then each is left out of the bank: if it is still recognised, another answer has the same outcome in all tests. It
also counts the failed tests for which a page can show the expected value next to the value that was found.
"""

import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from coursekit.course.bank import Answer, fewest_notebooks, read_bank
from coursekit.course.config import Course, Week, open_course
from coursekit.engine.coordinator.grade import grade, warm_modules
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.master import fill
from coursekit.engine.shared.result import FAILED, Result
from coursekit.grading.diagnosis import diagnose, known_mistakes


@dataclass
class Found:
    """What came of a week's bank."""

    wrong: int = 0
    itself: int = 0  # recognised as itself and nothing else
    like: int = 0  # recognised as itself or one of up to two with the same outcome
    many: int = 0  # more than three have this outcome: reported only to a TA
    silent: list[str] = field(default_factory=list)  # not recognised
    another: list[str] = field(default_factory=list)  # recognised as another, and not as itself
    right: int = 0
    false: list[str] = field(default_factory=list)  # right answers that are taken for a mistake
    unknown: int = 0  # left out of the bank: recognised as one with the same outcome
    failed: int = 0  # visible tests whose check was not true
    compared: int = 0  # of these, those that say what they compared
    learning: float = 0.0  # seconds for the bank, once
    each: float = 0.0  # milliseconds for a submission that has one mistake in each question


def measure(course: Course, week: Week) -> Found:
    """Learn the bank, hand it in again, and count."""
    (course.root / "autograded" / f".{week.name}.mistakes").unlink(missing_ok=True)
    started = time.monotonic()
    mistakes = known_mistakes(course, week)
    found = Found(learning=time.monotonic() - started)
    master = course.master(week)
    bank = read_bank(course, week)
    random.Random(7).shuffle(bank)
    company = fewest_notebooks(bank)

    def one(chosen: dict[str, Answer]) -> Result:
        # The other questions are not answered: the diagnosis of one must not rest on them.
        sources = {name: answer.source for name, answer in chosen.items()}
        return grade(master, fill(master, sources), course.limits, servers).result

    with Servers(False, warm_modules(master, course.limits)) as servers, ThreadPoolExecutor(2) as pool:
        results = list(pool.map(one, company))
    started = time.monotonic()
    for result in results:
        diagnose(result, mistakes)
    found.each = 1000 * (time.monotonic() - started) / len(results)
    failed = [
        test for result in results for test in result.tests if test.outcome == FAILED and not test.hidden
    ]
    found.failed, found.compared = len(failed), sum(test.comparison is not None for test in failed)
    for chosen, result in zip(company, results, strict=True):
        diagnoses = diagnose(result, mistakes)
        for question, answer in chosen.items():
            count(found, answer, diagnoses.get(question), result, mistakes)
    return found


def count(found: Found, answer: Answer, diagnosis, result: Result, mistakes: list) -> None:
    """Add one answer to what was found."""
    name = answer.path.stem
    if answer.right:
        found.right += 1
        found.false += [name] if diagnosis else []
        return
    found.wrong += 1
    if diagnosis is None:
        found.silent.append(name)
    elif name not in diagnosis.answers:
        found.another.append(name)
    elif len(diagnosis.answers) == 1:
        found.itself += 1
    elif diagnosis.tells:
        found.like += 1
    else:
        found.many += 1
    others = [mistake for mistake in mistakes if mistake.answer.path.stem != name]
    found.unknown += answer.question in diagnose(result, others)


def main() -> None:
    course = open_course(Path(__file__).parent.parent)
    rows = {week.name: measure(course, week) for week in course.select(sys.argv[1:])}
    print(
        "| week | wrong | itself | one of 2 or 3 | many | not recognised | as another | right | taken for a mistake |",
        end="",
    )
    print(" left out, still recognised | seconds, once | ms a submission |")
    print("| --- |" + " ---: |" * 11)
    for name, row in rows.items():
        numbers = [row.wrong, row.itself, row.like, row.many, len(row.silent), len(row.another)]
        numbers += [row.right, len(row.false), row.unknown]
        print(f"| {name} | {' | '.join(map(str, numbers))} | {row.learning:.0f} | {row.each:.1f} |")
    every = list(rows.values())
    wrong = sum(row.wrong for row in every)
    recognised = sum(row.itself + row.like for row in every)
    print(f"\n{recognised} of {wrong} wrong answers are recognised ({recognised / wrong:.1%}).")
    failed, compared = (sum(getattr(row, kind) for row in every) for kind in ("failed", "compared"))
    print(f"{compared} of {failed} failed visible tests say what they compared ({compared / failed:.1%}).")
    for row in every:
        for kind in ("silent", "another", "false"):
            if names := getattr(row, kind):
                print(f"{kind}: {', '.join(names)}")


if __name__ == "__main__":
    main()
