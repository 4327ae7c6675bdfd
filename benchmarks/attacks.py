"""What hostile submissions earn: with `course grade`, and with plain `nbgrader autograde` on the same files.

    .venv/bin/python benchmarks/attacks.py [--group NAME ...] [--parallel 2] [--results FOLDER] [--no-course]

The attacks are those of `tests/attacks/`; base answers, master and scoring are its harness's. Prints a table by group.

nbgrader runs a student's code as the user who starts it. So each of its runs gets a disposable course folder and a
home of its own, and happens in fresh mount, process, network and other namespaces, as a user without rights or files,
under resource limits and a time limit. That needs root on Linux; without it nothing is run. Attacks that use up
memory or disk are not run even so: no limit here bounds many processes together.

Each attack is graded alone; where that fails or gives no mark, once more with an honest neighbour after it, to see
whether the class goes on. Counted is what can be measured: marks in the gradebook, files that changed, a command that
did not end. With --results, what is done is kept there and not done again.

Exits with 1 when an attack earns undeserved points with `course grade`.
"""

import argparse
import ctypes
import fcntl
import json
import os
import resource
import shutil
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT))

from attacks import harness  # noqa: E402
from attacks.bait import Bait  # noqa: E402
from attacks.harness import WEEK, Attack, Submission, make_folder, neighbours, read_attacks  # noqa: E402

UNBOUNDED = ("exhausting",)
SECONDS = 240  # for one run of nbgrader; a busy machine is slow
FIRST_USER = 61_000  # user numbers that nobody has
NAMESPACES = ("--mount", "--pid", "--ipc", "--net", "--uts", "--fork", "--kill-child", "--mount-proc")
HIDDEN = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/root", "/home")
NEIGHBOUR = "z-neighbour"


# Inside: a process in its own namespaces gives up its rights and becomes nbgrader.


def inside(user: int, folder: Path, arguments: list[str]) -> None:
    """Hide what is nobody's business, start the loopback device, give up all rights, become nbgrader."""
    keep = [str(ROOT), os.path.realpath(sys.base_prefix), str(folder)]
    stage = Path(tempfile.mkdtemp())
    _mount("tmpfs", stage, "tmpfs")
    for number, path in enumerate(keep):
        (stage / str(number)).mkdir()
        _mount(path, stage / str(number), flags=4096 | 16384)  # MS_BIND, MS_REC
    Path("/mnt").mkdir(exist_ok=True)
    _mount(str(stage), Path("/mnt"), flags=4096 | 16384)
    for place in HIDDEN:
        if Path(place).is_dir():
            _mount("tmpfs", Path(place), "tmpfs", data="size=256m,mode=1777")
    for number, path in enumerate(keep):
        Path(path).mkdir(parents=True, exist_ok=True)
        _mount(f"/mnt/{number}", Path(path), flags=4096 | 16384)
        if path != str(folder):
            _mount("none", Path(path), flags=4096 | 32 | 1)  # MS_BIND, MS_REMOUNT, MS_RDONLY
    _mount("tmpfs", Path("/mnt"), "tmpfs", data="size=4k,mode=555")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as loopback:
        fcntl.ioctl(loopback, 0x8914, struct.pack("16sH14x", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP
    for limit, most in (
        (resource.RLIMIT_AS, 6 << 30),
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_FSIZE, 256 << 20),
        (resource.RLIMIT_NOFILE, 1024),
        (resource.RLIMIT_NPROC, 256),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (most, most))
    os.chdir(folder / "course")
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    if ctypes.CDLL(None).prctl(38, 1, 0, 0, 0) != 0:  # PR_SET_NO_NEW_PRIVS
        raise OSError("prctl failed")
    environment = {
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "OMP_NUM_THREADS": "1",
    }
    environment |= {"HOME": str(folder / "home"), "TMPDIR": "/tmp", "PLAIN_NBGRADER": "1"}
    os.execve(sys.executable, [sys.executable, "-m", "nbgrader", *arguments], environment)


def _mount(source: str, target: Path, kind: str = "", flags: int = 0, data: str = "") -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if (
        libc.mount(source.encode(), str(target).encode(), kind.encode() or None, flags, data.encode() or None)
        != 0
    ):
        raise OSError(ctypes.get_errno(), f"mount {source} on {target}")


def nbgrader(user: int, folder: Path, *arguments: str) -> tuple[int | None, str]:
    """Run nbgrader confined: its exit code (None: it did not end), and the end of its output."""
    # When this program is killed, so is `unshare`, and everything in its namespaces.
    command = ["setpriv", "--pdeathsig", "KILL", "unshare", *NAMESPACES, sys.executable, __file__]
    command += ["--inside", str(user), str(folder), *arguments]
    with open(folder / "log.txt", "wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            code = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()  # and, by --kill-child, everything in its namespaces
            process.wait()
            code = None
    with open(folder / "log.txt", "rb") as log:
        log.seek(max(0, os.path.getsize(log.name) - 3000))
        return code, log.read().decode(errors="replace")


def cannot_confine() -> str:
    """Why nbgrader cannot be confined here; "" when it can."""
    if os.getuid() != 0 or not (shutil.which("unshare") and shutil.which("setpriv")):
        return "Running attacks under nbgrader needs root, `unshare` and `setpriv`, to lock them in."
    done = subprocess.run(["unshare", *NAMESPACES, "true"], capture_output=True, text=True)
    return f"Namespaces cannot be made here: {done.stderr.strip()}" if done.returncode else ""


# One attack under nbgrader.


def prepare(folder: Path) -> None:
    """A course folder that nbgrader has released the week in, with the repository's own limits."""
    limits = (ROOT / "course.toml").read_text().split("[limits]")[1].split("[[")[0]
    course = make_folder(folder / "course", limits)
    source = course.source(course.week(WEEK))
    notebook = json.loads(source.read_text())
    # Cells that only draw cost nbgrader seconds and change no mark.
    notebook["cells"] = [
        cell for cell in notebook["cells"] if "skip-grading" not in cell["metadata"].get("tags", [])
    ]
    source.write_text(json.dumps(notebook))
    _give(folder, FIRST_USER)
    code, text = nbgrader(FIRST_USER, folder, "generate_assignment", WEEK)
    if code != 0:
        raise SystemExit(f"nbgrader generate_assignment failed:\n{text}")
    assert course.release(course.week(WEEK)).is_file()


def attempt(attack: Attack, template: Path, folder: Path, user: int) -> dict[str, Any]:
    """What comes of one attack: its `score` (None: no mark), whether nbgrader `ended`, `stopped` the class, and
    what files it `changed`."""
    found = _run(attack, template, folder, user, [])
    if not found["ended"] or found["score"] is None:
        followed = _run(attack, template, folder, user, [NEIGHBOUR])
        found["stopped"] = followed["neighbour"] is None
    return found


def _run(attack: Attack, template: Path, folder: Path, user: int, others: list[str]) -> dict[str, Any]:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(template, folder)
    course = harness.open_course(folder / "course")
    week = course.week(WEEK)
    with Bait(folder) as bait:
        submission = Submission(course.master(week), attack.student, bait)
        attack.put_into(submission)
        submission.hand_in(course.submitted(submission.student, week), f"{week.notebook}.ipynb")
        for student in others:
            place = course.submitted(student, week)
            place.mkdir(parents=True)
            (place / f"{week.notebook}.ipynb").write_bytes(neighbours(course, week)["a-neighbour"])
        _give(folder, user)
        before = harness.tree(folder)
        only = [] if others else ["--student", submission.student]
        code, text = nbgrader(user, folder, "autograde", WEEK, *only)
        after = harness.tree(folder)
    expected = (
        "log.txt",
        "home/.cache",
        "home/.config",
        "home/.local",
        "home/.ipython",
        "home/.jupyter",
        "home/.nbgrader",
        f"home/{harness.MARK}",  # what an attack leaves when it has reached its point
    )
    changed = [line for line in harness.differences(before, after) if not line.startswith(expected)]
    return {
        "score": _score(course.root, submission.student),
        "neighbour": _score(course.root, NEIGHBOUR),
        "ended": code is not None,
        "code": code,
        "stopped": False,
        "changed": changed[:5],
        "text": text[-300:] if code != 0 else "",
    }


def _give(folder: Path, user: int) -> None:
    for where, folders, names in os.walk(folder):
        for name in (".", *folders, *names):
            os.chown(os.path.join(where, name), user, user, follow_symlinks=False)


def _score(root: Path, student: str) -> float | None:
    """The automatic score in nbgrader's gradebook; None when it has no mark, or is no database any more."""
    query = """
        SELECT sum(CASE WHEN grade.auto_score IS NULL THEN 0 ELSE grade.auto_score END), count(grade.auto_score)
        FROM submitted_assignment JOIN submitted_notebook ON submitted_notebook.assignment_id = submitted_assignment.id
        JOIN grade ON grade.notebook_id = submitted_notebook.id WHERE submitted_assignment.student_id = ?
    """
    try:
        with sqlite3.connect(f"file:{root / 'gradebook.db'}?mode=ro", uri=True) as book:
            total, count = book.execute(query, (student,)).fetchone()
    except sqlite3.Error:
        return None
    return float(total) if count else None


# The table.


def row(
    group: str, attacks: list[Attack], theirs: dict[str, dict], ours: dict[str, float] | None
) -> list[str]:
    """A line of the table: how many attacks, how many earn points, what else is seen."""
    mine = [attack for attack in attacks if attack.group == group]
    results = [(attack, theirs[attack.student]) for attack in mine if attack.student in theirs]
    earned = sum((found["score"] or 0) > 0 for attack, found in results)
    facts: list[tuple[str, Callable[[dict], bool]]] = [
        ("stop the class", lambda found: found["stopped"]),
        ("do not end", lambda found: not found["ended"]),
        ("change files", lambda found: bool(found["changed"])),
        ("no mark", lambda found: found["score"] is None),
    ]
    harm = [
        f"{count} {what}" for what, holds in facts if (count := sum(holds(found) for _, found in results))
    ]
    course = "–" if ours is None else str(sum(ours[attack.student] > 0 for attack in mine))
    if not results:
        return [group, str(len(mine)), "not run", course, ""]
    part = "" if len(results) == len(mine) else f" of {len(results)} that were run"
    return [group, str(len(mine)), f"{earned}{part}", course, ", ".join(harm)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--group", action="append", help="only this group; may be repeated")
    parser.add_argument("--parallel", type=int, default=2, help="runs of nbgrader at a time")
    parser.add_argument("--results", type=Path, help="a folder to keep results in, and go on from")
    parser.add_argument("--no-course", action="store_true", help="nbgrader alone")
    arguments = parser.parse_args()
    if reason := cannot_confine():
        raise SystemExit(reason)
    attacks = [attack for attack in read_attacks() if not arguments.group or attack.group in arguments.group]
    groups = list(dict.fromkeys(attack.group for attack in attacks))
    with tempfile.TemporaryDirectory(prefix="course-attacks-") as scratch:
        base = Path(scratch)
        base.chmod(0o755)
        results = arguments.results or base / "results"
        results.mkdir(parents=True, exist_ok=True)
        ours = None if arguments.no_course else course_scores(base / "class", attacks)
        prepare(base / "template")

        def work(job: tuple[int, Attack]) -> None:
            number, attack = job
            kept = results / f"{attack.student}.json"
            if kept.exists() or attack.group in UNBOUNDED:
                return
            found = attempt(attack, base / "template", base / f"run-{number}", FIRST_USER + 1 + number)
            shutil.rmtree(base / f"run-{number}", ignore_errors=True)
            kept.write_text(json.dumps(found))
            print(f"{attack.student}: {found['score']}", file=sys.stderr, flush=True)

        with ThreadPoolExecutor(arguments.parallel) as pool:
            list(pool.map(work, enumerate(attacks)))
        theirs = {path.stem: json.loads(path.read_text()) for path in results.glob("*.json")}
    rows = [row(group, attacks, theirs, ours) for group in groups]
    print("| group | attacks | earn points: nbgrader | `course grade` | under nbgrader also |")
    print("| --- | --- | --- | --- | --- |")
    for cells in rows:
        print(f"| {' | '.join(cells)} |")
    undeserved = ours is not None and any(ours[attack.student] > 0 for attack in attacks)
    raise SystemExit(1 if undeserved else 0)


def course_scores(root: Path, attacks: list[Attack]) -> dict[str, float]:
    """{attack: score} from one run of `course grade` on all of them; who has no result has no points."""
    run = harness.run_class(root, attacks)
    scores = {}
    for attack in attacks:
        result = run.result(run.ids[attack])
        scores[attack.student] = result.score if result else 0.0
    return scores


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        inside(int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:])
    else:
        main()
