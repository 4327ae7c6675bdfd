"""What came of a notebook's cells and tests, before points are given for it."""

from dataclasses import dataclass, field
from typing import Any

from coursekit.engine.shared.reasons import Stop
from coursekit.engine.shared.result import STOPPED, Note, Verdict

AFTER_TEST = {Stop.AFTER_TEST_TIMED_OUT, Stop.AFTER_TEST_DIED, Stop.AFTER_TEST_LEFT}


@dataclass
class Used:
    """How near a submission came to its limits.

    Attributes:
        cells: seconds of each cell of the master's, by its name; of a cell that did not end well, until it stopped.
        all_cells: seconds of all cells together, with what was repeated.
        tests: seconds of each test.
        memory_mb: MiB of the kernel that took most, its own threads among them.
        output_kb: KiB that are kept.
    """

    cells: dict[str, float] = field(default_factory=dict)
    all_cells: float = 0.0
    tests: dict[str, float] = field(default_factory=dict)
    memory_mb: float = 0.0
    output_kb: float = 0.0


@dataclass(frozen=True)
class Transcript:
    """What came of a rebuilt notebook. Made by `Run.run`; by `grade` if nothing had to be run again.

    Attributes:
        outputs: of each cell that was run, by position.
        verdicts: by test.
        undisturbed: nothing was cut and nothing died, so the same would come out another time.
        by_clock: a time limit was met.
        shared_limit: the student's code met a limit that all processes of the machine share.
        flags, stops: see `Result`.
    """

    outputs: dict[int, list[dict[str, Any]]]
    verdicts: dict[str, Verdict]
    used: Used = field(default_factory=Used)
    undisturbed: bool = True
    by_clock: bool = False
    shared_limit: bool = False
    flags: tuple[Note, ...] = ()
    stops: tuple[Note, ...] = ()

    @property
    def stopped(self) -> bool:
        """Whether a test was stopped, or something that it had started."""
        return any(verdict.outcome == STOPPED for verdict in self.verdicts.values()) or any(
            note.kind in AFTER_TEST for note in self.stops
        )
