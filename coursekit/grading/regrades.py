"""A record that a submission was graded again, and why: a file beside its result, for the pages."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from coursekit.engine.shared.reasons import Flag
from coursekit.engine.shared.result import QuestionResult, Result, TestResult

REGRADES = "regrades.json"
MAX_KEPT = 20  # of one submission; older ones are dropped
# What had changed: the tests of some questions, or else something in the master; the engine.
TESTS, NOTEBOOK, GRADER = "tests", "notebook", "grader"


@dataclass(frozen=True)
class QuestionChange:
    """A question with tests whose scores changed."""

    question: str
    before: float  # points
    after: float
    tests: tuple[str, ...]  # whose scores changed; a missing test counts as 0


@dataclass(frozen=True)
class Regrade:
    """One time that a submission was graded again."""

    when: str  # date and time in UTC, in the form of ISO 8601
    changed: tuple[str, ...]  # TESTS, NOTEBOOK, GRADER
    questions: tuple[str, ...]  # whose tests changed
    moved: tuple[QuestionChange, ...]
    why: str  # in the instructor's words; "" if not given
    result: str  # identifies the new result: hashes of the master, the engine and the graded notebook


@dataclass(frozen=True)
class _RegradesFile:
    """The content of regrades.json."""

    submission: str  # its hash
    regrades: tuple[Regrade, ...]


def regrade(old: Result | None, new: Result, why: str = "") -> Regrade | None:
    """Return the changes between two results; None for another submission, or if a student would notice no change.

    After a fault of the grader there is no regrade. A result that met a time limit is always computed again: that is a
    regrade only if the master or the engine changed, too. So is one whose answer lacked a package: if its points
    changed, the package has been installed, and the grader is another one.
    """

    def differs(key: str) -> bool:
        return old is not None and old.hashes.get(key) != new.hashes.get(key)

    if old is None or old.faulty or differs("submission"):
        return None
    installed = any(flag.kind == Flag.MISSING_PACKAGE for flag in old.flags)  # a package, since then
    if old.by_clock and not (installed or differs("master") or differs("engine")):
        return None
    before, after = ({test.id: test for test in result.tests} for result in (old, new))
    both = before.keys() & after.keys()
    changed_tests = {name for name in both if before[name].points != after[name].points} | (
        before.keys() ^ after.keys()
    )
    changed = []
    if differs("engine") or installed:
        changed.append(GRADER)
    elif differs("master"):
        # A digest covers a test's source and what all tests share: if that changed, so did every digest.
        edited = {
            name
            for name in both
            if before[name].digest and after[name].digest and before[name].digest != after[name].digest
        }
        if edited != both:
            changed_tests |= edited
    question_of = {test.id: test.question for test in (*old.tests, *new.tests)}
    changed_questions = {question_of[name] for name in changed_tests}
    retested = tuple(question.id for question in new.questions if question.id in changed_questions)
    if retested:
        changed.insert(0, TESTS)
    elif differs("master"):
        changed.insert(0, NOTEBOOK)
    earlier = {question.id: question for question in old.questions}
    moved_tests = [name for name in question_of if _score(before, name) != _score(after, name)]
    moved = []
    for question in new.questions:
        if tests := tuple(name for name in moved_tests if question_of[name] == question.id):
            moved.append(
                QuestionChange(question.id, _points(earlier.get(question.id)), _points(question), tests)
            )
    if not moved and not retested:
        return None
    return Regrade(
        when=datetime.now(UTC).isoformat(timespec="seconds"),
        changed=tuple(changed),
        questions=retested,
        moved=tuple(moved),
        why=why,
        result=_identity(new),
    )


def _score(tests: dict[str, TestResult], name: str) -> float:
    return tests[name].score if name in tests else 0.0


def _points(question: QuestionResult | None) -> float:
    return question.score or 0.0 if question is not None else 0.0


def _identity(result: Result) -> str:
    return " ".join(result.hashes.get(key, "") for key in ("master", "engine", "notebook"))


def read_regrades(folder: Path, result: Result) -> tuple[Regrade, ...]:
    """Return the recorded regrades of this submission, the oldest first. `folder` holds the result."""
    try:
        kept = msgspec.json.decode((folder / REGRADES).read_bytes(), type=_RegradesFile)
    except (OSError, msgspec.MsgspecError):
        return ()
    return kept.regrades if kept.submission == result.hashes.get("submission") else ()


def with_regrade(folder: Path, new: Result, why: str = "") -> bytes | None:
    """Return regrades.json with this result's changes, to be written before the result; None if there are none."""
    latest = regrade(Result.read(folder / "result.json"), new, why)
    if latest is None:
        return None
    # A run that was killed between the two files has already written the same regrade.
    kept = [earlier for earlier in read_regrades(folder, new) if earlier.result != latest.result]
    return (
        msgspec.json.encode(_RegradesFile(new.hashes.get("submission", ""), (*kept, latest)[-MAX_KEPT:]))
        + b"\n"
    )
