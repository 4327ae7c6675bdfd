"""Tests in doubt: where all fail, or most of those who pass the rest of its question, the test may be wrong."""

from collections.abc import Iterable
from dataclasses import dataclass

from coursekit.engine.shared.result import PASSED, UNREADABLE, Result

ENOUGH = 5  # students; of fewer, a share says nothing


@dataclass(frozen=True)
class Doubt:
    """A test that deserves a look before its marks are given out."""

    test: str
    failed: int  # students
    of: int  # students
    rest: bool  # whether they are those who pass the rest of its question, and not all there are

    def __str__(self) -> str:
        who = f"all {self.of}" if self.failed == self.of else f"{self.failed} of the {self.of}"
        which = " who pass the rest of its question" if self.rest else ""
        return f"test {self.test} fails for {who} students{which}. Look at it before you give out marks."


def doubtful_tests(results: Iterable[Result]) -> list[Doubt]:
    """The tests of a class that may be wrong, in the master's order. Unreadable notebooks say nothing about a test."""
    everybody: dict[str, list[bool]] = {}  # of each student, whether the test was passed
    able: dict[str, list[bool]] = {}  # the same of those who pass all other tests of its question
    for result in results:
        if result.status == UNREADABLE or result.faulty:
            continue
        for test in result.tests:
            passed = test.outcome == PASSED
            others = [one for one in result.tests if one.question == test.question and one is not test]
            everybody.setdefault(test.id, []).append(passed)
            if others and all(one.outcome == PASSED for one in others):
                able.setdefault(test.id, []).append(passed)
    found = []
    for name, tried in everybody.items():
        rest = able.get(name, [])
        if len(tried) >= ENOUGH and not any(tried):
            found.append(Doubt(name, len(tried), len(tried), rest=False))
        elif len(rest) >= ENOUGH and 2 * sum(rest) < len(rest):
            found.append(Doubt(name, len(rest) - sum(rest), len(rest), rest=True))
    return found
