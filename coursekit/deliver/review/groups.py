"""Groups of students whose answers fail in the same way, so that one comment serves all of them."""

import re
from collections import defaultdict
from dataclasses import dataclass

from coursekit.deliver.review.week_data import Student, WeekData
from coursekit.engine.shared.reasons import TestReason
from coursekit.engine.shared.result import PASSED

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


@dataclass(frozen=True)
class Group:
    """Students whose answers to a question fail in one way."""

    question: str
    title: str
    known: bool  # whether it is a mistake that the answer bank knows, or one of several
    what: str  # the bank's sentence about the mistake, or the message of the first test that is not passed
    tests: tuple[str, ...]  # names of the tests that the first student does not pass
    students: tuple[Student, ...]


def failure_groups(week: WeekData) -> list[Group]:
    """Return the groups, question by question; within each, the largest first."""
    all_groups = []
    for question in week.master.questions:
        by_failure: dict[tuple[bool, str], list[Student]] = defaultdict(list)
        failing: dict[str, tuple[str, ...]] = {}
        for student in week.handed_in:
            lost = [
                test
                for test in (student.result.tests if student.result else ())
                if test.question == question.id and test.outcome != PASSED
            ]
            if not lost:
                continue
            failing[student.id] = tuple(test.name or test.id for test in lost)
            diagnosis = student.diagnoses.get(question.id)
            if diagnosis is not None and diagnosis.tells:
                key = (True, " Or: ".join(tell.replace("`", "") for tell in diagnosis.tells))
            elif all(test.reason == TestReason.NOT_ANSWERED for test in lost):
                key = (False, "Not answered.")
            else:
                what = lost[0].message.partition("\n")[0] or lost[0].outcome
                key = (False, f"{lost[0].name or lost[0].id}: {NUMBER.sub('…', what)}")
            by_failure[key].append(student)
        all_groups += [
            Group(
                question=question.id,
                title=question.title,
                known=known,
                what=what,
                tests=failing[members[0].id],
                students=tuple(members),
            )
            for (known, what), members in sorted(by_failure.items(), key=lambda item: -len(item[1]))
        ]
    return all_groups
