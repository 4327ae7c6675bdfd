"""A student's files into `submitted/`: the last notebook counts, and none is thrown away."""

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath

from coursekit.collect.layouts import Claim
from coursekit.collect.opening import BROKEN, Downloaded
from coursekit.course import Course, Week
from coursekit.engine.reader.choose import is_notebook
from coursekit.files import write_atomically
from coursekit.gradebook.timestamps import TIMESTAMP, read_time

EARLIER = ".earlier"  # in a student's folder; the grader does not look into it


@dataclass
class Placed:
    """What became of one student's files.

    Attributes:
        file: the one that is graded, as the download has it; "" where there is no notebook.
        what: "new", "unchanged", "replaced" (another was there, and is kept) or "older" (what is there is newer).
        layout: how that is named: whose platform's.
        when: when it was handed in, in UTC; None where the download does not tell.
        remarks: what a person may want to look at.
    """

    student: str
    file: str = ""
    what: str = "new"
    layout: str = ""
    when: datetime | None = None
    late: bool = False
    remarks: list[str] = field(default_factory=list)


def names(course: Course) -> dict[str, str]:
    """{folded name: name} of the folders that students have in submitted/."""
    folder = course.root / "submitted"
    inside = folder.iterdir() if folder.is_dir() else ()
    return {
        path.name.casefold(): path.name for path in inside if path.is_dir() and not path.name.startswith(".")
    }


def place(
    course: Course, week: Week, student: str, files: list[tuple[Downloaded, Claim]], dry_run: bool
) -> tuple[Placed, dict[str, str]]:
    """Put one student's files where they are graded. Gives what became of them, and {file: why it was left out}."""
    folder = course.submitted(student, week)
    placed, left = Placed(student, late=any(claim.late for _, claim in files)), {}
    if folder.is_symlink() or folder.parent.is_symlink():
        return placed, {entry.path: f"{folder} is a link, and links are not followed." for entry, _ in files}
    contents: dict[Downloaded, bytes] = {}
    for entry, _ in files:
        try:
            contents[entry] = entry.read()
        except BROKEN as error:
            left[entry.path] = f"it cannot be read from the download ({error})."
    whole = [(entry, claim) for entry, claim in files if entry in contents]
    notebooks = [(entry, claim) for entry, claim in whole if is_notebook(claim.name)]

    def lateness(pair: tuple[Downloaded, Claim]) -> tuple[bool, datetime, int, int]:
        entry, claim = pair
        fits = not _is_of_another(claim.name, course, week)
        return fits, claim.when or datetime.min, claim.number, entry.number

    notebooks.sort(key=lateness)
    shelf = _Shelf(folder, folder.parent / EARLIER / week.name, dry_run)
    if not whole:
        return placed, left
    if notebooks:
        entry, claim = notebooks[-1]
        placed.file, placed.layout, placed.when = entry.path, claim.layout, claim.when
        placed.what = shelf.put(f"{week.notebook}.ipynb", contents[entry], claim.when)
        for other, _ in notebooks[:-1]:
            shelf.keep(f"{week.notebook}.ipynb", contents[other])
        if len(notebooks) > 1:
            placed.remarks.append(
                f"{len(notebooks)} notebooks: the last one counts, the others are in {EARLIER}/"
            )
        if _is_of_another(claim.name, course, week):
            placed.remarks.append(f"called {claim.name}: is it of another week?")
    else:
        placed.remarks.append("no notebook among the files")
    for entry, claim in whole:
        if (entry, claim) not in notebooks:
            name = _safe(claim.name)
            what = shelf.put(name, contents[entry], None)
            if not notebooks:
                placed.file, placed.layout, placed.what = entry.path, claim.layout, what
    return placed, left


@dataclass
class _Shelf:
    """A student's folder for a week, and beside it the one for what was handed in before."""

    folder: Path
    earlier: Path
    dry_run: bool

    def put(self, name: str, data: bytes, when: datetime | None) -> str:
        """Have the file there under this name, unless it is there already or is older than what is."""
        path = self.folder / name
        there = path.read_bytes() if path.exists() else None
        if there == data:
            return "unchanged"
        if self._has_kept(data):
            return "older"
        if there is not None:
            before = read_time(self.folder / TIMESTAMP)
            if when and before and when < before:
                self.keep(name, data)
                return "older"
            self.keep(name, there)
        self._write(path, data, when)
        return "new" if there is None else "replaced"

    def keep(self, name: str, data: bytes) -> None:
        """Have it among what was handed in before."""
        if not self.dry_run and not self._has_kept(data):
            number = 1
            while (path := self.earlier / f"{number}_{name}").exists():
                number += 1
            write_atomically(path, data)

    def _has_kept(self, data: bytes) -> bool:
        return any(path.read_bytes() == data for path in self.earlier.glob("*"))

    def _write(self, path: Path, data: bytes, when: datetime | None) -> None:
        if self.dry_run:
            return
        stamp = self.folder / TIMESTAMP
        if path.suffix == ".ipynb":
            stamp.unlink(missing_ok=True)  # that of another file
        write_atomically(path, data)
        if when:
            write_atomically(stamp, f"{when:%Y-%m-%d %H:%M:%S.%f} UTC\n".encode())


def _is_of_another(name: str, course: Course, week: Week) -> bool:
    """Whether a file's name says that it is of another week."""
    said = name.lower()
    names = {other.name: (other.name.lower(), other.notebook.lower()) for other in course.weeks}
    return not any(word in said for word in names.pop(week.name)) and any(
        word in said for words in names.values() for word in words
    )


def _safe(name: str) -> str:
    """A name that stays in its folder and hides nothing."""
    kept = "".join(letter for letter in PurePosixPath(name).name if letter.isprintable()).lstrip(".")
    return "handed_in_timestamp.txt" if kept == TIMESTAMP else kept[-150:] or "file"
