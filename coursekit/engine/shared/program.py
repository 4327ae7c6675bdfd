"""What the coordinator makes of a test cell, and the examiner runs: made in `coordinator.compiling`."""

from typing import Any, NamedTuple

from coursekit.engine.shared.reasons import TestReason, Values
from coursekit.engine.shared.result import Outcome

TEST_FILENAME = "<test>"  # what a test's code is compiled as
# Names that a test gives to what it compares: the student's value, and the right one.
PAIRS = (("got", "want"), ("got", "expected"), ("actual", "expected"), ("actual", "desired"))


class Program(NamedTuple):
    """A test cell, compiled for the examiner."""

    names: list[str]  # the student's names that it uses, sorted
    # Name and source of each probe, and the student's names that it uses.
    probes: list[tuple[str, str, list[str]]]
    code: bytes  # the rest, compiled and marshalled
    # First and last line of each assert that names what it compares, and the names: found, expected.
    asserts: list[tuple[int, int, str, str]]


class Examined(NamedTuple):
    """The examiner's report of a test.

    Attributes:
        reason: why it was not passed; None if it passed, and then nothing else is reported.
        values: what the message names, see `coordinator.sentences.MESSAGES`.
        trace: what the student's code returned.
        comparison: the fields of a `Comparison`.
        intact: whether the student kernel can still be used: after a broken frame its place in the
            conversation is unknown, and without memory its state is.
        shared_limit: the student's code met a limit that all processes of the machine share, as its kernel reports.
    """

    outcome: Outcome
    reason: TestReason | None
    values: Values
    trace: str
    comparison: dict[str, Any] | None
    intact: bool
    shared_limit: bool


class ReferenceDefinitions(NamedTuple):
    """The earlier answers that a question's reference answer uses: they work while the question's tests run."""

    names: list[str]
    code: bytes  # their definitions and all that these need, compiled and marshalled
