"""What torch's number of threads costs on a busy machine: seconds per training cell, by the clock.

    .venv/bin/python benchmarks/threads.py [--week WEEK ...] [--busy 2] [--limit 120] [--rounds 1]

Runs each week's filled-in notebook, up to its last training cell and without the tests, in an ordinary kernel, while so
many processes per core compute beside it. Each round is a pair: once with torch's default number of threads, that is,
without the setup cell's line, and once with one thread, as the notebook is. A cell that takes longer than the limit is
given up, and the notebook with it.
"""

import argparse
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError

from coursekit.course.config import Course, Week, open_course
from coursekit.engine.shared.master import TEST

ROOT = Path(__file__).resolve().parent.parent
LINE = "torch.set_num_threads("
DECIDES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OMP_WAIT_POLICY")  # what a student's notebook has not


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """So many processes that compute without end."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def prepare(course: Course, week: Week, *, default: bool) -> tuple[nbformat.NotebookNode, list[str]]:
    """(the notebook as it is run, its training cells); with `default`, without the line that sets the threads."""
    notebook = nbformat.reads(course.notebook(week).decode(), 4)
    master = course.master(week)
    training = [cell.cell_id for cell in master.cells if "training" in cell.tags]
    last = max(cell.index for cell in master.cells if cell.cell_id in training)
    if default:
        (setup,) = [cell for cell in notebook.cells if cell.cell_type == "code" and LINE in cell.source]
        setup.source = "\n".join(line for line in setup.source.split("\n") if LINE not in line)
    notebook.cells = [notebook.cells[cell.index] for cell in master.cells[: last + 1] if cell.role != TEST]
    return notebook, training


def measure(notebook: nbformat.NotebookNode, limit: int) -> dict[str, float]:
    """{cell id: seconds by the clock}, infinite for the cell that was given up; cells below it are missing.

    Raises:
        nbclient.exceptions.CellExecutionError: a cell failed.
    """
    seconds: dict[str, float] = {}

    def start(cell, cell_index):
        began[cell.id] = time.perf_counter()

    def end(cell, cell_index, **_):
        seconds[cell.id] = time.perf_counter() - began[cell.id]

    began: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="course-run-") as folder:
        client = NotebookClient(
            notebook,
            timeout=limit,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
            extra_arguments=[
                "--IPKernelApp.log_level=ERROR"
            ],  # it warns of TCP, which is on this machine alone
        )
        client.on_cell_execute, client.on_cell_executed = start, end
        try:
            client.execute(env={name: value for name, value in os.environ.items() if name not in DECIDES})
        except CellTimeoutError:
            seconds[list(began)[-1]] = math.inf
    return seconds


def as_text(seconds: float | None, limit: int) -> str:
    """Return the table's entry for a cell."""
    if seconds is None:
        return f"not reached: a cell above took over {limit}"
    return f"over {limit}" if math.isinf(seconds) else f"{seconds:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--week", nargs="+", default=["week1_attention", "week4_encoder"])
    parser.add_argument("--busy", type=int, default=2, help="processes per core that compute beside it")
    parser.add_argument("--limit", type=int, default=120, help="seconds that a cell may take")
    parser.add_argument("--rounds", type=int, default=1)
    asked = parser.parse_args()
    course, cores = open_course(ROOT), len(os.sched_getaffinity(0))
    print(
        f"{cores} cores, {asked.busy * cores} busy processes, load {os.getloadavg()[0]:.1f} before the start"
    )
    rows = []
    with busy(asked.busy * cores):
        for _ in range(asked.rounds):
            for name in asked.week:
                both = []
                for default in (True, False):
                    notebook, training = prepare(course, course.week(name), default=default)
                    both.append(measure(notebook, asked.limit))
                for cell in training:
                    rows.append((name, cell, *(as_text(run.get(cell), asked.limit) for run in both)))
    print("\n| week | training cell | default threads, s | one thread, s |\n| --- | --- | --- | --- |")
    for row in rows:
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
