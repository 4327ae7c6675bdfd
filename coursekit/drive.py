"""Downloads by gdown, which takes addresses and Google Drive's ids, in a process of its own.

gdown waits as long as a server keeps the connection open, so its process is ended when nothing more arrives. gdown 5.2,
which Colab has, and 6.5 both work; older versions save an error page as if it were the file.
"""

import logging
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from coursekit.engine.shared.errors import CourseError

logger = logging.getLogger(__name__)

DRIVE_ID = "drive:"  # before an id of Google Drive
PYTHON = sys.executable  # the interpreter whose gdown is used
PATIENCE = 30.0  # seconds without a single byte after which a download is given up
LIMIT = 1800.0  # seconds for a whole download
OVER_QUOTA = "has had too many downloads today (Google Drive's quota)"
_PROGRAM = """
import sys, gdown
kind, source, target = sys.argv[1:]
download = gdown.download_folder if kind == "folder" else gdown.download
key = "id" if kind == "id" else "url"
if download(**{key: source}, output=target, quiet=True, use_cookies=False) is None:
    sys.exit("gdown gave nothing")
"""


class DownloadError(CourseError):
    """A download failed. The message says why, and continues a sentence that begins with the source."""


def download_file(source: str, path: Path) -> None:
    """Save what a source holds as `path`, whatever it is.

    Args:
        source: an address, or `drive:` and an id.

    Raises:
        DownloadError: it sent nothing or an error, or was too slow.
    """
    kind = "id" if source.startswith(DRIVE_ID) else "address"
    stderr = _run_gdown(kind, source.removeprefix(DRIVE_ID), path, path.parent)
    if not path.is_file():
        raise DownloadError(_reason(stderr))


def download_folder(address: str, folder: Path) -> None:
    """Save the files of a shared Google Drive folder in `folder`.

    Raises:
        DownloadError: as above.
    """
    _run_gdown("folder", address, folder, folder)


def is_over_quota(text: str) -> bool:
    """Return whether Google Drive's page, or gdown's error, says that too many people have asked for the file."""
    return "too many users" in text.lower() or "quota" in text.lower()


def _run_gdown(kind: str, source: str, target: Path, folder: Path) -> str:
    """Run gdown until it ends, and return its stderr. `folder` must keep growing meanwhile."""
    logger.info("Downloading %s", source)
    process = subprocess.Popen(
        [PYTHON, "-I", "-c", _PROGRAM, kind, source, target],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    started = grew = time.monotonic()
    size = 0
    try:
        while process.poll() is None:
            time.sleep(0.1)
            now = time.monotonic()
            # gdown writes beside the target, under a name of its own.
            size_now = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
            if size_now != size:
                size, grew = size_now, now
            if now - grew > PATIENCE:
                raise DownloadError(f"sent nothing for {PATIENCE:g} s")
            if now - started > LIMIT:
                raise DownloadError(f"took more than {LIMIT:g} s")
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        stderr = process.communicate()[1].decode(errors="replace")
    if process.returncode:
        raise DownloadError(_reason(stderr))
    return stderr


def _reason(stderr: str) -> str:
    """Return the cause of a failure, in words where it is known, otherwise the traceback's line with the error."""
    if is_over_quota(stderr):
        return OVER_QUOTA
    if "Cannot retrieve the public link" in stderr or "Permission" in stderr:
        return "is not shared with everybody who has the link"
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    errors = [line for line in lines if "Error" in line or "Exception" in line]
    return (errors or lines or ["gave no file"])[-1][:300]
