"""Writing files that nobody ever reads half-written."""

import os
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Write beside and put in place: a reader meets the old file or the new one, also after a crash.

    Raises:
        OSError: the disk is full, or the folder cannot be written to; the old file is untouched.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(beside, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def printable(text: str) -> str:
    """Text for a terminal: what a student named a folder must not steer it.

    >>> printable("a\\x1b[31mb")
    'a?[31mb'
    """
    return "".join(letter if letter.isprintable() else "?" for letter in text)
