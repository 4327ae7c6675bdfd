"""How many known mistakes are told as what they are, how many others are taken for one, and what that costs.

    .venv/bin/python benchmarks/diagnosis.py [WEEK ...]

Each wrong answer of the bank is handed in again, in another company than the one in which it was learnt, and each right
one. Then each is left out of what is known: whatever it is still told was known of another answer, which gives the same
in all tests. Beside that, it counts the failed tests for which a page can set what was expected beside what was found.
"""

import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from coursekit.course.bank import Answer, read_bank, together
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
    itself: int = 0  # told as itself and nothing else
    like: int = 0  # told as itself or one of up to two that give the same
    many: int = 0  # gives what more than three give: told to a TA alone
    silent: list[str] = field(default_factory=list)  # not told
    another: list[str] = field(default_factory=list)  # told as another, and not as itself
    right: int = 0
    false: list[str] = field(default_factory=list)  # right ones that are told a mistake
    unknown: int = 0  # left out of the bank: told as one that gives the same
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
    company = together(bank)

    def one(chosen: dict[str, Answer]) -> Result:
        # The other questions are not answered: what is told of one must not rest on them.
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
        told = diagnose(result, mistakes)
        for question, answer in chosen.items():
            count(found, answer, told.get(question), result, mistakes)
    return found


def count(found: Found, answer: Answer, told, result: Result, mistakes: list) -> None:
    """Add one answer to what was found."""
    name = answer.path.stem
    if answer.right:
        found.right += 1
        found.false += [name] if told else []
        return
    found.wrong += 1
    if told is None:
        found.silent.append(name)
    elif name not in told.answers:
        found.another.append(name)
    elif len(told.answers) == 1:
        found.itself += 1
    elif told.tells:
        found.like += 1
    else:
        found.many += 1
    others = [mistake for mistake in mistakes if mistake.answer.path.stem != name]
    found.unknown += answer.question in diagnose(result, others)


def main() -> None:
    course = open_course(Path(__file__).parent.parent)
    rows = {week.name: measure(course, week) for week in course.select(sys.argv[1:])}
    print(
        "| week | wrong | itself | one of 2 or 3 | many | not told | as another | right | told a mistake |",
        end="",
    )
    print(" left out, still told | seconds, once | ms a submission |")
    print("| --- |" + " ---: |" * 11)
    for name, row in rows.items():
        numbers = [row.wrong, row.itself, row.like, row.many, len(row.silent), len(row.another)]
        numbers += [row.right, len(row.false), row.unknown]
        print(f"| {name} | {' | '.join(map(str, numbers))} | {row.learning:.0f} | {row.each:.1f} |")
    every = list(rows.values())
    wrong = sum(row.wrong for row in every)
    told = sum(row.itself + row.like for row in every)
    print(f"\n{told} of {wrong} wrong answers are told ({told / wrong:.1%}).")
    failed, compared = (sum(getattr(row, kind) for row in every) for kind in ("failed", "compared"))
    print(f"{compared} of {failed} failed visible tests say what they compared ({compared / failed:.1%}).")
    for row in every:
        for kind in ("silent", "another", "false"):
            if names := getattr(row, kind):
                print(f"{kind}: {', '.join(names)}")


if __name__ == "__main__":
    main()
