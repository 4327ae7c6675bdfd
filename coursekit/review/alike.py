"""Answers of different students that share what few others have: a lead to look at, never a verdict.

copydetect makes fingerprints of an answer's tokens, blind to names, comments and spaces (winnowing: Schleimer,
Wilkerson and Aiken 2003, "Winnowing: local algorithms for document fingerprinting"). Fingerprints of the course's own
cell, stub and solution, are taken out, and so are those that many of the class have: short right answers are all alike.
"""

import io
from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from coursekit.review.gather import Gathered, Student

GRAM, WINDOW = 12, 4  # tokens of a fingerprint, and of how many neighbours one is kept
COMMON = 0.1  # a fingerprint that a larger share of the class has says nothing
LEAST = 6  # rare fingerprints that two answers must share
SHARE = 0.6  # of the rare fingerprints of the one that has fewer
SHOWN = 20  # pairs for each question


@dataclass(frozen=True)
class Pair:
    """Two answers that share rare fingerprints."""

    question: str
    title: str
    one: Student
    other: Student
    shared: int
    share: float


def alike(week: Gathered) -> list[Pair]:
    """For each question with code, the pairs that share most.

    Raises:
        ImportError: copydetect is not installed.
    """
    from copydetect import CodeFingerprint

    def fingerprints(source: str) -> set[int]:
        return set(CodeFingerprint("answer.py", GRAM, WINDOW, fp=io.StringIO(source)).hashes)

    own = {cell.grade_id: cell.source for cell in week.master.cells}
    found = []
    for question in week.master.questions:
        if question.written:
            continue
        given = fingerprints(own.get(question.id, ""))
        mine = {}
        for student in week.handed_in:
            source = student.answers.get(question.id, "")
            if source.strip():
                mine[student.id] = (student, fingerprints(source) - given)
        often = Counter(mark for _, marks in mine.values() for mark in marks)
        most = max(2, COMMON * len(mine))
        rare = [
            (student, {mark for mark in marks if often[mark] <= most}) for student, marks in mine.values()
        ]
        pairs = []
        for (one, marks), (other, others) in combinations(rare, 2):
            shared = len(marks & others)
            if shared >= LEAST and shared >= SHARE * min(len(marks), len(others)):
                share = shared / min(len(marks), len(others))
                pairs.append(Pair(question.id, question.title, one, other, shared, share))
        found += sorted(pairs, key=lambda pair: -pair.shared)[:SHOWN]
    return found
