"""How long students wait for a receipt and for their points, with `course serve` on this machine.

    .venv/bin/python benchmarks/hand_ins.py idle [WEEK …] [--runs 20]
    .venv/bin/python benchmarks/hand_ins.py crowd WEEK [--students 500] [--seconds 60]

`idle` hands in one notebook after the other and prints, for each week, the median, the fastest and the slowest time
from the request to the table of points. `crowd` lets all students hand in at random moments within some seconds, and
compares the time until all are graded with `course grade` on the same files, run just before; it prints how long
receipts took, and the server's memory after the first tenth of the results and at its most.

Each student has a notebook of their own, filled with answers from the bank. Ends with an error if a receipt lacks its
one result for exactly the bytes that were handed in.
"""

import argparse
import csv
import hashlib
import http.client
import json
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from coursekit.course.bank import read_bank
from coursekit.course.config import Course, Week, open_course
from coursekit.engine.shared.master import fill

COURSE = [sys.executable, "-m", "coursekit.cli"]


def main() -> None:
    """Measure what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    kinds = parser.add_subparsers(dest="kind", required=True)
    idle = kinds.add_parser("idle")
    idle.add_argument("weeks", nargs="*")
    idle.add_argument("--runs", type=int, default=20)
    crowd = kinds.add_parser("crowd")
    crowd.add_argument("weeks", nargs=1)
    crowd.add_argument("--students", type=int, default=500)
    crowd.add_argument("--seconds", type=float, default=60)
    chosen = parser.parse_args()
    course = open_course(Path.cwd())
    for week in course.select(chosen.weeks):
        if chosen.kind == "idle":
            measure_idle(course, week, chosen.runs)
        else:
            measure_crowd(course, week, chosen.students, chosen.seconds)


def measure_idle(course: Course, week: Week, runs: int) -> None:
    """Print how long one hand-in after the other takes."""
    notebooks = list(filled(course, week, runs))
    with tempfile.TemporaryDirectory() as folder, serving(copy_of(course, week, folder), 1) as (port, codes):
        code = codes["s0000"]
        hand_in(port, code, week, notebooks[0] + b" ")  # the week's servers have started
        seconds = []
        for data in notebooks:
            begun = time.perf_counter()
            hand_in(port, code, week, data)
            seconds.append(time.perf_counter() - begun)
    print(
        f"{week.name}: median {statistics.median(seconds):.2f} s, fastest {min(seconds):.2f} s, "
        f"slowest {max(seconds):.2f} s, {runs} runs",
        flush=True,
    )


def measure_crowd(course: Course, week: Week, students: int, within: float) -> None:
    """Print how a class fares that hands in at about the same time, beside `course grade`."""
    notebooks = list(filled(course, week, students))
    with tempfile.TemporaryDirectory() as folder:
        root = copy_of(course, week, folder)
        for number, data in enumerate(notebooks):
            path = root / "submitted" / f"s{number:04}" / week.name / f"{week.notebook}.ipynb"
            path.parent.mkdir(parents=True)
            path.write_bytes(data)
        begun = time.perf_counter()
        subprocess.run([*COURSE, "grade", week.name], cwd=root, check=True, capture_output=True)
        batch = time.perf_counter() - begun
    chance = random.Random(1)
    receipts: dict[int, tuple[float, str]] = {}  # {student: (seconds until the receipt, the hand-in's id)}
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(copy_of(course, week, folder), students) as (port, codes),
    ):
        hand_in(port, codes["s0000"], week, notebooks[0] + b" ")
        start = time.perf_counter()

        def student(number: int, at: float) -> None:
            time.sleep(max(0.0, start + at - time.perf_counter()))
            begun = time.perf_counter()
            answer = ask(
                port, codes[f"s{number:04}"], "POST", f"weeks/{week.name}/hand-ins", notebooks[number]
            )
            receipts[number] = time.perf_counter() - begun, answer["id"]

        moments = [chance.uniform(0, within) for _ in range(students)]
        threads = [threading.Thread(target=student, args=one) for one in enumerate(moments)]
        for thread in threads:
            thread.start()
        server, memory = psutil.Process(listener(port)), dict[int, int]()
        while (done := metric(port, "graded")) < students + 1:
            memory[done] = max(memory.get(done, 0), server.memory_info().rss)
            time.sleep(0.25)
        total = time.perf_counter() - start
        for thread in threads:
            thread.join()
        for number, (_, name) in receipts.items():
            row = ask(port, codes[f"s{number:04}"], "GET", f"hand-ins/{name}")
            digest = hashlib.sha256(notebooks[number]).hexdigest()
            if row["state"] != "graded" or not digest.startswith(row["receipt"]):
                sys.exit(
                    f"The hand-in of student {number} is {row['state']}, with the receipt {row['receipt']}."
                )
        if len(receipts) < students:
            sys.exit(f"Only {len(receipts)} of {students} students have a receipt.")
    waits = sorted(wait for wait, _ in receipts.values())
    early = max((rss for done, rss in memory.items() if done <= students // 10), default=0)
    print(
        f"{week.name}: {students} hand-ins within {within:g} s. Receipts: median {statistics.median(waits):.3f} s, "
        f"p99 {waits[int(0.99 * len(waits))]:.3f} s, slowest {waits[-1]:.3f} s.\n"
        f"All graded after {total:.1f} s; course grade on the same files: {batch:.1f} s; ratio {total / batch:.2f}.\n"
        f"Memory of the server: {early >> 20} MiB after the first tenth, at most {max(memory.values()) >> 20} MiB."
    )


def filled(course: Course, week: Week, count: int) -> Iterator[bytes]:
    """Yield notebooks with answers drawn from the bank, each different from the others."""
    master, chance = course.master(week), random.Random(week.name)
    by_question: dict[str, list[str]] = {}
    for answer in read_bank(course, week):
        by_question.setdefault(answer.question, []).append(answer.source)
    for number in range(count):
        answers = {question: chance.choice(sources) for question, sources in by_question.items()}
        yield fill(master, master.solutions | answers) + b" " * (number + 2)


def copy_of(course: Course, week: Week, folder: str) -> Path:
    """Return a course folder with one week, without its bank, in which a student may hand in as often as they like."""
    root = Path(folder)
    shutil.copytree(course.source(week).parent, root / "source" / week.name)
    shutil.copytree(course.root / "assets", root / "assets")
    shutil.copy(course.root / "nbgrader_config.py", root)
    settings, *weeks = (course.root / "course.toml").read_text(encoding="utf-8").split("[[weeks]]")
    (own,) = [text for text in weeks if f'"{week.name}"' in text]
    table = '[hand_ins]\nattempts = 1000\n\n[hidden_tests]\nbefore_due = "count"\n\n'
    (root / "course.toml").write_text(f"{settings}{table}[[weeks]]{own}", encoding="utf-8")
    return root


@contextmanager
def serving(root: Path, students: int) -> Iterator[tuple[int, dict[str, str]]]:
    """Give the port of a server for a course folder, and its students' codes."""
    names = [f"s{number:04}" for number in range(students)]
    (root / "roster.csv").write_text("\n".join(["student id", *names]) + "\n")
    made = subprocess.run([*COURSE, "codes"], cwd=root, check=True, capture_output=True, text=True).stdout
    codes = {row["student"]: row["code"] for row in csv.DictReader(made.splitlines())}
    command = [*COURSE, "serve", "--port", "0"]
    with subprocess.Popen(
        command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as program:
        try:
            assert program.stdout is not None
            for line in program.stdout:
                if found := re.search(r"127\.0\.0\.1:(\d+)", line):
                    break
            else:
                sys.exit("The server did not start.")
            threading.Thread(target=program.stdout.read, daemon=True).start()
            yield int(found[1]), codes
        finally:
            program.terminate()


def ask(port: int, code: str, method: str, path: str, data: bytes | None = None) -> dict:
    """Return the server's answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request(method, f"/api/v1/{path}", data, {"Authorization": f"Bearer {code}"})
    response = connection.getresponse()
    answer = json.loads(response.read())
    connection.close()
    if response.status not in (200, 201):
        sys.exit(f"{method} {path}: {response.status}, {answer}")
    return answer


def hand_in(port: int, code: str, week: Week, data: bytes) -> None:
    """Hand in, and wait for the points as the notebook does."""
    answer = ask(port, code, "POST", f"weeks/{week.name}/hand-ins", data)
    while answer["state"] in ("waiting", "grading"):
        answer = ask(port, code, "GET", f"hand-ins/{answer['id']}?wait=20")
    if answer["state"] != "graded":
        sys.exit(f"A hand-in is {answer['state']}: {answer['message']}")


def metric(port: int, state: str) -> int:
    """Return the server's number of hand-ins in this state."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    found = re.search(rf'state="{state}"}} (\d+)', text)
    return int(found[1]) if found else 0


def listener(port: int) -> int:
    """Return the process that listens on a port of this machine."""
    return next(
        one.pid
        for one in psutil.net_connections("tcp")
        if one.status == psutil.CONN_LISTEN and one.laddr and one.laddr.port == port and one.pid
    )


if __name__ == "__main__":
    main()
