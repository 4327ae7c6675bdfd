"""One download by gdown, which takes addresses and Google Drive's ids, in a process of its own.

gdown waits as long as a server keeps the connection open, and old ones save an error page as if it were the file. So
the process is ended when nothing more comes, and whoever calls looks at what was saved. gdown 5.2 and 6.5 both work.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from coursekit.engine.errors import CourseError

DRIVE = "drive:"  # before a Google Drive id
_PROGRAM = """
import sys, gdown
what, where = sys.argv[1:]
key = "id" if what.startswith("drive:") else "url"
if gdown.download(**{key: what.removeprefix("drive:")}, output=where, quiet=True, use_cookies=False) is None:
    sys.exit("gdown gave nothing")
"""


class NotFetched(CourseError):
    """This mirror did not give the file; says why."""


def download(
    mirror: str, path: Path, *, patience: float = 30, limit: float = 1800, python: str = sys.executable
) -> None:
    """Save what a mirror gives as `path`, whatever it is.

    Args:
        mirror: an address, or `drive:` and an id.
        patience: seconds without a single byte after which the mirror is given up.
        limit: seconds for all of it.
        python: the interpreter whose gdown is used.

    Raises:
        NotFetched: it gave nothing, an error, or was too slow.
    """
    folder = path.parent
    process = subprocess.Popen(
        [python, "-I", "-c", _PROGRAM, mirror, str(path)],
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
            # gdown writes beside `path`, under a name of its own.
            there = sum(file.stat().st_size for file in folder.iterdir() if file.is_file())
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
    if process.returncode or not path.is_file():
        raise NotFetched(_reason(said.decode(errors="replace")))


def _reason(said: str) -> str:
    """What a person needs of a traceback: of all lines the one with the error."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    text = " ".join(lines)
    if "Too many users" in text or "quota" in text.lower():
        return "has had too many downloads today (Google Drive's quota)"
    if "Cannot retrieve the public link" in text or "Permission" in text:
        return "is not shared with everybody who has the link"
    found = [line for line in lines if "Error" in line or "Exception" in line]
    return (found or lines or ["gave no file"])[-1][:300]
