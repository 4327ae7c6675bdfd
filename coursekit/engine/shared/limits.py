"""Every limit of the engine: for cells, tests, examiner and reader, and what a kernel has of the machine.

clock        a time limit at work: CPU seconds of what is timed, and sleeping
usage        what a process has used, as /proc tells it
calibration  how much work a CPU second is here
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What one submission may use while it is graded, as course.toml has it, and what is there for it.

    Seconds are CPU seconds as `clock.Clock` counts them. Cells and tests have separate budgets: when the cells have
    used up theirs, those that are left are reduced to what they define, and every test still runs.
    """

    cell_seconds: float = 3
    all_cells_seconds: float = 30  # of a notebook, with repetitions in another kernel
    test_seconds: float = 3
    question_seconds: float = 10  # all tests of one
    memory_mb: int = 1024  # MiB
    scratch_mb: int = 128  # MiB of files
    output_kb: int = 2048  # KiB
    modules: tuple[str, ...] = ()  # imported before a notebook begins; with torch, tensors travel as values


READER_SECONDS = 2  # a notebook takes 0.01, one of 100 MiB 0.5
READER_MEMORY_MB = 512  # a notebook of 100 MiB and all that is made of it
EXAMINER_SHARE = 3  # seconds of the examiner's own work for each one that a test may take

SLOWEST = 4  # on no machine is a limit stretched further, see `calibration`
# Sleeping uses no CPU seconds: it may last so many times as long as a limit.
PATIENCE = 6

# A cell is not repeated in another kernel when it took longer: only what it defines is made again.
REPEAT_SECONDS = 1
# All cells of a notebook may take so long to make what they define, once its cells have used up their seconds.
DEFINE_SECONDS = 1
MAX_STOPS = 5  # of one cell, each at another statement; after them nothing of it is run

# What a kernel has of the machine, whatever the shell was given that the grader was started from.
STACK_MB = 64  # of the main thread
THREAD_STACK_MB = 4  # of each other; with them, `memory_mb` bounds the number of threads of a process
MAX_PROCESSES = 64  # of a kernel with all that it started
MAX_TASKS = 256  # processes and threads
MORE_TASKS = 1024  # that the user's other programs may start meanwhile

MIN_FREE_MB = 64  # of the folder for temporary files: with less, no kernel is started

MEANWHILE_SECONDS = 60  # for what takes a moment on an idle machine, such as a fork: then it is given up


@dataclass(frozen=True)
class Calibration:
    """How many times as long as on a normal machine the same work takes.

    Attributes:
        interpreter: Python's own work on numbers and small objects.
        pages: writing to memory that is fresh.
        matrix: products of matrices.
        waiting: share of the time, from 0 to 1, in which other processes had the processor.
    """

    interpreter: float = 1.0
    pages: float = 1.0
    matrix: float = 1.0
    waiting: float = 0.0

    @property
    def slowness(self) -> float:
        """By how much limits are stretched, from 1 to SLOWEST: as the slowest of the three asks for."""
        return min(max(1.0, self.interpreter, self.pages, self.matrix), SLOWEST)

    @property
    def quiet(self) -> bool:
        """Whether the machine is neither slow nor busy, so that a clock's verdict is as good as any."""
        return max(self.interpreter, self.pages, self.matrix) < 1.5 and self.waiting < 0.6


def backstop_seconds(limits: Limits, questions: int) -> int:
    """CPU seconds after which the system itself ends a kernel or an examiner: more than all limits together allow."""
    return int(
        SLOWEST * EXAMINER_SHARE * (limits.all_cells_seconds + (questions + 1) * limits.question_seconds)
    )
