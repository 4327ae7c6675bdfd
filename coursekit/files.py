"""Writing files that nobody ever reads half-written."""

import os
import re
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Write beside and put in place: a reader meets the old file or the new one, also after a crash.

    Raises:
        OSError: the disk is full, or the folder cannot be written to; the old file is untouched.
    """
    write_together({path: data})


def write_together(files: dict[Path, bytes]) -> None:
    """Write several files that belong together. None is put in place before all are on the disk.

    They are put in place in the order given: who finds the last one new finds all of them new.

    Raises:
        OSError: as above, with the name of the file; all old files are untouched.
    """
    parts = {}
    try:
        for path, data in files.items():
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                if path.is_dir():
                    raise IsADirectoryError(None, "a folder of this name is in the way")
                parts[path] = beside(path)
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


def beside(path: Path) -> Path:
    """Where to write what will become `path`. What a process that was killed left there is removed."""
    for left in path.parent.glob(f".{path.name}.*.part*"):
        number = re.fullmatch(r".*\.(\d+)\.part(-journal)?", left.name)
        if number and not _alive(int(number[1])):
            left.unlink(missing_ok=True)
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
    """Text for a terminal: what a student named a folder must not steer it.

    >>> printable("a\\x1b[31mb")
    'a?[31mb'
    """
    return "".join(letter if letter.isprintable() else "?" for letter in text)
