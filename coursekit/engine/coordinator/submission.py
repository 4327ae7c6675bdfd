"""A student's hand-in, for processes that must not parse it: names, sizes, open files, and their hash.

Only the reader (`engine/reader/`) parses the bytes. Here they are measured and hashed, piece by piece, so that a large
file takes no memory.
"""

import hashlib
import json
import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.result import Note

RECEIPT_DIGITS = 12
PIECE = 1 << 20  # bytes hashed at a time


@dataclass(frozen=True)
class File:
    """An open regular file, or a piece of memory that behaves like one."""

    name: str  # as a path below the student's folder, in printable letters
    descriptor: int
    size: int


@dataclass(frozen=True)
class Submission:
    """One student's hand-in of one week. Close it once, or use it as a context manager.

    Attributes:
        files: all that was handed in, the likeliest notebook first: the reader looks for the notebook among the first
            few (`file_names.MAX_CANDIDATES`), and all others are files beside it.
        digest: sha256 of all that makes a difference to the result: of the one file's bytes, if it is alone, has the
            name that it should have and there are no flags; else of the list of names, hashes and flags.
        flags: found before the files were read.
        hashes: the sha256 of each file, by name.
        hidden_seed: the number from which hidden tests draw their inputs.
    """

    student: str
    files: tuple[File, ...]
    digest: str
    flags: tuple[Note, ...]
    hashes: Mapping[str, str]
    _states: tuple[tuple[int, ...], ...] = field(repr=False)
    hidden_seed: int = 0

    @classmethod
    def of_files(
        cls,
        student: str,
        files: Iterable[File],
        notebook_name: str,
        flags: Iterable[Note] = (),
        digest: str = "",
        hidden_seed: int = 0,
    ) -> "Submission":
        """Return a submission of open files, which its `close` closes.

        Args:
            notebook_name: the name that the notebook should have.
            digest: see `Submission`; computed if empty.
        """
        files, flags = tuple(files), tuple(flags)
        states = tuple(_state(file.descriptor) for file in files)
        hashes = [_hash(file) for file in files]
        if digest:
            pass
        elif not flags and not files:
            digest = hashlib.sha256(b"").hexdigest()
        elif not flags and [file.name for file in files] == [notebook_name]:
            digest = hashes[0]
        else:
            lines = [f"{value} {file.name}\n" for value, file in zip(hashes, files, strict=True)]
            lines += [f"{note.kind} {json.dumps(note.values)}\n" for note in flags]
            digest = hashlib.sha256("".join(lines).encode()).hexdigest()
        named = {file.name: value for value, file in zip(hashes, files, strict=True)}
        return cls(student, files, digest, flags, named, states, hidden_seed)

    @classmethod
    def of_bytes(
        cls,
        pieces: dict[str, bytes],
        student: str = "",
        digest: str = "",
        flags: Iterable[Note] = (),
        hidden_seed: int = 0,
    ) -> "Submission":
        """Return a submission of files in memory, {name: bytes}; the first has the name that the notebook should have.

        Args:
            digest: see `Submission`; computed if empty.
            flags, hidden_seed: see `Submission`.
        """
        files = []
        for name, data in pieces.items():
            descriptor = os.memfd_create("submission", os.MFD_CLOEXEC)
            with open(descriptor, "wb", closefd=False) as file:
                file.write(data)
            files.append(File(name, descriptor, len(data)))
        return cls.of_files(student, files, next(iter(pieces), ""), flags, digest, hidden_seed)

    @property
    def receipts(self) -> dict[str, str]:
        """The first twelve hexadecimal digits of each file's sha256, by name.

        `hand_in` in the student's notebook printed the same digits if the file arrived unchanged.
        """
        return {name: value[:RECEIPT_DIGITS] for name, value in self.hashes.items()}

    def as_bytes(self) -> dict[str, bytes]:
        """Return the files' bytes by name; `of_bytes` makes the same submission of them on another machine."""
        return {file.name: os.pread(file.descriptor, file.size, 0) for file in self.files}

    def check_unchanged(self) -> None:
        """Check that the files are still as they were hashed.

        Raises:
            CourseError: a file has been written to since then.
        """
        for file, state in zip(self.files, self._states, strict=True):
            if _state(file.descriptor) != state:
                raise CourseError(
                    f"{file.name} changed while it was being graded. Run the same command again when it is complete."
                )

    def close(self) -> None:
        for file in self.files:
            os.close(file.descriptor)

    def __enter__(self) -> "Submission":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_regular(path: Path) -> tuple[int, int] | None:
    """Return descriptor and size of a regular file, opened for reading; None if there is no regular file.

    A link could lead to anything on this machine, a pipe would never end, a device might do something.

    Raises:
        OSError: it cannot be opened.
    """
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return None
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):  # it was replaced in between
        os.close(descriptor)
        return None
    return descriptor, status.st_size


def _state(descriptor: int) -> tuple[int, ...]:
    status = os.fstat(descriptor)
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _hash(file: File) -> str:
    """Return the sha256 of as many bytes as the file had when it was opened, even if it has grown."""
    digest = hashlib.sha256()
    offset = 0
    while offset < file.size and (data := os.pread(file.descriptor, min(PIECE, file.size - offset), offset)):
        digest.update(data)
        offset += len(data)
    return digest.hexdigest()
