"""How much dearer or cheaper grading is than in another checkout of this repository: one class, both, in turn.

    .venv/bin/python benchmarks/against.py OTHER [--week WEEK] [--submissions 60] [--rounds 3]

OTHER is the root of the other checkout, with a `.venv` of its own (`make setup` there). Each grades a class of its own
master and bank, made by `speed.make_submissions`. The two commands run in turn, first one and then the other; nothing
else may run on the machine. A run's core-seconds are what all cores of the machine were busy, since nobody counts the
CPU time of processes that nobody waits for. Its start, from the command to the first submission, is taken by each
checkout's own `speed.py`.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAKE = """
import sys
from pathlib import Path
sys.path.insert(0, "benchmarks")
import speed
from coursekit.course.bank import read_bank
from coursekit.course.config import open_course
from coursekit.engine.shared.master import fill

root, week_name, folder, count = Path.cwd(), sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
course = open_course(root)
week = course.week(week_name)
master = course.master(week)
speed.make_template(folder, week_name)
for student, answers in speed.make_submissions(master, read_bank(course, week), count).items():
    path = folder / "submitted" / student / week_name / f"{week.notebook}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_bytes(fill(master, answers))
"""

# The other checkout's own, since its modules may have other names.
OWN_MAKE = "import sys; sys.path.insert(0, 'benchmarks'); import against; exec(against.MAKE)"


def busy_seconds() -> float:
    """Core-seconds that this machine's cores have worked since it started."""
    with open("/proc/stat") as file:
        user, nice, system, _, _, irq, softirq, *_ = map(int, file.readline().split()[1:])
    return (user + nice + system + irq + softirq) / 100


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("other", type=Path)
    parser.add_argument("--week", default="week1_attention")
    parser.add_argument("--submissions", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    checkouts = {"this": ROOT, "other": chosen.other.resolve()}
    seen: dict[str, list[tuple[float, float, float]]] = {name: [] for name in checkouts}
    with tempfile.TemporaryDirectory(prefix="against-") as temporary:
        for name, root in checkouts.items():
            folder = Path(temporary, name)
            python = root / ".venv/bin/python"
            arguments = [chosen.week, str(folder), str(chosen.submissions)]
            subprocess.run([python, "-c", OWN_MAKE, *arguments], cwd=root, check=True)
        for turn in range(chosen.rounds):
            for name in sorted(checkouts, reverse=turn % 2 == 1):
                root, report = checkouts[name], Path(temporary, "stopwatch.json")
                command = [root / ".venv/bin/python", root / "benchmarks/speed.py", "--stopwatch", report]
                command += ["course", "grade", chosen.week, "--force"]
                began, busy = time.monotonic(), busy_seconds()
                done = subprocess.run(command, cwd=Path(temporary, name), capture_output=True, text=True)
                if done.returncode != 0:
                    print(done.stdout[-2000:], done.stderr[-2000:], file=sys.stderr)
                    return 1
                ended, used = time.monotonic(), busy_seconds() - busy
                start = json.loads(report.read_text())["begun"] - began
                seen[name].append((ended - began, used, start))
    print(f"{chosen.week}, {chosen.submissions} submissions, {chosen.rounds} rounds, a class with its start")
    for place, what in enumerate(("seconds", "core-seconds", "start")):
        medians = {name: statistics.median(run[place] for run in runs) for name, runs in seen.items()}
        ratios = [one[place] / two[place] for one, two in zip(seen["this"], seen["other"], strict=True)]
        each = ", ".join(f"{ratio:.2f}" for ratio in ratios)
        print(
            f"{what:13} this {medians['this']:7.1f}  other {medians['other']:7.1f}  "
            f"ratio {statistics.median(ratios):.2f} ({each})"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
