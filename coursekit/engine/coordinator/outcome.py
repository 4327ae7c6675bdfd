"""Transcript → Result, and the graded notebook that the formgrader and the feedback page read."""

import json
from dataclasses import dataclass, field
from typing import Any

from coursekit.engine.coordinator.digests import hashes
from coursekit.engine.coordinator.sentences import message, sentence
from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.coordinator.transcript import Transcript, Used
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import TEST, Master, fill
from coursekit.engine.shared.reasons import Flag, TestReason, Unreadable
from coursekit.engine.shared.rebuilt import Rebuilt
from coursekit.engine.shared.result import (
    FAULT,
    GRADED,
    NOT_RUN,
    PASSED,
    REPAIRED,
    STOPPED,
    UNREADABLE,
    Note,
    QuestionResult,
    Result,
    Status,
    TestResult,
    Verdict,
    json_bytes,
)


@dataclass
class Graded:
    """A result, and the notebook that was graded; where there was none to read, an empty one for the TA's mark.

    Attributes:
        notebook: bytes of the .ipynb file.
        used: how near it came to its limits.
        shared_limit: the student's code met a limit that all processes of the machine share, so a neighbour may be the
            reason for what came out.
    """

    result: Result
    notebook: bytes
    used: Used = field(default_factory=Used)
    shared_limit: bool = False


def result_of(master: Master, rebuilt: Rebuilt, transcript: Transcript, digests: dict[str, str]) -> Result:
    """The result of a notebook that was run. `digests`: of each test, see `digests.digests_of`."""
    tests = []
    for cell in master.cells:
        if cell.role == TEST:
            verdict = transcript.verdicts[cell.grade_id]
            tests.append(
                TestResult(
                    id=cell.grade_id,
                    question=cell.question,
                    points=cell.points,
                    score=cell.points if verdict.outcome == PASSED else 0.0,
                    outcome=verdict.outcome,
                    message=verdict.message,
                    hidden=cell.hidden,
                    name=cell.test_name,
                    reason=verdict.reason,
                    trace=verdict.trace,
                    comparison=verdict.comparison,
                    # A verdict beside which something was cut or died may come out otherwise another time.
                    digest=digests[cell.grade_id] if transcript.undisturbed else "",
                )
            )
    touched = {item.master.grade_id: item.touched for item in rebuilt.cells if item.master is not None}
    questions = []
    for question in master.questions:
        if question.written:
            # A person has nothing to grade where nothing was written.
            score = None if touched[question.id] else 0.0
        else:
            score = sum((test.score for test in tests if test.question == question.id), 0.0)
        questions.append(QuestionResult(question.id, question.title, score, question.max_score))
    status: Status = STOPPED if transcript.stopped else REPAIRED if rebuilt.repairs else GRADED
    flags = [*rebuilt.flags, *transcript.flags]
    return Result(
        student="",
        week=master.week,
        status=status,
        score=sum((test.score for test in tests), 0.0),
        max_score=master.max_score,
        needs_review=bool(flags) or any(question.score is None for question in questions),
        questions=questions,
        tests=tests,
        repairs=list(rebuilt.repairs),
        flags=flags,
        stops=list(transcript.stops),
        by_clock=transcript.by_clock,
    )


def unreadable(master: Master, rebuilt: Rebuilt, flag: Note) -> Graded:
    """What a submission gets that could not be read, for the reason that the flag gives."""
    text = sentence(flag)
    result = _without_tests(master, UNREADABLE, TestReason.UNREADABLE, text)
    result.repairs, result.flags = list(rebuilt.repairs), [*rebuilt.flags, flag]
    result.by_clock = flag.values["reason"] == Unreadable.TIME
    return Graded(result, blank(master, f"This submission could not be read. {text}"))


def engine_fault(master: Master, submission: Submission, limits: Limits, trace: str) -> Graded:
    """What a student gets when `grade` itself failed: an answer, and a flag for the person who repairs the grader."""
    text = message(TestReason.ENGINE_FAULT, {})
    result = _without_tests(master, FAULT, TestReason.ENGINE_FAULT, text)
    result.flags.append(Note(Flag.ENGINE_FAULT, "", {"error": trace[-2000:]}))
    result.hashes, result.receipts = hashes(master, submission, limits), submission.receipts
    return Graded(result, blank(master, text))


def _without_tests(master: Master, status: Status, reason: TestReason, text: str) -> Result:
    """A result of a notebook of which nothing was run."""
    tests = [
        TestResult(
            cell.grade_id,
            cell.question,
            cell.points,
            0.0,
            NOT_RUN,
            text,
            cell.hidden,
            cell.test_name,
            reason,
        )
        for cell in master.cells
        if cell.role == TEST
    ]
    questions = [QuestionResult(item.id, item.title, 0.0, item.max_score) for item in master.questions]
    return Result("", master.week, status, 0.0, master.max_score, True, questions, tests)


def blank(master: Master, reason: str) -> bytes:
    """The released notebook with the reason on top: the formgrader can show it, and a TA can clear its flag."""
    notebook = json.loads(fill(master, {}))
    cell = {"cell_type": "markdown", "id": "unreadable", "metadata": {}, "source": reason}
    notebook["cells"].insert(0, cell)
    return json_bytes(notebook)


def notebook_of(master: Master, rebuilt: Rebuilt, transcript: Transcript) -> bytes:
    """The graded notebook, as nbgrader's formgrader and the feedback page read it."""
    cells = []
    executed = 0
    nodes = master.notebook[
        "cells"
    ]  # as attributes, nbformat finds its keys after looking for them elsewhere
    for position, item in enumerate(rebuilt.cells):
        metadata: dict[str, Any] = {}
        name = f"added-{position}"
        if item.master is not None:
            node = nodes[item.master.index]
            metadata = node["metadata"]
            name = node.get("id", name)
        cell: dict[str, Any] = {
            "cell_type": item.kind,
            "id": name,
            "metadata": metadata,
            "source": item.source,
        }
        if item.kind == "code":
            outputs = transcript.outputs.get(position, [])
            if (test := item.test) is not None:
                outputs = _verdict_output(transcript.verdicts[test.grade_id])
            executed += item.run
            cell |= {"execution_count": executed if item.run else None, "outputs": outputs}
        cells.append(cell)
    # On one line: to indent is slow, and only programs read it.
    return json_bytes(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": master.notebook.metadata, "cells": cells}
    )


def _verdict_output(verdict: Verdict) -> list[dict[str, Any]]:
    """How a test's outcome looks in the graded notebook."""
    outcome, text = verdict.outcome, verdict.message
    if outcome == PASSED:
        return [{"output_type": "stream", "name": "stdout", "text": "passed\n"}]
    return [{"output_type": "error", "ename": outcome, "evalue": text, "traceback": [f"{outcome}: {text}"]}]
