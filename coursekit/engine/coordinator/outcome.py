"""Transcript → Result, and the graded notebook that the formgrader and the feedback page read."""

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from coursekit.engine.coordinator.digests import hashes
from coursekit.engine.coordinator.sentences import message, sentence
from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.coordinator.transcript import Transcript, Used
from coursekit.engine.shared.limits import Calibration, Limits
from coursekit.engine.shared.master import GIVEN, TEST, Cell, Master, fill
from coursekit.engine.shared.reader_messages import picture_type
from coursekit.engine.shared.reasons import LACKING, Flag, TestReason, Unreadable
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


@dataclass(frozen=True)
class Graded:
    """A result, and the notebook that was graded; the released one with the reason on top, if none was.

    Attributes:
        notebook: bytes of the .ipynb file.
        used: time, memory and output that grading used.
        shared_limit: the student's code met a limit that all processes of the machine share, so another submission
            may have changed the outcome.
    """

    result: Result
    notebook: bytes
    used: Used = field(default_factory=Used)
    shared_limit: bool = False


@dataclass(frozen=True)
class Conditions:
    """The conditions under which a submission was graded, which do not change its points."""

    unsafe: bool = False  # the student's code was not confined
    calibration: Calibration = field(default_factory=Calibration)  # of the machine
    seconds: float = 0.0  # that grading took


def graded_of(
    master: Master,
    submission: Submission,
    limits: Limits,
    rebuilt: Rebuilt,
    transcript: Transcript,
    digests: dict[str, str],
    conditions: Conditions,
) -> Graded:
    """Return what came of a notebook that was run. `digests`: {test: hash of all that its outcome depends on}."""
    tests = [
        # After something was stopped or died, the same test may have a different outcome next time.
        _test_result(
            cell, transcript.verdicts[cell.grade_id], digests[cell.grade_id] if transcript.undisturbed else ""
        )
        for cell in master.cells
        if cell.role == TEST
    ]
    touched = {item.master.grade_id: item.touched for item in rebuilt.cells if item.master is not None}
    elsewhere = {note.cell for note in rebuilt.flags if note.kind == Flag.MAYBE_IN_FILE}
    # A written answer that is still the stub has 0 points; any other waits for a person.
    written = {
        question.id: None if touched[question.id] or question.id in elsewhere else 0.0
        for question in master.questions
        if question.written
    }
    notebook = _graded_notebook(master, rebuilt, transcript)
    repairs = _that_matter(rebuilt.repairs, tests)
    result = _result(
        master,
        submission,
        limits,
        notebook,
        status=STOPPED if transcript.stopped else REPAIRED if repairs else GRADED,
        tests=tests,
        written=written,
        repairs=repairs,
        flags=[*_that_matter(rebuilt.flags, tests), *_not_shown(rebuilt), *transcript.flags],
        stops=transcript.stops,
        by_clock=transcript.by_clock,
        conditions=conditions,
    )
    return Graded(result, notebook, transcript.used, transcript.shared_limit)


def _that_matter(notes: Iterable[Note], tests: list[TestResult]) -> list[Note]:
    """Return the reader's notes without those that the tests refute.

    Those in LACKING cost nothing where the question passed all of its tests, and a notebook that passed a test has an
    answer.
    """
    lost = {test.question for test in tests if test.outcome != PASSED}
    passed = any(test.outcome == PASSED for test in tests)
    return [
        note
        for note in notes
        if (note.kind not in LACKING or note.cell in lost)
        and not (note.kind == Flag.NOTHING_RECOGNISED and passed)
    ]


def _not_shown(rebuilt: Rebuilt) -> Iterator[Note]:
    for item in rebuilt.cells:
        for name, picture in item.pictures.items():
            if not picture:
                question = item.master.grade_id if item.master is not None else ""
                yield Note(Flag.PICTURE_NOT_SHOWN, cell=question, values={"name": name})


def unreadable(
    master: Master,
    submission: Submission,
    limits: Limits,
    rebuilt: Rebuilt,
    flag: Note,
    conditions: Conditions,
) -> Graded:
    """Return what came of a submission that could not be read; its flag has the reason."""
    text = sentence(flag)
    notebook = _released_notebook(master, f"This submission could not be read. {text}")
    result = _result(
        master,
        submission,
        limits,
        notebook,
        status=UNREADABLE,
        tests=_not_run(master, TestReason.UNREADABLE, text),
        repairs=rebuilt.repairs,
        flags=[*rebuilt.flags, flag],
        by_clock=flag.values["reason"] == Unreadable.TIME,
        conditions=conditions,
    )
    return Graded(result, notebook)


def engine_fault(master: Master, submission: Submission, limits: Limits, error: str) -> Graded:
    """Return what comes of a failure of grading itself: a message for the student, and a flag for the instructor."""
    text = message(TestReason.ENGINE_FAULT, {})
    notebook = _released_notebook(master, text)
    result = _result(
        master,
        submission,
        limits,
        notebook,
        status=FAULT,
        tests=_not_run(master, TestReason.ENGINE_FAULT, text),
        flags=[Note(Flag.ENGINE_FAULT, values={"error": error[-2000:]})],
        conditions=Conditions(),
    )
    return Graded(result, notebook)


def _result(
    master: Master,
    submission: Submission,
    limits: Limits,
    notebook: bytes,
    *,
    status: Status,
    tests: list[TestResult],
    flags: Iterable[Note],
    conditions: Conditions,
    written: dict[str, float | None] | None = None,
    repairs: Iterable[Note] = (),
    stops: Iterable[Note] = (),
    by_clock: bool = False,
) -> Result:
    """Return the result; every result is made here.

    Args:
        written: points of the written questions, None where a person has to give them; default: 0 for each.
    """
    flags = [*submission.flags, *flags]
    if conditions.unsafe:
        flags.append(Note(Flag.UNSAFE))
    questions = []
    for question in master.questions:
        if question.written:
            score = (written or {}).get(question.id, 0.0)
        else:
            score = sum((test.score for test in tests if test.question == question.id), 0.0)
        questions.append(QuestionResult(question.id, question.title, score, question.max_score))
    return Result(
        student=submission.student,
        week=master.week,
        status=status,
        score=sum((test.score for test in tests), 0.0),
        max_score=master.test_points,
        needs_review=bool(flags) or any(question.score is None for question in questions),
        questions=questions,
        tests=tests,
        repairs=list(repairs),
        flags=flags,
        stops=list(stops),
        seconds=conditions.seconds,
        by_clock=by_clock,
        calibration=conditions.calibration,
        hashes=hashes(master, submission, limits) | {"notebook": hashlib.sha256(notebook).hexdigest()},
        receipts=submission.receipts,
        hidden_seed=submission.hidden_seed,
    )


def _not_run(master: Master, reason: TestReason, text: str) -> list[TestResult]:
    """Return a result for each test of a notebook that was not run."""
    return [_test_result(cell, Verdict(NOT_RUN, reason, text)) for cell in master.cells if cell.role == TEST]


def _test_result(cell: Cell, verdict: Verdict, digest: str = "") -> TestResult:
    return TestResult(
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
        digest=digest,
    )


def _released_notebook(master: Master, reason: str) -> bytes:
    """Return the released notebook with the reason on top, for the formgrader, where a TA can clear the flag."""
    notebook = json.loads(fill(master, {}))
    cell = {"cell_type": "markdown", "id": "unreadable", "metadata": {}, "source": reason}
    notebook["cells"].insert(0, cell)
    return json_bytes(notebook)


def _graded_notebook(master: Master, rebuilt: Rebuilt, transcript: Transcript) -> bytes:
    """Return the graded notebook, as nbgrader's formgrader and the feedback page read it."""
    cells = []
    executed = 0
    nodes = master.notebook["cells"]  # as keys: nbformat takes longer to find them as attributes
    for position, item in enumerate(rebuilt.cells):
        metadata: dict[str, Any] = {}
        cell_id = f"added-{position}"
        if item.master is not None:
            node = nodes[item.master.index]
            metadata = node["metadata"]
            cell_id = node.get("id", cell_id)
        cell: dict[str, Any] = {
            "cell_type": item.kind,
            "id": cell_id,
            "metadata": metadata,
            "source": item.source,
        }
        if item.pictures:
            cell["source"] += "".join(
                f"\n\n[The picture {name} cannot be shown.]"
                for name, picture in item.pictures.items()
                if not picture
            )
            cell["attachments"] = {
                name: {picture_type(picture): base64.b64encode(picture).decode("ascii")}
                for name, picture in item.pictures.items()
                if picture
            }
        elif item.master is not None and item.master.role == GIVEN and "attachments" in node:
            cell["attachments"] = node["attachments"]
        if item.kind == "code":
            outputs = transcript.outputs.get(position, [])
            if (test := item.test) is not None:
                outputs = _verdict_output(transcript.verdicts[test.grade_id])
            executed += item.run
            cell |= {"execution_count": executed if item.run else None, "outputs": outputs}
        cells.append(cell)
    # Without indentation, which is slow: only programs read it.
    return json_bytes(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": master.notebook.metadata, "cells": cells}
    )


def _verdict_output(verdict: Verdict) -> list[dict[str, Any]]:
    """Return the output that shows a test's outcome in the graded notebook."""
    outcome, text = verdict.outcome, verdict.message
    if outcome == PASSED:
        return [{"output_type": "stream", "name": "stdout", "text": "passed\n"}]
    return [{"output_type": "error", "ename": outcome, "evalue": text, "traceback": [f"{outcome}: {text}"]}]
