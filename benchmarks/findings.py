"""Whether what the notebooks find holds on other seeds, too: every experiment of every week, five times.

    .venv/bin/python benchmarks/findings.py [--seeds 1 2 3 4 5] [--week WEEK ...] [--all]

Runs each week's filled-in notebook once a seed, in an ordinary kernel, with the setup cell's SEED replaced. Prints for
each finding in how many of these runs it holds, and the sentence where it does not; for each experiment with a guess,
what was measured how often; and the seconds of all cells (the lesser of wall clock and CPU: see
coursekit/authoring/checks/execution.py). With --all every finding's sentence of every run. Exits with 1 where a
finding does not hold on all seeds, or a cell fails.
"""

import argparse
import os
import re
import statistics
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import nbformat

from coursekit.authoring.checks.execution import NotebookRun, errors, execute
from coursekit.authoring.lesson.findings import findings, measured
from coursekit.course.config import Course, Week, open_course

ROOT = Path(__file__).resolve().parent.parent


def run_seed(course: Course, week: Week, seed: int) -> NotebookRun:
    """The filled-in notebook with this seed."""
    notebook = nbformat.reads(course.notebook(week).decode(), 4)
    (setup,) = [cell for cell in notebook.cells if cell.id == "setup"]
    setup.source, replaced = re.subn(r"^SEED = \d+$", f"SEED = {seed}", setup.source, flags=re.MULTILINE)
    assert replaced == 1, f"{week.name}: the setup cell has no line `SEED = …`"
    return execute(nbformat.writes(notebook).encode(), course.data_files(week))


def show(week: Week, runs: dict[int, NotebookRun], everything: bool) -> bool:
    """Print a week's table; gives whether all of it holds."""
    seconds = [sum(run.seconds.values()) for run in runs.values()]
    print(f"\n{week.name}: seeds {', '.join(map(str, runs))}; {statistics.median(seconds):.0f} s a run")
    good = True
    for seed, run in runs.items():
        for cell, name, message in errors(run):
            print(f"  seed {seed}: cell {cell} raises {name}: {message[:200]}")
            good = False
    found = {seed: findings(run) for seed, run in runs.items()}
    for cell, number in dict.fromkeys(
        (one.cell, one.number) for sentences in found.values() for one in sentences
    ):
        each = {
            seed: one
            for seed, sentences in found.items()
            for one in sentences
            if (one.cell, one.number) == (cell, number)
        }
        held = sum(one.holds for one in each.values())
        print(f"  {held} of {len(runs)}  {cell} ({number}): {next(iter(each.values())).sentence}")
        good &= held == len(runs)
        for seed, one in each.items():
            if everything or not one.holds:
                print(f"          seed {seed}: {one.sentence}")
    outcomes = {seed: measured(run) for seed, run in runs.items()}
    for cell in dict.fromkeys(cell for each in outcomes.values() for cell in each):
        counts = Counter(each.get(cell, "not reached") for each in outcomes.values())
        print(f"  measured  {cell}: {', '.join(f'{what} ({times})' for what, times in counts.most_common())}")
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--week", nargs="+", help="default: all")
    parser.add_argument("--all", action="store_true", help="also every sentence of every run")
    asked = parser.parse_args()
    course = open_course(ROOT)
    good = True
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for name in asked.week or [week.name for week in course.weeks]:
            week = course.week(name)
            runs = dict(zip(asked.seeds, pool.map(partial(run_seed, course, week), asked.seeds), strict=True))
            good &= show(week, runs, asked.all)
            sys.stdout.flush()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
