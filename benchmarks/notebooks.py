"""Whether every notebook runs to its end with each honest answer, on a GPU where there is one.

    .venv/bin/python benchmarks/notebooks.py [--week WEEK ...] [--jobs 2]

`course check` runs the whole notebook with the reference alone, on the CPU. Here it runs with every right answer of the
bank: as many times as the question with the most answers has some, each time with another answer to each question. It
also runs as students get it, and with the reference. So many notebooks at a time, in ordinary kernels.

Prints for each notebook its seconds (of each cell the lesser of wall clock and CPU: see
coursekit/authoring/checks/execution.py), the most memory that its tensors took on the GPU, and what is wrong: a cell
that fails, writes on stderr or takes too
long; with the reference, also a finding that does not hold. Exits with 1 where anything is wrong.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import nbformat
from nbclient.exceptions import CellTimeoutError

from coursekit.authoring.checks.execution import NotebookRun, check_filled, check_unfilled, execute
from coursekit.authoring.lesson.findings import findings
from coursekit.course.bank import Answer, read_bank
from coursekit.course.config import Course, Week, open_course
from coursekit.engine.shared.master import fill

ROOT = Path(__file__).resolve().parent.parent
MAX_CELL_SECONDS = 90  # by the clock; then the notebook is given up
RELEASE, REFERENCE, ANSWERS = "as released", "the reference", "answers"
USED = "application/x-course-gpu"
# Runs after the notebook.
SAY_USED = f"""
import torch
from IPython.display import display
display({{"{USED}": str(torch.cuda.max_memory_allocated())}}, raw=True)
"""


@dataclass(frozen=True)
class Job:
    """A notebook to be run."""

    week: Week
    kind: str
    data: bytes
    answers: tuple[Answer, ...] = ()

    def __str__(self) -> str:
        return (
            f"{self.week.name}, {self.kind} {' '.join(answer.path.stem for answer in self.answers)}".rstrip()
        )


def jobs(course: Course, week: Week) -> Iterator[Job]:
    """All notebooks of a week."""
    master = course.master(week)
    yield Job(week, RELEASE, course.release(week).read_bytes())
    yield Job(week, REFERENCE, course.notebook(week))
    right: dict[str, list[Answer]] = {}
    for answer in read_bank(course, week):
        if answer.right:
            right.setdefault(answer.question, []).append(answer)
    for chosen in zip_longest(*right.values()):
        answers = tuple(answer for answer in chosen if answer)
        sources = master.solutions | {answer.question: answer.source for answer in answers}
        yield Job(week, ANSWERS, fill(master, sources), answers)


def run(course: Course, job: Job) -> tuple[str, list[str]]:
    """Return a summary of a notebook, and its problems."""
    notebook = nbformat.reads(job.data.decode(), 4)
    notebook.cells.append(nbformat.v4.new_code_cell(SAY_USED, id="memory-of-the-gpu"))
    try:
        done = execute(
            nbformat.writes(notebook).encode(), course.data_files(job.week), timeout=MAX_CELL_SECONDS
        )
    except CellTimeoutError as error:
        return f"given up after {MAX_CELL_SECONDS} s in one cell", [str(error)[:300]]
    master = course.master(job.week)
    wrong = check_unfilled(done, master) if job.kind == RELEASE else check_filled(done, master)
    if job.kind == REFERENCE:
        wrong += [f"does not hold: {one.sentence}" for one in findings(done) if not one.holds]
    if (used := memory(done)) is None:
        wrong.append("the last cell did not say how much memory it took on the GPU")
    slowest = max(done.seconds, key=done.seconds.__getitem__)
    seconds = f"{sum(done.seconds.values()):.0f} s ({slowest} {done.seconds[slowest]:.0f} s)"
    return f"{seconds}, {(used or 0) / 2**20:.0f} MiB, {done.figures} figures", wrong


def memory(done: NotebookRun) -> int | None:
    """Bytes of the GPU that the notebook's tensors took at most; None where the last cell did not come to it."""
    for _, output in done.outputs:
        if USED in output.get("data", {}):
            return int(output.data[USED])
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--week", nargs="+", help="default: all")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="notebooks at a time")
    asked = parser.parse_args()
    import torch

    where = torch.cuda.get_device_name(0) if torch.cuda.is_available() else "CPU"
    print(f"{where}, torch {torch.__version__}", flush=True)
    course = open_course(ROOT)
    weeks = [course.week(name) for name in asked.week or [week.name for week in course.weeks]]
    bad = 0
    with ThreadPoolExecutor(asked.jobs) as pool:
        running = {pool.submit(run, course, job): job for week in weeks for job in jobs(course, week)}
        for future in as_completed(running):
            summary, wrong = future.result()
            print(f"{running[future]}: {summary}", *wrong, sep="\n    ", flush=True)
            bad += bool(wrong)
    print(f"{len(running)} notebooks, {bad} with something wrong.")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
