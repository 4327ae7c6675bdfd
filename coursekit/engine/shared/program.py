"""A test cell as the coordinator compiles it, in `coordinator.compiling`, and the examiner runs it."""

from typing import Any, NamedTuple

from coursekit.engine.shared.reasons import TestReason, Values
from coursekit.engine.shared.result import Outcome

HIDDEN_SEED = (
    "HIDDEN_SEED"  # the number from which hidden tests draw their inputs; the setup cells define it as 0
)
TEST_FILENAME = "<test>"  # under which a test's code is compiled
# Names that a test gives to two values that it compares: the student's, and the right one.
COMPARED_NAMES = (("got", "want"), ("got", "expected"), ("actual", "expected"), ("actual", "desired"))


class CompiledTest(NamedTuple):
    """A test cell, compiled for the examiner."""

    names: list[str]  # the student's names that it uses, sorted
    # Of each probe: its name, its source, and the student's names that it uses.
    probes: list[tuple[str, str, list[str]]]
    code: bytes  # the rest, compiled and marshalled
    # First and last line of each assert that uses both names of one of COMPARED_NAMES, and these names.
    asserts: list[tuple[int, int, str, str]]
    seeded: bool  # it uses HIDDEN_SEED


class Examined(NamedTuple):
    """The examiner's report of a test.

    Attributes:
        reason: why it was not passed; None if it passed: then there are no values, trace and comparison either.
        values: the numbers, names and texts in the message to the student.
        trace: an abridged record of what the student's code returned and raised.
        comparison: the fields of a `Comparison`.
        intact: whether the student kernel can still be used: after a broken frame, its place in the conversation is
            unknown; after a lack of memory, its state.
        shared_limit: the student's code met a limit that all processes of the machine share, as its kernel reports.
        requests: hash of all that the test asked of the student kernel.
    """

    outcome: Outcome
    reason: TestReason | None
    values: Values
    trace: str
    comparison: dict[str, Any] | None
    intact: bool
    shared_limit: bool
    requests: str


class ReferenceDefinitions(NamedTuple):
    """Prerequisites of a question, from the master's solutions: they work while the question's tests run."""

    names: list[str]
    code: bytes  # their definitions and all that these need, compiled and marshalled
