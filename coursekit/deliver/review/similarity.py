"""Answers of different students that share what few others have: a lead to look at, never a verdict.

copydetect makes fingerprints of an answer's tokens, blind to names, comments and spaces (winnowing: Schleimer,
Wilkerson and Aiken 2003, "Winnowing: local algorithms for document fingerprinting"). Fingerprints of the course's own
cell, stub and solution, are taken out, and so are those that many of the class have: short right answers are all alike.
"""

import importlib.util
import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations

import msgpack

from coursekit.confined.worker import NotDone, Worker
from coursekit.deliver.review.week_data import Student, WeekData

COMMON = 0.1  # a fingerprint that a larger share of the class has says nothing
LEAST = 6  # rare fingerprints that two answers must share
SHARE = 0.6  # of the rare fingerprints of the one that has fewer
SHOWN = 20  # pairs for each question
COMPARED = 50_000  # characters of an answer
SECONDS = 2  # for all answers of a student, which take 0.01


@dataclass(frozen=True)
class SimilarPair:
    """Two answers that share rare fingerprints."""

    question: str
    title: str
    one: Student
    other: Student
    shared: int
    share: float


def similar_answers(week: WeekData) -> tuple[list[SimilarPair], list[Student]]:
    """For each question with code, the pairs that share most; and the students whose answers would take too long.

    Raises:
        ImportError: copydetect is not installed.
        CourseError: it does not work.
    """
    if importlib.util.find_spec("copydetect") is None:
        raise ImportError("copydetect is not installed")
    questions = [question for question in week.master.questions if not question.written]
    solutions = {cell.grade_id: cell.source for cell in week.master.cells}
    with Worker("coursekit.deliver.review.fingerprints", seconds=SECONDS) as worker:

        def fingerprints(answers: dict[str, str]) -> list[set[int]] | None:
            sources = [answers.get(question.id, "")[:COMPARED] for question in questions]
            try:
                made = worker.do(msgpack.packb(sources, unicode_errors="replace"))
            except NotDone:
                return None
            return [set(marks) for marks in msgpack.unpackb(made)]

        own = fingerprints(solutions)
        assert own is not None, "the course's own answers take too long"
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            made = list(pool.map(fingerprints, [student.answers for student in week.handed_in]))
    students = list(zip(week.handed_in, made, strict=True))
    found = []
    for place, question in enumerate(questions):
        theirs = [
            (student, marks[place] - own[place])
            for student, marks in students
            if marks is not None and student.answers.get(question.id, "").strip()
        ]
        often = Counter(mark for _, marks in theirs for mark in marks)
        most = max(2, COMMON * len(theirs))
        rare = [(student, {mark for mark in marks if often[mark] <= most}) for student, marks in theirs]
        pairs = []
        for (one, marks), (other, others) in combinations(rare, 2):
            shared, fewer = len(marks & others), min(len(marks), len(others))
            if shared >= LEAST and shared >= SHARE * fewer:
                pairs.append(SimilarPair(question.id, question.title, one, other, shared, shared / fewer))
        found += sorted(pairs, key=lambda pair: -pair.shared)[:SHOWN]
    return found, [student for student, marks in students if marks is None]
