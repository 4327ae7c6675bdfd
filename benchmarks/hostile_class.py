"""What ten of the costliest notebooks cost a class: the same honest submissions graded with them and without.

    .venv/bin/python benchmarks/hostile_class.py [--honest 90] [--hostile 10] [--workers 8] [--pairs 6] [--json FILE]

A class of week 1 is made as benchmarks/speed.py makes it. Both halves of a pair are the command `course grade`, one
right after the other, in turn first and last. In the one there are hostile students as well: each hands in the kind
of thing that has cost most, in the first cell for an answer (with `--answers N`: in the first N). No name of theirs
decides when they are graded: they are spread over the class.

The ratio of one pair strays by a tenth or more, the median of six by half as much.

The limits are the course's own. A notebook may use what they allow: with `--answers 6` one that burns its time in
every cell costs `all_cells_seconds` of a core by right, and ten of them more than a class of light weeks.

Exits with 1 when a budget does not hold, an honest student's result.json differs in more than what each run measures
anew, somebody has no result, or a hostile notebook gets a point.
"""

import argparse
import gzip
import io
import json
import os
import statistics
import sys
import tempfile
import zipfile
from pathlib import Path

from speed import ROOT, WEEK, CommandFailed, command, make_folder, make_submissions, make_template, say

MAX_RATIO = 1.5
MAX_MEMORY_MIB = 300

# Cells that cost, in place of an answer.
CELLS = {
    "json_bombs": """
kernel = get_ipython().kernel
bomb = b'{"data": {"text/plain": "x", "application/json": [' + b"[]," * 700_000 + b"[]]}, \\"metadata\\": {}}"
for _ in range(200):
    message = kernel.session.msg("display_data", content=bomb, parent=kernel.get_parent("shell"))
    kernel.session.send(kernel.iopub_socket, message)""",
    "depth_bombs": """
kernel = get_ipython().kernel
bomb = b'{"data": ' + b"[" * 1_200_000 + b"]" * 1_200_000 + b"}"
for _ in range(200):
    message = kernel.session.msg("display_data", content=bomb, parent=kernel.get_parent("shell"))
    kernel.session.send(kernel.iopub_socket, message)""",
    "output_flood": """
while True:
    print("x" * 1000, flush=True)""",
    "burning_children": """
import subprocess, sys, time
burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4)]
time.sleep(1000)""",
    "memory_eaters": """
import os, time
for _ in range(6):
    if os.fork() == 0:
        hoard = bytearray(os.urandom(1 << 20) * 900)
        time.sleep(1000)
time.sleep(1000)""",
    "process trees": """
import os, time
while True:
    if os.fork() == 0:
        time.sleep(1000)""",
    "scratch_filler": """
for number in range(1000):
    with open(f"{number}", "wb") as file:
        file.write(bytes(100 << 20))""",
    "sleeper": """
import time
time.sleep(1000)""",
}


def hostile_folders(master, answers: int) -> dict[str, dict[str, bytes]]:
    """{what it is: its files by name}."""
    from coursekit.engine.shared.master import fill

    name = f"{master.name}.ipynb"
    questions = [question.id for question in master.questions if not question.written][:answers]
    marks = "x" + "\u0301\u0327" * 16_000

    def changed(change) -> bytes:
        notebook = json.loads(fill(master, {}))
        change(notebook["cells"])
        return json.dumps(notebook).encode()

    def long_ids(cells):
        for cell in cells:
            cell["id"] = marks
            cell["metadata"].get("nbgrader", {})["grade_id"] = marks

    def long_identifiers(cells):
        cells += [
            {"cell_type": "code", "metadata": {}, "source": f"{marks} = {n}", "outputs": []}
            for n in range(20)
        ]

    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for number in range(5):
            file.writestr(f"{number}.ipynb", b'{"cells": [' + b'{"source": [' * 1_500_000)
    return {
        "cells_in_a_gzip": {name: gzip.compress(b'{"cells": [' + b"{}," * 6_000_000 + b"{}]}")},
        "long_ids": {name: changed(long_ids)},
        "long_identifiers": {name: changed(long_identifiers)},
        "archives": {f"{number}.zip": archive.getvalue() for number in range(5)},
    } | {kind: {name: fill(master, dict.fromkeys(questions, cell))} for kind, cell in CELLS.items()}


def measure(asked: argparse.Namespace, temporary: Path) -> tuple[dict, list[str]]:
    """Everything that is measured, and what is wrong with it: in words, [] when nothing is.

    Raises:
        CommandFailed: one of the commands did.
    """
    from coursekit.course.bank import read_bank
    from coursekit.course.config import open_course
    from coursekit.engine.shared.master import fill

    course = open_course(ROOT)
    week = course.week(WEEK)
    master = course.master(week)
    made = make_submissions(master, read_bank(course, week), asked.honest)
    honest = {student: fill(master, given) for student, given in made.items()}
    folders = list(hostile_folders(master, asked.answers).items())
    hostile = {}
    for number in range(asked.hostile):
        kind, files = folders[number % len(folders)]
        hostile[f"s{number * asked.honest // max(1, asked.hostile):03d}-{kind}"] = files
    template = temporary / "template"
    make_template(template, WEEK)

    pairs, problems, seconds = [], [], {}
    for number in range(asked.pairs):
        pair, results = {}, {}
        for kind_of_class in ("without", "with") if number % 2 == 0 else ("with", "without"):
            folder = make_folder(template, temporary / f"{kind_of_class}{number}", master, honest)
            for student, files in hostile.items() if kind_of_class == "with" else ():
                place = folder / "submitted" / student / WEEK
                place.mkdir(parents=True)
                for name, data in files.items():
                    (place / name).write_bytes(data)
            pair[kind_of_class] = command(folder, "course", "grade", WEEK, "--workers", str(asked.workers))
            pair[kind_of_class]["seconds"] = pair[kind_of_class]["start"] + pair[kind_of_class]["work"]
            results[kind_of_class] = {
                path.parts[-3]: path.read_text() for path in folder.glob("autograded/*/*/result.json")
            }
            say(f"  pair {number + 1}, {kind_of_class}: {pair[kind_of_class]['seconds']:.1f} s")
        pair["ratio"] = pair["with"]["seconds"] / pair["without"]["seconds"]
        pair["other"] = [
            student
            for student in honest
            if _but_measured(results["with"].get(student)) != _but_measured(results["without"].get(student))
        ]
        for student in hostile:
            result = json.loads(results["with"].get(student, "{}"))
            seconds.setdefault(student, []).append((result.get("seconds", 0.0), result.get("status", "none")))
            if not result or result["score"]:
                problems.append(f"{student} has {'a point' if result else 'no result'}")
        problems += [f"{student} has another result beside the hostile ones" for student in pair["other"]]
        pairs.append(pair)
    numbers = {
        "honest": asked.honest,
        "hostile": seconds,
        "workers": asked.workers,
        "cores": len(os.sched_getaffinity(0)),
        "limits": [course.limits.cell_seconds, course.limits.test_seconds, course.limits.all_cells_seconds],
        "pairs": pairs,
        "ratio": statistics.median(pair["ratio"] for pair in pairs),
        "peak_mib": max(pair["with"]["peak_kb"] for pair in pairs) / 1024,
    }
    if numbers["ratio"] > MAX_RATIO:
        problems.append(f"the class takes {numbers['ratio']:.2f} times as long; the budget is {MAX_RATIO}")
    if numbers["peak_mib"] > MAX_MEMORY_MIB:
        problems.append(f"the coordinator took {numbers['peak_mib']:.0f} MiB; the budget is {MAX_MEMORY_MIB}")
    return numbers, problems


def _but_measured(result: str | None) -> dict:
    """A result.json without what each run measures anew; {} where there is none."""
    data = json.loads(result or "{}")
    return {name: value for name, value in data.items() if name not in ("seconds", "calibration")}


def show(numbers: dict) -> None:
    cell, test, total = numbers["limits"]
    print(
        f"{WEEK}: {numbers['honest']} honest submissions, beside them {len(numbers['hostile'])} hostile ones;"
    )
    print(
        f"{numbers['workers']} workers, {numbers['cores']} cores; limits {cell:g} s a cell, {test:g} a test, {total:g}."
    )
    print()
    print("pair   seconds without   with   ratio   coordinator's CPU, s      its memory, MiB   other results")
    for place, pair in enumerate(numbers["pairs"], 1):
        without, beside = pair["without"], pair["with"]
        print(
            f"{place:4d} {without['seconds']:17.1f} {beside['seconds']:6.1f} {pair['ratio']:7.2f}"
            f" {without['cpu']:11.1f} without {beside['cpu']:5.1f} with {without['peak_kb'] / 1024:10.0f}"
            f" {beside['peak_kb'] / 1024:6.0f} {len(pair['other']):15d}"
        )
    print()
    print(f"{'hostile':<30} {'seconds at work, by pair':<42} status")
    for student, rows in numbers["hostile"].items():
        took = ", ".join(f"{seconds:.1f}" for seconds, _ in rows)
        print(f"{student:<30} {took:<42} {rows[-1][1]}")
    print()
    print(f"budget: ratio at most {MAX_RATIO}: {numbers['ratio']:.2f}")
    print(f"budget: coordinator at most {MAX_MEMORY_MIB} MiB: {numbers['peak_mib']:.0f}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__.partition("\n")[0], epilog="The file's head says how it measures."
    )
    parser.add_argument("--honest", type=int, default=90, help="honest submissions (default: 90)")
    parser.add_argument("--hostile", type=int, default=10, help="hostile ones, of twelve kinds (default: 10)")
    parser.add_argument("--workers", type=int, default=8, help="at a time (default: 8)")
    parser.add_argument("--pairs", type=int, default=6, help="pairs of runs (default: 6)")
    parser.add_argument(
        "--answers", type=int, default=1, help="answers that are hostile, of each (default: 1)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers there")
    asked = parser.parse_args()
    if min(asked.honest, asked.hostile, asked.workers, asked.pairs) < 1:
        parser.error("sizes are above 0")
    with tempfile.TemporaryDirectory(prefix="course-hostile-") as temporary:
        try:
            numbers, problems = measure(asked, Path(temporary))
        except CommandFailed as failure:
            say(str(failure))
            return 1
    show(numbers)
    if asked.json:
        asked.json.write_text(json.dumps(numbers, indent=1) + "\n")
    for problem in problems:
        say(f"BAD {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
