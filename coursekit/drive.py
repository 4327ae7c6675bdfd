"""Downloads by gdown, which takes URLs and Google Drive's ids, in a process of its own.

gdown waits as long as a server keeps the connection open, so its process is killed when nothing more arrives. gdown
5.2, which Colab has, and 6.5 both work; older versions save an error page as if it were the file.
"""

import contextlib
import logging
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from coursekit.engine.shared.errors import CourseError

logger = logging.getLogger(__name__)

DRIVE_PREFIX = "drive:"  # prefix of a source that is a Google Drive id
PYTHON = sys.executable  # the interpreter whose gdown is used
PATIENCE = 30.0  # seconds without a new byte after which a download is killed
MAX_SECONDS = 1800.0  # of a whole download
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
    """Save the content of a source as `path`, unchecked.

    Args:
        source: a URL, or `drive:` and an id.

    Raises:
        DownloadError: the source sent nothing or an error, or was too slow.
    """
    kind = "id" if source.startswith(DRIVE_PREFIX) else "address"
    stderr = _run_gdown(kind, source.removeprefix(DRIVE_PREFIX), path, path.parent)
    if not path.is_file():
        raise DownloadError(_reason(stderr))


def download_folder(url: str, folder: Path) -> None:
    """Save the files of a shared Google Drive folder in `folder`.

    Raises:
        DownloadError: as for `download_file`.
    """
    _run_gdown("folder", url, folder, folder)


def is_over_quota(text: str) -> bool:
    """Return whether Google Drive's page, or gdown's error, says that too many people have asked for the file."""
    return "too many users" in text.lower() or "quota" in text.lower()


def _run_gdown(kind: str, source: str, target: Path, folder: Path) -> str:
    """Run gdown until it ends, and return its stderr. It is killed when `folder`, into which it writes, stops growing.

    Raises:
        DownloadError: gdown failed or was too slow.
    """
    logger.info("Downloading %s", source)
    process = subprocess.Popen(
        [PYTHON, "-I", "-c", _PROGRAM, kind, source, target],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    started_at = grew_at = time.monotonic()
    size = 0
    try:
        while process.poll() is None:
            time.sleep(0.1)
            now = time.monotonic()
            # gdown writes beside the target, under another name.
            size_now = sum(map(_size, folder.rglob("*")))
            if size_now != size:
                size, grew_at = size_now, now
            if now - grew_at > PATIENCE:
                raise DownloadError(f"sent nothing for {PATIENCE:g} s")
            if now - started_at > MAX_SECONDS:
                raise DownloadError(f"took more than {MAX_SECONDS:g} s")
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        stderr = process.communicate()[1].decode(errors="replace")
    if process.returncode:
        raise DownloadError(_reason(stderr))
    return stderr


def _size(path: Path) -> int:
    """Return the bytes of a file; 0 for a folder, and for a file that has just been renamed."""
    with contextlib.suppress(FileNotFoundError):
        return path.stat().st_size if path.is_file() else 0
    return 0


def _reason(stderr: str) -> str:
    """Return the cause of a failure: in words if it is known, else the last line of stderr that names an error."""
    if is_over_quota(stderr):
        return OVER_QUOTA
    if "Cannot retrieve the public link" in stderr or "Permission" in stderr:
        return "is not shared with everybody who has the link"
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    errors = [line for line in lines if "Error" in line or "Exception" in line]
    return (errors or lines or ["gave no file"])[-1][:300]
