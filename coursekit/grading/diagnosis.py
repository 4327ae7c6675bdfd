"""Find the known mistake in an answer: the bank's wrong answer that fails the same tests with the same values.

A result has, for each test that was not passed, a trace of the values that the student's code returned
(`engine.examiner.trace`). The bank's wrong answers are graded to get theirs. The student reads the sentence that a
wrong answer's docstring has after `Tell:`; the bank's code is shown to nobody.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from math import isclose

from coursekit.course.bank import Answer, fewest_notebooks, read_bank
from coursekit.course.config import Course, Week
from coursekit.engine.coordinator.digests import engine_digest
from coursekit.engine.coordinator.grade import grade, warm_modules
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import fill
from coursekit.engine.shared.result import NOT_RUN, PASSED, STOPPED, Result
from coursekit.engine.supervisor import sandbox
from coursekit.files import write_atomically
from coursekit.progress import Progress, no_progress

# Two numbers, unless both are whole, count as equal if they differ by no more than rounding errors.
RELATIVE, ABSOLUTE = 1e-4, 1e-6
MAX_TELLS = 3  # shown to a student; if more mistakes match, none is shown
# The outcomes that take the place of a trace where a test was stopped or not run; words that any trace may have.
CUT = {STOPPED, NOT_RUN}
UNINFORMATIVE = {"None", "StandIn", "Missing", *CUT}


@dataclass(frozen=True)
class Mistake:
    """A wrong answer of the bank, and the trace of each test that it does not pass."""

    answer: Answer
    traces: dict[str, str]


@dataclass(frozen=True)
class Diagnosis:
    """The known mistakes that an answer matches."""

    tells: tuple[str, ...]  # for the student, one for each match; () if there are more than MAX_TELLS
    answers: tuple[str, ...]  # for a TA: the names of the bank's answers that match


def known_mistakes(
    course: Course,
    week: Week,
    workers: int | None = None,
    progress: Progress = no_progress,
) -> list[Mistake]:
    """Return the bank's wrong answers with their traces; [] if the week has no bank.

    Grading them takes some seconds, once: the traces are kept beside the results until the master, the bank or the
    engine changes.

    Raises:
        CourseError: the master or an answer of the bank cannot be read, or this machine cannot fork kernels.
    """
    if not course.answers(week).is_dir():
        return []
    master = course.master(week)
    wrong = {answer.path.stem: answer for answer in read_bank(course, week) if not answer.right}
    sources = [(name, answer.source) for name, answer in wrong.items()]
    depends_on = [master.digest, engine_digest(course.limits), *sources]
    key = hashlib.sha256(json.dumps(depends_on).encode()).hexdigest()
    path = course.results / f".{week.name}.mistakes"
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["key"] == key:
            return [Mistake(wrong[name], traces) for name, traces in kept["traces"].items()]
    notebooks = fewest_notebooks(wrong.values())
    traces_by_name = {}
    # The bank is the instructor's own code: if there is no sandbox, it runs without.
    with (
        Servers(bool(sandbox.missing()), warm_modules(master, course.limits)) as servers,
        ThreadPoolExecutor(workers or os.cpu_count()) as pool,
    ):

        def result_of(chosen: dict[str, Answer]) -> Result:
            sources = master.solutions | {name: answer.source for name, answer in chosen.items()}
            return grade(master, fill(master, sources), course.limits, servers).result

        for done, (chosen, result) in enumerate(
            zip(notebooks, pool.map(result_of, notebooks), strict=True), 1
        ):
            for question, answer in chosen.items():
                traces_by_name[answer.path.stem] = traces_of(result, question)
            progress(done, len(notebooks))
    with suppress(OSError):  # without the file, the next call is only slower
        write_atomically(path, json.dumps({"key": key, "traces": traces_by_name}).encode())
    return [Mistake(wrong[name], traces) for name, traces in traces_by_name.items()]


def mistakes_for(
    course: Course, week: Week, results: Iterable[Result | None], progress: Progress = no_progress
) -> tuple[list[Mistake], str]:
    """Return (the known mistakes, ""), or ([], why there are none); ([], "") if all tests of these results passed."""
    if all(test.outcome == PASSED for result in results if result for test in result.tests):
        return [], ""
    try:
        return known_mistakes(course, week, progress=progress), ""
    except CourseError as error:
        return [], str(error)


def traces_of(result: Result, question: str) -> dict[str, str]:
    """Return {test: its trace, or its outcome if that is in CUT} for each test of a question that was not passed."""
    return {
        test.id: test.outcome if test.outcome in CUT else test.trace
        for test in result.tests
        if test.question == question and test.outcome != PASSED
    }


def diagnose(result: Result, mistakes: Sequence[Mistake]) -> dict[str, Diagnosis]:
    """Return {question: the known mistakes} for answers that fail as a wrong one of the bank does.

    Both must fail the same tests with the same traces: a wrong answer that fails only one test seldom explains an
    answer that fails five.
    """
    diagnoses = {}
    for question in result.questions:
        traces = traces_of(result, question.id)
        fitting = [
            mistake.answer
            for mistake in mistakes
            if mistake.answer.question == question.id and _fits(traces, mistake.traces)
        ]
        if fitting:
            tells = tuple(answer.tell for answer in fitting) if len(fitting) <= MAX_TELLS else ()
            diagnoses[question.id] = Diagnosis(tells, tuple(answer.path.stem for answer in fitting))
    return diagnoses


def _fits(student_traces: dict[str, str], known_traces: dict[str, str]) -> bool:
    if student_traces.keys() != known_traces.keys():
        return False
    traces_not_cut = [words for trace in known_traces.values() if not (words := set(trace.split())) <= CUT]
    is_informative = bool(traces_not_cut) and all(words - UNINFORMATIVE for words in traces_not_cut)
    return is_informative and all(
        _same(student_traces[test].split(), known_traces[test].split()) for test in known_traces
    )


def _same(one: list[str], other: list[str]) -> bool:
    return len(one) == len(other) and all(map(_equal, one, other))


def _equal(one: str, other: str) -> bool:
    """Return whether two words of traces are equal, up to rounding.

    >>> _equal("0.3333333", "0.3333331"), _equal("20000", "20001"), _equal("nan", "nan"), _equal("1", "1.000001")
    (True, False, True, True)
    """
    if one == other:
        return True
    if one.lstrip("-").isdigit() and other.lstrip("-").isdigit():
        return False
    try:
        return isclose(float(one), float(other), rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    except ValueError:
        return False
