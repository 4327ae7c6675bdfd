"""gdown, which takes addresses and Google Drive's ids, in a process of its own.

gdown waits as long as a server keeps the connection open. So the process is ended when nothing more comes. gdown 5.2
and 6.5 both work.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from coursekit.engine.shared.errors import CourseError


class NotFetched(CourseError):
    """What was asked for did not come; says why, to be read after what was asked for."""


def run_gdown(
    program: str,
    arguments: list[str],
    folder: Path,
    *,
    patience: float = 30,
    limit: float = 1800,
    python: str = sys.executable,
) -> str:
    """Run a few lines of Python that have gdown fill a folder. Gives what they wrote on stderr.

    Args:
        arguments: the program's, in `sys.argv[1:]`.
        folder: where what comes is saved: gdown is seen to work when this grows.
        patience: seconds without a single byte after which it is given up.
        limit: seconds for all of it.
        python: the interpreter whose gdown is used.

    Raises:
        NotFetched: the program failed, or was too slow.
    """
    process = subprocess.Popen(
        [python, "-I", "-c", program, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    started = moved = time.monotonic()
    size = 0
    try:
        while True:
            try:
                process.wait(0.1)
                break
            except subprocess.TimeoutExpired:
                pass
            now = time.monotonic()
            # gdown writes beside the file, under a name of its own.
            there = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
            if there != size:
                size, moved = there, now
            if now - moved > patience:
                raise NotFetched(f"sent nothing for {patience:g} s")
            if now - started > limit:
                raise NotFetched(f"took more than {limit:g} s")
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        _, said = process.communicate()
    if process.returncode:
        raise NotFetched(reason(said.decode(errors="replace")))
    return said.decode(errors="replace")


def reason(said: str) -> str:
    """The line of a traceback that a person needs: the one with the error."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    text = " ".join(lines)
    if "Too many users" in text or "quota" in text.lower():
        return "has had too many downloads today (Google Drive's quota)"
    if "Cannot retrieve the public link" in text or "Permission" in text:
        return "is not shared with everybody who has the link"
    found = [line for line in lines if "Error" in line or "Exception" in line]
    return (found or lines or ["gave no file"])[-1][:300]
