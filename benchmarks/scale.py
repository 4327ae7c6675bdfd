"""How grading grows with the class: time, memory, disk and the gradebook against the number of submissions.

    .venv/bin/python benchmarks/scale.py [--sizes 100 300 1000] [--gradebook 1000 10000] [--json FILE]

For each size a class of week 1 is made, as benchmarks/speed.py makes it, with no two submissions of equal bytes. The
command `course grade` grades and records it. While it runs, the resident memory of its own process, the coordinator,
is sampled, and the fair share (PSS) of all that it started: servers, kernels, examiners. Then the class's results are
recorded in a gradebook of their own, recorded again, exported and synced, in one new process, under a stopwatch.

The gradebook alone, for sizes that nobody wants to wait for: the same, with results that are made and not graded.

Coordinator memory is flat when it does not grow with the class but for the students' names. Given sizes that differ
by 900 or more, exits with 1 where it grows by more than 4 KiB a submission.
"""

import argparse
import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from speed import ROOT, WEEK, CommandFailed, environment, make_submissions, make_template, say

MAX_GROWTH_KB = 4
TELLING = 900  # a difference in submissions that shows growth; a smaller one shows the allocator's mood
SAMPLE_SECONDS = 0.25
PSS_EVERY = 8  # samples: looking at every page of every process costs time


def make_class(template: Path, folder: Path, size: int) -> None:
    """A course folder with so many submissions, no two alike."""
    import shutil

    from coursekit.course.bank import read_bank
    from coursekit.course.config import open_course
    from coursekit.engine.shared.master import fill

    shutil.copytree(template, folder)
    course = open_course(ROOT)
    week = course.week(WEEK)
    master = course.master(week)
    for student, answers in make_submissions(master, read_bank(course, week), size).items():
        first = next(iter(answers))
        path = folder / "submitted" / student / WEEK / f"{week.notebook}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(fill(master, answers | {first: f"{answers[first]}\n# by {student}"}))


def grade(folder: Path) -> dict:
    """Run `course grade` and watch it.

    Returns:
        `seconds`; of the coordinator's memory `start` (when the first result is there), `end` and `peak`, MiB; of
        what it started `servers_peak`, MiB; `samples`, [seconds, coordinator's MiB].

    Raises:
        CommandFailed: with the end of what it printed.
    """
    from coursekit.engine.supervisor.guardian import descendants

    samples, servers_peak, start = [], 0.0, None
    with open(folder / "log.txt", "wb") as log:
        began = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", "coursekit.cli", "grade", WEEK],
            cwd=folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        while process.poll() is None:
            if len(samples) % PSS_EVERY == 0:
                tree = sum(field(member, "smaps_rollup", "Pss:") for member in descendants(process.pid))
                servers_peak = max(servers_peak, tree)
            if memory := field(process.pid, "status", "VmRSS:"):
                samples.append([round(time.monotonic() - began, 2), round(memory, 1)])
            if start is None and any(folder.glob(f"autograded/*/{WEEK}/result.json")):
                start = memory
            time.sleep(SAMPLE_SECONDS)
        seconds = time.monotonic() - began
    if process.returncode != 0:
        raise CommandFailed((folder / "log.txt").read_text(errors="replace")[-3000:])
    memory = [value for _, value in samples]
    return {
        "seconds": seconds,
        "start": start or memory[0],
        "end": memory[-1],
        "peak": max(memory),
        "servers_peak": servers_peak,
        "samples": samples,
    }


def field(pid: int, file: str, name: str) -> float:
    """A field of /proc/PID/file that is given in kB, in MiB; 0 where the process is gone."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/{file}").read_text().splitlines():
            if line.startswith(name):
                return int(line.split()[1]) / 1024
    return 0.0


def disk(folder: Path) -> float:
    """MiB that the files of a folder take."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file()) / 2**20


def made_results(master, count: int) -> Iterator:
    """Results as the engine gives them, without grading: every third test failed, with a message."""
    from coursekit.engine.shared.result import FAILED, PASSED, QuestionResult, Result, TestResult

    for number in range(count):
        tests = []
        for question in master.questions:
            for name in question.tests:
                passed = (number + len(tests)) % 3 > 0
                outcome, message = (PASSED, "") if passed else (FAILED, "It gave 1.0 and not 2.0.")
                points = next(cell.points for cell in master.cells if cell.grade_id == name)
                score = points if passed else 0.0
                tests.append(TestResult(name, question.id, points, score, outcome, message, False))
        questions = [
            QuestionResult(
                question.id,
                question.title,
                None if question.written else sum(t.score for t in tests if t.question == question.id),
                question.max_score,
            )
            for question in master.questions
        ]
        yield Result(
            student=f"s{number:06d}",
            week=WEEK,
            status="graded",
            score=sum(test.score for test in tests),
            max_score=master.test_points,
            needs_review=True,
            questions=questions,
            tests=tests,
            hashes={"master": master.digest, "submission": f"{number:064x}", "engine": "0" * 64},
        )


def gradebook(folder: Path, count: int) -> dict:
    """Record a class twice, export and sync it, in this process.

    Args:
        count: so many made results; 0 for those that lie in the folder.

    Returns:
        Seconds of `record`, `again`, `export` and `sync`, each also as `_cpu`; `size` of the gradebook and `peak`
        memory, MiB.
    """
    from coursekit.course.config import open_course
    from coursekit.deliver.export import export_csv
    from coursekit.gradebook.cells import write_cells
    from coursekit.gradebook.record import record
    from coursekit.grading.run import students
    from coursekit.grading.store import Results

    course = open_course(folder)
    week = course.week(WEEK)
    master = course.master(week)
    (folder / "gradebook.db").unlink()
    write_cells(course, week)  # imports nbgrader and makes the database

    def results():
        return (
            made_results(master, count) if count else Results(course, week, students(course, week)).values()
        )

    numbers = {}
    for name, act in (
        ("record", lambda: record(course, week, results())),
        ("again", lambda: record(course, week, results())),
        ("export", lambda: export_csv(course, week)),
        ("sync", lambda: write_cells(course, week)),
    ):
        began, cpu = time.monotonic(), time.process_time()
        act()
        numbers[name], numbers[f"{name}_cpu"] = time.monotonic() - began, time.process_time() - cpu
    numbers["size"] = (folder / "gradebook.db").stat().st_size / 2**20
    numbers["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return numbers


def in_own_process(folder: Path, count: int) -> dict:
    """`gradebook` in a new process, so that its memory is its own."""
    done = subprocess.run(
        [sys.executable, __file__, "--gradebook-in", str(folder), str(count)],
        env=environment(),
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise CommandFailed(done.stderr[-3000:])
    return json.loads(done.stdout)


def measure(sizes: list[int], alone: list[int], temporary: Path) -> dict:
    template = temporary / "template"
    make_template(template, WEEK)
    graded, books = [], []
    for size in sizes:
        folder = temporary / f"class{size}"
        make_class(template, folder, size)
        numbers = {"submissions": size} | grade(folder)
        numbers["submitted"], numbers["autograded"] = disk(folder / "submitted"), disk(folder / "autograded")
        numbers["gradebook"] = in_own_process(folder, 0)
        graded.append(numbers)
        say(f"  {size} submissions: {numbers['seconds']:.0f} s")
    for count in alone:
        folder = temporary / f"book{count}"
        make_class(template, folder, 1)
        books.append({"results": count} | in_own_process(folder, count))
        say(f"  a gradebook of {count}: {books[-1]['record']:.0f} s")
    return {"week": WEEK, "cores": os.cpu_count(), "classes": graded, "gradebooks": books}


def growth(classes: list[dict]) -> float | None:
    """KiB of the coordinator's peak for each further submission; None where sizes are too near to tell."""
    few, many = (choose(classes, key=lambda item: item["submissions"]) for choose in (min, max))
    further = many["submissions"] - few["submissions"]
    return (many["peak"] - few["peak"]) * 1024 / further if further >= TELLING else None


def show(numbers: dict) -> None:
    print(f"{numbers['week']}, {numbers['cores']} cores")
    if numbers["classes"]:
        print()
        print("                 seconds        coordinator, MiB     servers   disk, KiB a submission")
        print("submissions    all  each   start   end   peak           MiB    submitted  autograded")
        for item in numbers["classes"]:
            count = item["submissions"]
            print(
                f"{count:11d} {item['seconds']:6.0f} {item['seconds'] / count:5.2f}"
                f" {item['start']:7.0f} {item['end']:5.0f} {item['peak']:6.0f} {item['servers_peak']:13.0f}"
                f" {1024 * item['submitted'] / count:12.0f} {1024 * item['autograded'] / count:11.0f}"
            )
    books = [(item["submissions"], item["gradebook"]) for item in numbers["classes"]]
    books += [(item["results"], item) for item in numbers["gradebooks"]]
    print()
    print("gradebook, ms a submission (CPU)                            KiB a         memory")
    print("results        record           again          export    submission    peak, MiB")
    for count, item in books:
        each = [
            f"{1000 * item[name] / count:7.2f} ({1000 * item[name + '_cpu'] / count:.2f})"
            for name in ("record", "again", "export")
        ]
        row = "  ".join(f"{text:>14}" for text in each)
        print(f"{count:7d} {row} {1024 * item['size'] / count:13.1f} {item['peak']:12.0f}")


def main() -> int:
    if sys.argv[1:2] == ["--gradebook-in"]:
        print(json.dumps(gradebook(Path(sys.argv[2]), int(sys.argv[3]))))
        return 0
    parser = argparse.ArgumentParser(
        description=__doc__.partition("\n")[0], epilog="The file's head says how it measures."
    )
    parser.add_argument("--sizes", type=int, nargs="*", default=[100, 300, 1000], help="classes to grade")
    parser.add_argument(
        "--gradebook", type=int, nargs="*", default=[1000, 10000], help="made results to record"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers there")
    asked = parser.parse_args()
    if min([*asked.sizes, *asked.gradebook], default=1) < 1:
        parser.error("sizes are above 0")
    with tempfile.TemporaryDirectory(prefix="course-scale-") as temporary:
        try:
            numbers = measure(asked.sizes, asked.gradebook, Path(temporary))
        except CommandFailed as failure:
            say(str(failure))
            return 1
    show(numbers)
    grown = growth(numbers["classes"]) if numbers["classes"] else None
    if grown is not None:
        flat = grown <= MAX_GROWTH_KB
        print(f"\ncoordinator: {grown:.2f} KiB for each further submission: {'flat' if flat else 'NOT FLAT'}")
    if asked.json:
        asked.json.write_text(json.dumps(numbers, indent=1) + "\n")
    return 1 if grown is not None and grown > MAX_GROWTH_KB else 0


if __name__ == "__main__":
    sys.exit(main())
