"""Put a student's files into `submitted/`: the last notebook counts, and none is thrown away."""

import hashlib
import os
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path, PurePosixPath

from coursekit.course.config import Course, Week
from coursekit.course.student_id import MAX_BYTES, folded
from coursekit.engine.shared.file_names import is_notebook
from coursekit.files import write_atomically
from coursekit.gradebook.timestamps import TIMESTAMP, read_time
from coursekit.intake.opening import BROKEN, Downloaded, looks_like_a_page
from coursekit.intake.platforms import Claim

MAX_FOLDERS = 5  # folders in folders that are kept, of files beside the notebook
EARLIER = ".earlier"  # in a student's folder, for notebooks that do not count; the grader ignores it


@dataclass
class Placed:
    """The report on one student's files.

    Attributes:
        file: the last notebook, else the last other file, by its path in the download; "" if none could be read.
        what: "new", "unchanged", "replaced" (another was there, and is kept), "older" (the file there is newer, or
            has replaced this one) or "not placed" (none could be read).
        layout: the platform that named the file, or "a folder each", "hand_in" or "names" if a person did.
        when: when the notebook was handed in, in UTC; None where the download does not say.
        late: the platform says that one of the files is late.
        remarks: for a person to look at.
    """

    student: str
    file: str = ""
    what: str = "not placed"
    layout: str = ""
    when: datetime | None = None
    late: bool = False
    remarks: list[str] = field(default_factory=list)


def folders_by_id(course: Course) -> dict[str, str]:
    """Return {folded id: id} of the folders that students have in submitted/."""
    inside = (course.root / "submitted").glob("[!.]*")
    return {folded(path.name): path.name for path in inside if path.is_dir()}


def place(
    course: Course, week: Week, student: str, files: list[tuple[Downloaded, Claim]], dry_run: bool
) -> tuple[Placed, dict[str, str]]:
    """Put one student's files where they are graded. Return a report, and {file: why it was left out}."""
    folder = course.submitted(student, week)
    placed, left_out = Placed(student, late=any(claim.late for _, claim in files)), {}
    if problem := _obstacle(folder):
        return placed, {entry.path: problem for entry, _ in files}

    def read(entry: Downloaded) -> bytes | None:  # one at a time: all together may exceed the memory
        try:
            return entry.read()
        except BROKEN as error:
            left_out[entry.path] = f"it cannot be read from the download ({error})."
            return None

    def sort_key(pair: tuple[Downloaded, Claim]) -> tuple[bool, datetime, int, int]:
        entry, claim = pair
        names_another = _names_another_week(claim.file_name, course, week)
        return not names_another, claim.when or datetime.min, claim.order, entry.number

    target = _Target(folder, folder.parent / EARLIER / week.name, dry_run)
    notebooks = sorted(
        ((entry, claim) for entry, claim in files if is_notebook(claim.file_name)), key=sort_key
    )
    earlier = 0
    # From the last to the first: the last one counts, the others are kept, each only once.
    for entry, claim in reversed(notebooks):
        if (data := read(entry)) is None:
            continue
        if placed.file:
            target.keep(f"{week.notebook}.ipynb", data)
            earlier += 1
            continue
        placed.file, placed.layout, placed.when = entry.path, claim.layout, claim.when
        placed.what = target.put(f"{week.notebook}.ipynb", data, claim.when)
        if not data.strip():
            placed.remarks.append("the file is empty")
        elif looks_like_a_page(data):
            placed.remarks.append("it is a web page, not a notebook")
        if _names_another_week(claim.file_name, course, week):
            placed.remarks.append(f"called {claim.file_name}: does it belong to another week?")
    if earlier:
        remark = f"{earlier + 1} notebooks: the last one counts, the others are in {EARLIER}/"
        placed.remarks.insert(0, remark)
    has_notebook = bool(placed.file)
    notebooks_folder = PurePosixPath(placed.file).parent
    for entry, claim in files:
        if is_notebook(claim.file_name) or (data := read(entry)) is None:
            continue
        name = _safe_name(claim.file_name)
        if has_notebook and (inside := _below(PurePosixPath(entry.path).parent, notebooks_folder)):
            name = f"{inside}/{name}"
        if _is_obstructed(folder, name):
            left_out[entry.path] = "a file or folder of another kind is in its place."
            continue
        what = target.put(name, data, None)
        if not has_notebook:
            placed.file, placed.layout, placed.what = entry.path, claim.layout, what
    if placed.file and not has_notebook:
        placed.remarks.append("no notebook among the files")
    return placed, left_out


def _below(path: PurePosixPath, folder: PurePosixPath) -> str:
    """Return the path below a folder, with names that are safe; "" for the folder itself, and outside of it."""
    if not path.is_relative_to(folder):
        return ""
    return "/".join(map(_safe_name, path.relative_to(folder).parts[:MAX_FOLDERS]))


def _is_obstructed(folder: Path, name: str) -> bool:
    """Return whether a file cannot be put there: a folder is in its place, or a file or link in that of a folder."""
    path = folder / name
    between = [parent for parent in path.parents if parent != folder and parent.is_relative_to(folder)]
    return path.is_dir() or any(
        parent.is_symlink() or (parent.exists() and not parent.is_dir()) for parent in between
    )


def _obstacle(folder: Path) -> str:
    """Return why nothing can be put into a student's folder for a week, as a sentence; "" if it can."""
    student_folder = folder.parent
    if folder.is_symlink() or student_folder.is_symlink():
        return f"{folder} is a link, and links are not followed."
    if student_folder.exists() and not student_folder.is_dir():
        return f"{student_folder} is a file, and no student's folder."
    if student_folder.exists() and student_folder.name not in os.listdir(student_folder.parent):
        return f"{student_folder} is another student's folder: this disk does not tell upper from lower case."
    return ""


@dataclass
class _Target:
    """A student's folder for a week, and the folder for the files that do not count."""

    folder: Path
    earlier: Path
    dry_run: bool

    def put(self, name: str, data: bytes, when: datetime | None) -> str:
        """Write the file under this name, unless it is there already or a later one is. Return `Placed.what`."""
        path, stamp = self.folder / name, self.folder / TIMESTAMP
        before = path.read_bytes() if path.exists() else None
        if before == data:
            return "unchanged"
        if _digest(data) in self._kept:
            return "older"
        if before is not None:
            there_since = read_time(stamp)
            is_older = when and there_since and when < there_since
            self.keep(name, data if is_older else before)
            if is_older:
                return "older"
        if not self.dry_run:
            if path.suffix == ".ipynb":
                stamp.unlink(missing_ok=True)  # it belongs to another file
            write_atomically(path, data)
            if when:
                write_atomically(stamp, f"{when:%Y-%m-%d %H:%M:%S.%f} UTC\n".encode())
        return "new" if before is None else "replaced"

    def keep(self, name: str, data: bytes) -> None:
        """Write the file into `earlier`, unless it is there already."""
        if self.dry_run or _digest(data) in self._kept:
            return
        self._kept.add(_digest(data))
        number = len(self._kept)
        name = name.replace("/", "_")
        while (path := self.earlier / f"{number}_{name}").exists():
            number += 1
        write_atomically(path, data)

    @cached_property
    def _kept(self) -> set[bytes]:
        return {_digest(path.read_bytes()) for path in self.earlier.glob("*")}


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def _names_another_week(name: str, course: Course, week: Week) -> bool:
    """Return whether a file's name says that it is of another week."""
    named_weeks = [
        other
        for other in course.weeks
        if other.name.lower() in name.lower() or other.notebook.lower() in name.lower()
    ]
    return bool(named_weeks) and week not in named_weeks


def _safe_name(name: str) -> str:
    """Return a file name that cannot leave its folder and is not hidden."""
    kept = "".join(letter for letter in PurePosixPath(name).name if letter.isprintable())
    kept = kept.encode()[-MAX_BYTES:].decode(errors="ignore").lstrip(".")  # the end has the suffix
    return "handed_in_timestamp.txt" if kept == TIMESTAMP else kept or "file"
