"""What is in the working folder of a student kernel: the week's data files, and what was handed in beside the notebook.

The data files are links to the instructor's own, which a fork may read and cannot change. A student's files are copied
into each kernel's folder, where their code may do with them what it likes.
"""

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.shared.data_files import DataFile
from coursekit.engine.shared.file_names import is_safe_path, paths_beside
from coursekit.engine.shared.master import Master
from coursekit.engine.shared.reasons import Flag, Repair, Values
from coursekit.engine.shared.rebuilt import Rebuilt
from coursekit.engine.shared.result import Note

MAX_MIB = 20  # of a student's files beside the notebook: each kernel gets copies


@dataclass(frozen=True)
class StudentFile:
    """A file that the student handed in: a piece of an open file.

    Attributes:
        name: its path in the folder.
        digest: sha256 of its bytes.
        begin, size: of the piece, in bytes.
    """

    name: str
    digest: str
    descriptor: int
    begin: int
    size: int


@dataclass(frozen=True)
class WorkingFolder:
    """The files of a working folder. Close it once, or use it as a context manager.

    Attributes:
        repairs, flags: notes about student files that were left out.
    """

    data_files: tuple[DataFile, ...] = ()
    student_files: tuple[StudentFile, ...] = ()
    repairs: tuple[Note, ...] = ()
    flags: tuple[Note, ...] = ()
    _opened: tuple[int, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, master: Master, submission: Submission, rebuilt: Rebuilt) -> "WorkingFolder":
        """Return the folder in which a rebuilt notebook runs.

        A data file of the week takes the place of the student's file with the same name.
        """
        descriptors: list[int] = []
        kept = _StudentFiles(master.data_files)
        if rebuilt.unpacked:
            descriptors.append(os.memfd_create("unpacked", os.MFD_CLOEXEC))
            begin = 0
            with open(descriptors[0], "wb", closefd=False) as unpacked:
                for name, data in rebuilt.unpacked:
                    digest = hashlib.sha256(data).hexdigest()
                    unpacked.write(data)
                    kept.add(StudentFile(name, digest, descriptors[0], begin, len(data)))
                    begin += len(data)
        files = {file.name: file for file in submission.files}
        notebook = submission.files[rebuilt.file].name if submission.files else ""
        for name, handed_in in paths_beside(files, notebook).items():
            file = files[handed_in]
            kept.add(StudentFile(name, submission.hashes[handed_in], file.descriptor, 0, file.size))
        return cls(
            master.data_files, tuple(kept.files), tuple(kept.repairs), tuple(kept.flags), tuple(descriptors)
        )

    @property
    def digests(self) -> list[list[str]]:
        """[path, sha256] of each file: what a test's outcome depends on, besides the cells."""
        files: list[DataFile | StudentFile] = [*self.data_files, *self.student_files]
        return [[file.name, file.digest] for file in files]

    @property
    def links(self) -> list[list[str]]:
        """[path in the folder, path on this machine] of each data file, for a fork's request."""
        return [[file.name, file.path] for file in self.data_files]

    def copies(self) -> tuple[list[list[str | int]], list[int]]:
        """Return [path, which descriptor, where it begins, size] of each student file, and the descriptors."""
        descriptors = list(dict.fromkeys(file.descriptor for file in self.student_files))
        copies: list[list[str | int]] = [
            [file.name, descriptors.index(file.descriptor), file.begin, file.size]
            for file in self.student_files
        ]
        return copies, descriptors

    def size_mb(self, unsafe: bool) -> int:
        """Return the MiB that the folder takes. A fork that is not confined gets copies of the data files as well."""
        files: list[DataFile | StudentFile] = [*self.student_files, *(self.data_files if unsafe else ())]
        return -(-sum(file.size for file in files) // 2**20)

    def close(self) -> None:
        for descriptor in self._opened:
            os.close(descriptor)

    def __enter__(self) -> "WorkingFolder":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


EMPTY_FOLDER = WorkingFolder()


class _StudentFiles:
    """Collects the first file with each name, and a note about each file that is left out."""

    def __init__(self, data_files: Iterable[DataFile]):
        self._data = {file.name: file.digest for file in data_files}
        self._names = set(self._data)
        self._folders = {folder for name in self._data for folder in _folders(name)}
        self._bytes_left = MAX_MIB << 20
        self.files: list[StudentFile] = []
        self.repairs: list[Note] = []
        self.flags: list[Note] = []

    def add(self, file: StudentFile) -> None:
        folders = _folders(file.name)
        if file.name in self._data:
            if file.digest != self._data[file.name]:
                self.repairs.append(Note(Repair.DATA_RESTORED, values={"name": file.name}))
        elif file.name in self._names:
            pass
        elif file.name in self._folders or self._names.intersection(folders) or not is_safe_path(file.name):
            self.flags.append(Note(Flag.FILE_LEFT_OUT, values={"name": file.name[:200]}))
        elif file.size > self._bytes_left:
            values: Values = {"name": file.name, "mib": -(-file.size >> 20), "limit": MAX_MIB}
            self.flags.append(Note(Flag.TOO_LARGE, values=values))
        else:
            self.files.append(file)
            self._names.add(file.name)
            self._folders.update(folders)
            self._bytes_left -= file.size


def _folders(name: str) -> list[str]:
    """Return the paths of the folders in which a file is, inside the working folder."""
    return [folder.as_posix() for folder in PurePosixPath(name).parents][:-1]
