"""What a student handed in: the one file of a folder that is graded, whatever its name."""

import os
from dataclasses import dataclass
from pathlib import Path

from coursekit.course import Course, Week
from coursekit.files import printable
from coursekit.repair import Unreadable, rebuild
from coursekit.result import Note

MAX_BYTES = 100 << 20  # a notebook with every picture in it has a tenth of that
MAX_FILES = 5  # of one folder that are looked into


@dataclass(frozen=True)
class Submission:
    """One student's hand-in of one week."""

    student: str
    data: bytes
    repairs: tuple[Note, ...]  # what was mended to find the file
    flags: tuple[Note, ...]


def read_submission(course: Course, week: Week, student: str) -> Submission:
    """Find and read a student's notebook. A folder without any file gives an empty submission, which is unreadable.

    The file with the right name counts. When nothing is answered in it, or there is none, the others are looked
    into, from the likeliest name to the least, and the first with an answer counts. Only regular files that lie in
    the folder itself are read: a link, also one for a folder on the way, could lead to anything on this machine.

    Raises:
        OSError: a file or folder that may hold it cannot be read.
    """
    folder = course.submitted(student, week)
    wanted = f"{week.notebook}.ipynb"
    files = _files(course.root, folder)
    paths = sorted(files, key=lambda path: _rank(path.relative_to(folder), wanted))[:MAX_FILES]
    too_large = [path for path in paths if path.stat().st_size > MAX_BYTES]
    flags = []
    for path in too_large:
        size = path.stat().st_size >> 20
        detail = f"{_name(path, folder)} has {size} MiB; more than {MAX_BYTES >> 20} are not read."
        flags.append(Note("too_large", "", detail))
    paths = [path for path in paths if path not in too_large]
    if not paths:
        return Submission(student, b"", (), tuple(flags))
    data, path = _first_answered(course, week, paths)
    repairs = []
    if path != folder / wanted:
        repairs.append(Note("renamed_file", "", f"The notebook was handed in as {_name(path, folder)!r}."))
    others = [
        other
        for other in paths
        if other != path and _is_notebook(other.relative_to(folder)) and _is_another(other, data)
    ]
    if others:
        names = ", ".join(_name(other, folder) for other in others)
        detail = f"There is more than one notebook. {_name(path, folder)} was graded, {names} was not."
        flags.append(Note("several_notebooks", "", detail))
    return Submission(student, data, tuple(repairs), tuple(flags))


def _first_answered(course: Course, week: Week, paths: list[Path]) -> tuple[bytes, Path]:
    """The first file with an answer in it; without one the first that is a notebook, or else the first."""
    if len(paths) == 1:
        return paths[0].read_bytes(), paths[0]
    master = course.master(week)
    readable = None
    for path in paths:
        data = path.read_bytes()
        try:
            rebuilt = rebuild(master, data)
        except Unreadable:
            continue
        if rebuilt.answered:
            return data, path
        readable = readable or (data, path)
    return readable or (paths[0].read_bytes(), paths[0])


def _is_another(path: Path, data: bytes) -> bool:
    return path.read_bytes().strip() not in (b"", data.strip())


def _files(root: Path, folder: Path) -> list[Path]:
    real = root.resolve() / folder.relative_to(root)

    def fail(error: OSError):
        raise error

    return [
        path
        for where, _, names in os.walk(folder, onerror=fail)
        for name in names
        if (path := Path(where, name)).is_file() and path.resolve() == real / path.relative_to(folder)
    ]


def _rank(path: Path, wanted: str) -> tuple:
    """The likelier a file is the notebook, by its name alone, the smaller."""
    name = path.name.lower()
    if _is_notebook(path):
        kind = 0
    elif ".ipynb" in name and path.suffix != ".py" or path.suffix.lower() in ("", ".json", ".txt"):
        kind = 1
    elif path.suffix.lower() in (".zip", ".gz"):
        kind = 2
    elif path.suffix.lower() == ".py":
        kind = 3
    else:
        kind = 4
    return path.as_posix() != wanted, _is_saved_aside(path), kind, len(path.parts), path.as_posix()


def _is_notebook(path: Path) -> bool:
    return path.suffix.lower() == ".ipynb" and not _is_saved_aside(path)


def _is_saved_aside(path: Path) -> bool:
    """Jupyter's own copies, and what archives of a Mac carry along."""
    return bool({".ipynb_checkpoints", "__MACOSX"} & set(path.parts)) or path.name.startswith("._")


def _name(path: Path, folder: Path) -> str:
    return printable(path.relative_to(folder).as_posix())
