"""A record that a submission was graded again, and why: a file beside its result, for the pages."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from coursekit.engine.shared.result import QuestionResult, Result, TestResult

REGRADES = "regrades.json"
KEPT = 20  # of one submission
# What of the course had changed.
TESTS, NOTEBOOK, GRADER = "tests", "notebook", "grader"


@dataclass(frozen=True)
class Moved:
    """A question whose points are others."""

    question: str
    before: float  # what its tests gave
    after: float
    tests: tuple[str, ...]  # whose points moved, or which are new or gone


@dataclass(frozen=True)
class Regrade:
    """One time that a submission was graded again."""

    when: str  # date and time in UTC, in the form of ISO 8601
    changed: tuple[str, ...]  # TESTS, NOTEBOOK, GRADER
    questions: tuple[str, ...]  # whose tests changed
    moved: tuple[Moved, ...]
    why: str  # in the instructor's words; "" where there are none
    result: str  # which result came of it


@dataclass(frozen=True)
class _Kept:
    submission: str  # what the notes are about
    regrades: tuple[Regrade, ...]


def regrade(old: Result | None, new: Result, why: str = "") -> Regrade | None:
    """Compare two results; None where it was another submission, or nothing changed that a student would notice.

    A grader that failed the first time has not graded; what was stopped by a clock then is tried again in any case.
    """

    def differs(key: str) -> bool:
        return old is not None and old.hashes.get(key) != new.hashes.get(key)

    if old is None or old.faulty or differs("submission"):
        return None
    if old.by_clock and not (differs("master") or differs("engine")):
        return None
    before, after = ({test.id: test for test in result.tests} for result in (old, new))
    both = before.keys() & after.keys()
    touched = {name for name in both if before[name].points != after[name].points} | (
        before.keys() ^ after.keys()
    )
    changed = []
    if differs("engine"):
        changed.append(GRADER)
    elif differs("master"):
        # A verdict's digest covers its test, and what all tests share: where that has changed, all digests have.
        edited = {
            name
            for name in both
            if before[name].digest and after[name].digest and before[name].digest != after[name].digest
        }
        if edited != both:
            touched |= edited
    question_of = {test.id: test.question for test in (*old.tests, *new.tests)}
    changed_questions = {question_of[name] for name in touched}
    asked = tuple(question.id for question in new.questions if question.id in changed_questions)
    if asked:
        changed.insert(0, TESTS)
    elif differs("master"):
        changed.insert(0, NOTEBOOK)
    earlier = {question.id: question for question in old.questions}
    moves = [name for name in question_of if _score(before, name) != _score(after, name)]
    moved = []
    for question in new.questions:
        if tests := tuple(name for name in moves if question_of[name] == question.id):
            moved.append(Moved(question.id, _points(earlier.get(question.id)), _points(question), tests))
    if not moved and not asked:
        return None
    when = datetime.now(UTC).isoformat(timespec="seconds")
    return Regrade(when, tuple(changed), asked, tuple(moved), why, _name(new))


def _score(tests: dict[str, TestResult], name: str) -> float:
    return tests[name].score if name in tests else 0.0


def _points(question: QuestionResult | None) -> float:
    return question.score or 0.0 if question is not None else 0.0


def _name(result: Result) -> str:
    return " ".join(result.hashes.get(key, "") for key in ("master", "engine", "notebook"))


def read_regrades(folder: Path, result: Result) -> tuple[Regrade, ...]:
    """Read how this submission was graded again, the oldest first. `folder` is where the result is."""
    try:
        kept = msgspec.json.decode((folder / REGRADES).read_bytes(), type=_Kept)
    except (OSError, msgspec.MsgspecError):
        return ()
    return kept.regrades if kept.submission == result.hashes.get("submission") else ()


def with_regrade(folder: Path, new: Result, why: str = "") -> bytes | None:
    """Return the file with what this result changes, to be put in place before it; None where nothing changes."""
    latest = regrade(Result.read(folder / "result.json"), new, why)
    if latest is None:
        return None
    # A run that was killed between the two files has written the same already.
    kept = [one for one in read_regrades(folder, new) if one.result != latest.result]
    return msgspec.json.encode(_Kept(new.hashes.get("submission", ""), (*kept, latest)[-KEPT:])) + b"\n"
