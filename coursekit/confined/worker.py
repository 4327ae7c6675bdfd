"""Send students' text to a confined process, and wait for its answer."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import msgpack

from coursekit.engine.shared import frames
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.limits import INTERNAL_WAIT_SECONDS, SLEEP_FACTOR

START_SECONDS = 120  # to import a library on a busy machine


class NotDone(Exception):
    """A piece of work gave no answer, most likely because it took more time or memory than it may."""


class Worker:
    """A process that has prepared a job, and forks a confined one for each piece of work. Many threads may use it.

    Use as a context manager, or call `close`; the process also ends with the program that started it.

    Args:
        job: the name of a module with two functions: `prepare(setup)`, called once, and `work(data)`, called in a fork
            for each piece of work, which returns bytes.
        setup: the argument of `prepare`.
        seconds: CPU seconds for one piece of work.
        memory_mb: MiB of memory for one piece of work.
    """

    def __init__(self, job: str, setup: bytes = b"", *, seconds: int, memory_mb: int = 512):
        program = [sys.executable, "-P", "-m", "coursekit.confined.process"]
        self._job, self._command = job, [*program, job, str(seconds), str(memory_mb)]
        self._setup, self._answer_seconds = setup, max(INTERNAL_WAIT_SECONDS, SLEEP_FACTOR * seconds)
        self._asking = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: socket.socket | None = None

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def do(self, data: bytes) -> bytes:
        """Return the bytes that the job's `work` returns for `data`.

        Raises:
            NotDone: there was no answer.
            CourseError: the job cannot be started, or its `work` raised an exception.
        """
        ours, theirs = socket.socketpair()
        with ours:
            ours.settimeout(self._answer_seconds)
            try:
                with theirs, self._asking:
                    frames.send(self._connect(), data, (theirs.fileno(),))
                status, answer = msgpack.unpackb(frames.receive(ours))
            except (EOFError, OSError, ValueError, frames.WireError) as error:
                raise NotDone(str(error)) from error
        if status != "done":
            raise CourseError(f"{self._job} failed:\n{answer}")
        assert type(answer) is bytes
        return answer

    def _connect(self) -> socket.socket:
        """Return the connection to the process; start one if none is running."""
        if self._process is not None and self._process.poll() is not None:
            self._end()
        if self._connection is None:
            self._connection, theirs = socket.socketpair()
            with theirs, tempfile.TemporaryFile(prefix="course-log-") as log:
                self._process = subprocess.Popen(
                    self._command,
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=log,
                    env=environment(),
                    cwd="/",
                )
                theirs.close()
                self._connection.settimeout(START_SECONDS)
                try:
                    frames.send(self._connection, self._setup)
                    frames.receive(self._connection)
                except (EOFError, OSError) as error:
                    self._end()
                    log.seek(0)
                    reason = log.read().decode(errors="replace")[-2000:].strip() or str(error)
                    raise CourseError(f"{self._job} did not start:\n{reason}") from error
        return self._connection

    def _end(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(5)  # time to remove its folder
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        """End the process; its forks end by themselves."""
        with self._asking:
            self._end()


def environment() -> dict[str, str]:
    """Return the whole environment of the process; only PATH, HOME and TMPDIR are the shell's."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "HOME": str(Path.home()),
        "TMPDIR": tempfile.gettempdir(),
        "PYTHONHASHSEED": "0",  # results do not differ from process to process
        "OMP_NUM_THREADS": "1",  # only a process with one thread can be locked in
        "OPENBLAS_NUM_THREADS": "1",
    }
