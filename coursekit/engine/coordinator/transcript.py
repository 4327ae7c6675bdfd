"""The outputs, verdicts and stops of a notebook's cells and tests, from which its result is made."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from coursekit.engine.shared.reasons import Stop
from coursekit.engine.shared.result import STOPPED, Note, Verdict

AFTER_TEST = {Stop.AFTER_TEST_TIMED_OUT, Stop.AFTER_TEST_DIED, Stop.AFTER_TEST_LEFT}


@dataclass(frozen=True)
class Used:
    """The time, memory and output that a submission used. Seconds are CPU seconds as on a machine of normal
    speed.

    Attributes:
        cell_seconds: of each cell's first run, by its grade id or cell id; under "", of the last added cell.
        all_cells_seconds: of all cells together, with repetitions.
        test_seconds: of each test.
        memory_mb: MiB that a kernel of the submission had allocated at most.
        output_kb: KiB of the outputs that are kept.
        requests: of each test, a hash of all that it asked of the student kernel.
    """

    cell_seconds: Mapping[str, float] = field(default_factory=dict)
    all_cells_seconds: float = 0.0
    test_seconds: Mapping[str, float] = field(default_factory=dict)
    memory_mb: float = 0.0
    output_kb: float = 0.0
    requests: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Transcript:
    """The record of running a rebuilt notebook. `Run.run` makes it; `without_run`, if nothing has to be run.

    Attributes:
        outputs: of each cell that was run or has saved outputs, by position.
        verdicts: by test.
        undisturbed: nothing was stopped and no process was lost, so another run would have the same outcomes.
        by_clock: a time limit was met.
        shared_limit: the student's code met a limit that all processes of the machine share.
        flags, stops: notes for the result: what a person must look at, and what was ended before it was done.
    """

    outputs: Mapping[int, list[dict[str, Any]]]
    verdicts: Mapping[str, Verdict]
    used: Used
    undisturbed: bool
    by_clock: bool
    shared_limit: bool
    flags: tuple[Note, ...]
    stops: tuple[Note, ...]

    @classmethod
    def without_run(
        cls, outputs: Mapping[int, list[dict[str, Any]]], verdicts: Mapping[str, Verdict]
    ) -> "Transcript":
        """Return the transcript of a notebook whose outputs and verdicts are all known from an earlier run."""
        return cls(
            outputs,
            verdicts,
            Used(),
            undisturbed=True,
            by_clock=False,
            shared_limit=False,
            flags=(),
            stops=(),
        )

    @property
    def stopped(self) -> bool:
        """Whether a test was stopped, or something that it had started."""
        return any(verdict.outcome == STOPPED for verdict in self.verdicts.values()) or any(
            note.kind in AFTER_TEST for note in self.stops
        )
