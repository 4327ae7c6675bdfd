"""Suspect tests: if all students fail a test, or most who pass the rest of its question, it may be wrong."""

from collections.abc import Iterable
from dataclasses import dataclass

from coursekit.engine.shared.result import PASSED, UNREADABLE, Result

MIN_STUDENTS = 5  # with fewer, a share says nothing


@dataclass(frozen=True)
class SuspectTest:
    """A test that deserves a look before its marks are given out."""

    test: str
    failed: int  # students
    of: int  # students
    rest: bool  # whether `of` counts only those who pass the rest of its question

    def __str__(self) -> str:
        who = f"all {self.of}" if self.failed == self.of else f"{self.failed} of the {self.of}"
        which = " who pass the rest of its question" if self.rest else ""
        return f"test {self.test} fails for {who} students{which}. Look at it before you give out marks."


def suspect_tests(results: Iterable[Result]) -> list[SuspectTest]:
    """Return the tests that may be wrong, in the master's order. Unreadable and faulty results count for none."""
    everybody: dict[str, list[bool]] = {}  # {test: for each student, whether it was passed}
    able: dict[str, list[bool]] = {}  # the same for those who pass all other tests of its question
    for result in results:
        if result.status == UNREADABLE or result.faulty:
            continue
        for test in result.tests:
            passed = test.outcome == PASSED
            others = [
                other for other in result.tests if other.question == test.question and other is not test
            ]
            everybody.setdefault(test.id, []).append(passed)
            if others and all(other.outcome == PASSED for other in others):
                able.setdefault(test.id, []).append(passed)
    found = []
    for test_id, passes in everybody.items():
        rest = able.get(test_id, [])
        if len(passes) >= MIN_STUDENTS and not any(passes):
            found.append(SuspectTest(test_id, len(passes), len(passes), rest=False))
        elif len(rest) >= MIN_STUDENTS and 2 * sum(rest) < len(rest):
            found.append(SuspectTest(test_id, len(rest) - sum(rest), len(rest), rest=True))
    return found
