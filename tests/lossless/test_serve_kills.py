"""`kill -9` of the server and of its processes, at any moment: no receipt is lost, and each gets its one result."""

import contextlib
import hashlib
import os
import random
import signal
import threading
import time
import urllib.error
import urllib.request

import pytest
from command import course_here, course_process
from ours import processes_of
from small_course import make_course
from test_serve import WEEK, ask, listener, notebook

from coursekit.serve.store import ENDED, FAILED, GRADED, REPLACED, Store

STUDENTS = [f"s{number:02}" for number in range(8)]
KILLS = 200 if os.environ.get("COURSE_ALL") else 8
pytestmark = pytest.mark.slow


def begin(root, port):
    """Start a server on this port, and wait until it answers."""
    with open(root / "serve.log", "ab") as log:
        program = course_process(root, "serve", "--port", str(port), stderr=log)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5)
            return program
        except urllib.error.HTTPError:
            return program
        except OSError:
            time.sleep(0.05)
    pytest.fail((root / "serve.log").read_text())


def test_nothing_is_lost(tmp_path):
    course, _ = make_course(tmp_path)
    settings = (tmp_path / "course.toml").read_text()
    table = '[hand_ins]\nattempts = 1000\ncounts = "latest"\n\n[[weeks]]'
    (tmp_path / "course.toml").write_text(settings.replace("[[weeks]]", table, 1))
    (tmp_path / "roster.csv").write_text("\n".join(["student id", *STUDENTS]) + "\n")
    lines = course_here(tmp_path, "codes").stdout.split()[1:]
    codes = dict(line.split(",") for line in lines)
    chance, port = random.Random(len(lines)), 20_000 + os.getpid() % 20_000
    receipts, stop = [], threading.Event()  # (student, digest, id)

    def student(name):
        number = 0
        while not stop.is_set():
            number += 1
            data = notebook(course, remark=" " * number)
            try:
                status, answer = ask(f"http://127.0.0.1:{port}", f"weeks/{WEEK}/hand-ins", codes[name], data)
                if status in (200, 201):
                    receipts.append((name, hashlib.sha256(data).hexdigest(), answer["id"]))
            except (OSError, ValueError):
                pass  # no receipt
            time.sleep(0.2)

    threads = [threading.Thread(target=student, args=(name,)) for name in STUDENTS]
    program = begin(tmp_path, port)
    for thread in threads:
        thread.start()
    killed = 0
    while killed < KILLS:
        time.sleep(chance.uniform(0.1, 1.5))
        server = listener(port)
        # Not a student's kernel: that it dies may be what the student's code wants.
        kinds = processes_of(server).items()
        children = [pid for kind, pids in kinds for pid in pids if kind not in ("coordinator", "kernel")]
        if children and chance.random() < 0.5:
            with contextlib.suppress(ProcessLookupError):
                os.kill(chance.choice(children), signal.SIGKILL)
                killed += 1
            continue
        os.kill(server, signal.SIGKILL)
        killed += 1
        program.wait()
        program = begin(tmp_path, port)
    stop.set()
    for thread in threads:
        thread.join()
    store = Store(tmp_path)
    end = time.monotonic() + 300
    while waiting := [one for name in STUDENTS for one in store.of(name) if one.state not in ENDED]:
        assert time.monotonic() < end, f"{len(waiting)} still wait"
        time.sleep(0.2)
    rows = {one.id: one for name in STUDENTS for one in store.of(name)}
    assert len(receipts) > KILLS, "hardly anything was handed in"
    for name, digest, key in receipts:
        row = rows[key]
        assert (row.student, row.digest) == (name, digest)
        assert row.state in (GRADED, REPLACED), row
        if row.state == GRADED:
            assert hashlib.sha256(store.file(digest).read_bytes()).hexdigest() == digest
    graded = [row for row in rows.values() if row.state == GRADED]
    assert graded and not any(row.state == FAILED for row in rows.values())
    assert all(row.score == 5 for row in graded)
    # What counts is where it belongs.
    while store.undelivered():
        assert time.monotonic() < end
        time.sleep(0.2)
    for name in STUDENTS:
        last = [row for row in store.of(name) if row.state == GRADED][-1]
        handed_in = course.submitted(name, course.weeks[0]) / "attention.ipynb"
        assert hashlib.sha256(handed_in.read_bytes()).hexdigest() == last.digest
    program.terminate()
    program.wait()
    store.close()
