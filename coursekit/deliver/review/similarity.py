"""Answers of different students that share rare fingerprints: a lead to look at, never a verdict.

copydetect makes fingerprints of an answer's tokens, blind to names, comments and spaces (winnowing: Schleimer,
Wilkerson and Aiken 2003, "Winnowing: local algorithms for document fingerprinting"). Fingerprints of the master's
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

MAX_CLASS_SHARE = 0.1  # of those who answered; what more of them have, and more than two, is not rare
MIN_SHARED = 6  # rare fingerprints that two answers must share
MIN_SHARE = 0.6  # of the rare fingerprints of the answer that has fewer
MAX_PAIRS = 20  # for each question
MAX_CHARACTERS = 50_000  # of an answer; the rest is not compared
SECONDS = 2  # for all answers of a student, which take 0.01


@dataclass(frozen=True)
class SimilarPair:
    """Two answers that share rare fingerprints."""

    question: str
    title: str
    one: Student
    other: Student
    shared: int  # rare fingerprints
    share: float  # of the rare fingerprints of the answer that has fewer


def similar_answers(week: WeekData) -> tuple[list[SimilarPair], list[Student]]:
    """Return the pairs that share most, for each question with code, and the students whose answers took too long.

    Raises:
        ImportError: copydetect is not installed.
        CourseError: it cannot be run.
    """
    if importlib.util.find_spec("copydetect") is None:
        raise ImportError("copydetect is not installed")
    questions = [question for question in week.master.questions if not question.written]
    solutions = {cell.grade_id: cell.source for cell in week.master.cells}
    with Worker("coursekit.deliver.review.fingerprints", seconds=SECONDS) as worker:

        def fingerprints_of(answers: dict[str, str]) -> list[set[int]] | None:
            sources = [answers.get(question.id, "")[:MAX_CHARACTERS] for question in questions]
            try:
                packed = worker.do(msgpack.packb(sources, unicode_errors="replace"))
            except NotDone:
                return None
            return [set(fingerprints) for fingerprints in msgpack.unpackb(packed)]

        of_course = fingerprints_of(solutions)
        assert of_course is not None, "the course's own answers take too long"
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            of_students = list(pool.map(fingerprints_of, [student.answers for student in week.handed_in]))
    students = list(zip(week.handed_in, of_students, strict=True))
    similar = []
    for index, question in enumerate(questions):
        of_question = [
            (student, prints[index] - of_course[index])
            for student, prints in students
            if prints is not None and student.answers.get(question.id, "").strip()
        ]
        counts = Counter(one for _, prints in of_question for one in prints)
        most = max(2, MAX_CLASS_SHARE * len(of_question))
        rare = [(student, {one for one in prints if counts[one] <= most}) for student, prints in of_question]
        pairs = []
        for (one, prints), (other, other_prints) in combinations(rare, 2):
            shared, fewer = len(prints & other_prints), min(len(prints), len(other_prints))
            if shared >= MIN_SHARED and shared >= MIN_SHARE * fewer:
                pairs.append(
                    SimilarPair(
                        question=question.id,
                        title=question.title,
                        one=one,
                        other=other,
                        shared=shared,
                        share=shared / fewer,
                    )
                )
        similar += sorted(pairs, key=lambda pair: -pair.shared)[:MAX_PAIRS]
    return similar, [student for student, prints in students if prints is None]
