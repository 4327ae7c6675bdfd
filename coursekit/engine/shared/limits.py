"""The engine's limits for cells, tests, examiner and reader, and for what a kernel may use of the machine.

How they are applied, in `coordinator`:
clock        a time limit: CPU seconds, and sleeping
usage        what a process has used, from /proc
calibration  how much work a CPU second is on this machine
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What one submission may use while it is graded, from course.toml.

    Seconds are CPU seconds as on a machine of normal speed. Cells and tests have separate budgets: when the cells have
    used up theirs, only the definitions of the remaining cells are run, and every test still runs.
    """

    cell_seconds: float = 3
    all_cells_seconds: float = 30  # of a notebook, with repetitions in another kernel
    test_seconds: float = 3
    question_seconds: float = 10  # for all tests of one question
    memory_mb: int = 1024  # MiB
    scratch_mb: int = 128  # MiB of files
    output_kb: int = 2048  # KiB
    modules: tuple[str, ...] = ()  # imported before a notebook begins; with torch, tensors travel as values


READER_SECONDS = 2  # CPU seconds; a notebook takes 0.01, one of 100 MiB 0.5
READER_MEMORY_MB = 512  # for a notebook of 100 MiB and everything derived from it
PICTURE_SECONDS = 2  # CPU seconds for one picture; a phone's photo takes 0.2
EXAMINER_SHARE = 3  # seconds of the examiner's own work for each one that a test may take

SLOWEST = 4  # the largest factor by which a limit is extended on a slow machine, see `Calibration.slowness`
# Sleeping uses no CPU seconds: it may last this many times as long as a limit.
SLEEP_FACTOR = 6

# A cell that took longer is not repeated in another kernel: only its definitions are run again.
REPEAT_SECONDS = 1
# For the definitions of all cells of a notebook, once its cells have used up their seconds.
DEFINE_SECONDS = 1
MAX_STOPS = 5  # of one cell, each at another statement; then it is not run any more

# What a kernel may use of the machine, whatever the limits of the shell from which grading was started.
STACK_MB = 64  # of the main thread
THREAD_STACK_MB = 4  # of each other thread; with them, `memory_mb` bounds the number of threads of a process
MAX_PROCESSES = 64  # of a kernel with all its descendants
MAX_TASKS = 256  # processes and threads of a kernel with all its descendants
MORE_TASKS = 1024  # processes and threads that the user's other programs may start in the meantime

MIN_FREE_MB = 64  # of the folder for temporary files: with less, no kernel is started

# Seconds after which the engine gives up on work that is quick on an idle machine, such as a fork.
INTERNAL_WAIT_SECONDS = 60


@dataclass(frozen=True)
class Calibration:
    """How many times as long the same work takes on this machine as on a normal one.

    Attributes:
        interpreter: Python's own work on numbers and small objects.
        pages: writing to newly allocated memory.
        matrix: products of matrices.
        waiting: share of the time, from 0 to 1, spent waiting for a processor.
    """

    interpreter: float = 1.0
    pages: float = 1.0
    matrix: float = 1.0
    waiting: float = 0.0

    @property
    def slowest(self) -> float:
        """How many times as long the slowest kind of work takes."""
        return max(self.interpreter, self.pages, self.matrix)

    @property
    def slowness(self) -> float:
        """The factor by which limits are extended, from 1 to SLOWEST: that of the slowest kind of work."""
        return min(max(1.0, self.slowest), SLOWEST)

    @property
    def quiet(self) -> bool:
        """Whether the machine is neither slow nor busy, so that a verdict by the clock is reliable."""
        return self.slowest < 1.5 and self.waiting < 0.6


def backstop_seconds(limits: Limits, questions: int) -> int:
    """Return the CPU seconds after which Linux ends a kernel or an examiner: more than all limits together allow."""
    return int(
        SLOWEST * EXAMINER_SHARE * (limits.all_cells_seconds + (questions + 1) * limits.question_seconds)
    )
