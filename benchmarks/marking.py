"""Marking a class: how heavy a question's page is, and how long a mark takes until it stands in the gradebook.

.venv/bin/python benchmarks/marking.py [--students 200] [--keep FOLDER]
"""

import argparse
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from pathlib import Path

from review import grade_all, make_class

CARD = re.compile(r'id="a-(\w+)" data-version="(\w+)"')


def timed(address: str, data: dict | None = None) -> tuple[float, str]:
    body = urllib.parse.urlencode(data).encode() if data is not None else None
    started = time.monotonic()
    with urllib.request.urlopen(address, data=body) as response:
        text = response.read().decode()
    return time.monotonic() - started, text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--keep", type=Path, help="leave the course folder there")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = given.keep or Path(temporary)
        root.mkdir(exist_ok=True)
        course = make_class(root, given.students, 1)
        week = course.weeks[0]
        grade_all(course, [week])
        command = [sys.executable, "-m", "coursekit.cli", "review", "--serve", week.name]
        program = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True)
        try:
            start = re.search(r"http://\S+/", program.stdout.readline())[0]
            for question in course.master(week).questions:
                if question.written or question is course.master(week).questions[0]:
                    measure(f"{start}Ann/{week.name}/{question.id}", question.written)
        finally:
            program.terminate()


def measure(address: str, written: bool) -> None:
    first, _ = timed(address)
    page, text = timed(address)
    state = statistics.median(timed(f"{address}/state")[0] for _ in range(5))
    cards = CARD.findall(text)
    took = []
    for key, version in cards:
        data = {
            "answer": key,
            "seen": version,
            "points": "1" if written else "",
            "comment": "Read.",
            "part": key,
        }
        seconds, part = timed(f"{address}/mark", data)
        assert CARD.search(part)[2] != version, "nothing was written"
        took.append(seconds)
    took.sort()
    print(
        f"{address.rpartition('/')[2]}: {len(cards)} answers, {len(text) / 1000:.0f} kB; the page {first:.1f} s "
        f"the first time, then {page:.2f} s; what others did {1000 * state:.0f} ms; a mark "
        f"{1000 * statistics.median(took):.0f} ms (median), {1000 * took[-1 - len(took) // 50]:.0f} ms (98 %)"
    )


if __name__ == "__main__":
    main()
