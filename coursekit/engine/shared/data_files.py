"""The data files of a week: what is beside the instructor's notebook, and beside each copy of it that runs."""

import hashlib
import os
from dataclasses import dataclass, field
from functools import lru_cache

from coursekit.engine.shared.errors import CourseError


@dataclass(frozen=True)
class DataFile:
    """A file beside the instructor's notebook, which is there to be read wherever the notebook runs.

    Attributes:
        name: its path in the notebook's folder, with `/`.
        digest: sha256 of its bytes.
        path: of the file on this machine; "" in the reader, which does not need it.
        state: of the file when it was hashed, see `state_of`.
    """

    name: str
    digest: str
    path: str = field(default="", compare=False)
    state: tuple[int, ...] = field(default=(), compare=False)

    @property
    def size(self) -> int:
        """Its size in bytes when it was hashed."""
        return self.state[2]

    @classmethod
    def at(cls, path: str, name: str) -> "DataFile":
        """Return the file at a path, under this name.

        Raises:
            OSError: it cannot be read.
        """
        state = state_of(path)
        return cls(name, _digest(path, state), path, state)

    def check_unchanged(self) -> None:
        """Check that the file is still as it was hashed.

        Raises:
            CourseError: it is not, or it is gone.
        """
        try:
            unchanged = state_of(self.path) == self.state
        except OSError:
            unchanged = False
        if not unchanged:
            raise CourseError(
                f"The week's file {self.name} changed while a submission was being graded. Run the same command again "
                "when it is complete."
            )


def state_of(path: str) -> tuple[int, ...]:
    """Return numbers that differ when the file at a path is another one, or has been written to."""
    status = os.stat(path)
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


@lru_cache(maxsize=4096)
def _digest(path: str, state: tuple[int, ...]) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
