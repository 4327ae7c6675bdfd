"""Forks a confined process for each piece of work: `python -m coursekit.confined.process JOB SECONDS MEMORY_MB`.

JOB is a module, and standard input a socket. Its first frame is the argument of the module's `prepare`, after which it
gets an empty one back; each later frame is the argument of `work`, with a descriptor for the answer: ["done", bytes] or
["failed", traceback]. Without an answer, the fork met a limit or died. The process ends when the socket is closed.
"""

import contextlib
import gc
import importlib
import os
import resource
import shutil
import signal
import socket
import sys
import tempfile
import traceback
from pathlib import Path
from types import ModuleType

import msgpack

from coursekit.engine.shared import frames
from coursekit.engine.supervisor import sandbox

NICE = 5  # the kernels and the program that asks have priority
PROCESSES = 4096  # that the user's other programs may start meanwhile; the work itself starts none


def main(job: str, seconds: int, memory_mb: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl-C is for the program that asks
    asker = socket.socket(fileno=os.dup(0))
    module = importlib.import_module(job)
    module.prepare(frames.receive(asker))
    confined = not sandbox.missing()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # so that no fork stays as a zombie
    os.nice(NICE)
    gc.collect()
    gc.freeze()
    scratch = Path(tempfile.mkdtemp(prefix="course-text-"))
    try:
        frames.send(asker, b"")
        while True:
            try:
                data, descriptors = frames.receive_with_fds(asker, 1)
            except (EOFError, OSError, frames.WireError):
                return
            if os.fork() == 0:
                try:
                    asker.close()
                    _confine(scratch, descriptors, seconds, memory_mb, confined)
                    _answer(module, data, descriptors[0])
                finally:
                    os._exit(0)
            for descriptor in descriptors:
                os.close(descriptor)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _confine(scratch: Path, keep: list[int], seconds: int, memory_mb: int, confined: bool) -> None:
    if confined:
        sandbox.lock_in(scratch, memory_mb, seconds, keep, file_mb=0, processes=PROCESSES)
    else:  # students' text is only read here, not run; the time is still limited
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def _answer(module: ModuleType, data: bytes, descriptor: int) -> None:
    answer: list[str | bytes]
    try:
        answer = ["done", module.work(data)]
    except (MemoryError, RecursionError):  # too much was used: no answer
        return
    except Exception:
        answer = ["failed", traceback.format_exc(limit=-4)]
    with socket.socket(fileno=descriptor) as asker, contextlib.suppress(OSError):  # if it waits no longer
        frames.send(asker, msgpack.packb(answer))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
