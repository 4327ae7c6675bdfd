"""Write files so that nobody ever reads them half-written; and show names that students chose."""

import os
import re
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Write a new file and rename it: other programs see the old file or the new one, also after a crash.

    Raises:
        OSError: the disk is full, or the folder cannot be written to; the old file is untouched.
    """
    write_together({path: data})


def write_together(files: dict[Path, bytes]) -> None:
    """Write several files that belong together. None is put in place before all are on the disk.

    They are put in place in the given order: if another program finds the last one new, all of them are new.

    Raises:
        OSError: as for `write_atomically`, with the name of the file; no old file is touched, unless a rename fails.
    """
    parts = {}
    try:
        for path, data in files.items():
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                if path.is_dir():
                    raise IsADirectoryError(None, "a folder of this name is in the way")
                parts[path] = temporary_path(path)
                with open(parts[path], "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
            except OSError as error:
                raise OSError(error.errno, error.strerror, str(path)) from error
        for path, part in parts.items():
            os.replace(part, path)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)


def temporary_path(path: Path) -> Path:
    """Return the path of a file that will become `path`, and remove such files of processes that were killed."""
    for leftover in path.parent.glob(f".{path.name}.*.part*"):
        match = re.fullmatch(r".*\.(\d+)\.part(-journal)?", leftover.name)  # -journal: SQLite's
        if match and not _alive(int(match[1])):
            leftover.unlink(missing_ok=True)
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def printable(text: str) -> str:
    """Return text with ? for unprintable characters, since a student's folder name must not steer a terminal.

    >>> printable("a\\x1b[31mb")
    'a?[31mb'
    """
    return "".join(letter if letter.isprintable() else "?" for letter in text)
