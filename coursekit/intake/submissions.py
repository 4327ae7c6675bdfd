"""Read submitted/ and autograded/: who handed in, who has a result, which files a student handed in."""

import os
import stat
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from coursekit.course.config import Course, Week
from coursekit.course.hidden_seed import hidden_seed
from coursekit.engine.coordinator.submission import File, Submission, open_regular
from coursekit.engine.shared.file_names import (
    MAX_CANDIDATES,
    MAX_FILES,
    is_left_over,
    rank_as_notebook,
    rank_beside,
)
from coursekit.engine.shared.reasons import Flag, Values
from coursekit.engine.shared.result import Note, Result
from coursekit.files import printable

MAX_BYTES = 100 << 20  # of all of a student's files; a notebook with all its pictures has a tenth of that
MAX_ENTRIES = 10_000  # files and folders in one folder and below it that are looked at
TIMESTAMP = "timestamp.txt"  # nbgrader's file with the time of the submission


def students(course: Course, week: Week) -> list[str]:
    """Return the ids of the students who have a folder for this week, sorted."""
    folder = course.root / "submitted"
    if not folder.is_dir():
        return []
    return sorted(
        entry.name
        for entry in folder.iterdir()
        if not entry.name.startswith(".") and not entry.is_symlink() and (entry / week.name).is_dir()
    )


def strays(course: Course) -> list[str]:
    """Return the paths below submitted/ that are not graded, sorted.

    These are files and links beside students' folders, except README.md; what is beside the weeks in a student's
    folder; and weeks in a folder whose name begins with a dot. Other names that begin with a dot are left out.
    """
    week_names, paths = {week.name for week in course.weeks}, []
    for entry in (course.root / "submitted").glob("*"):
        with suppress(OSError):  # a folder that cannot be read is reported when its week is graded
            if entry.name.startswith("."):
                paths += [f"{entry.name}/{name}" for name in week_names if (entry / name).is_dir()]
            elif entry.is_symlink() or not entry.is_dir():
                paths += [entry.name] if entry.name != "README.md" else []
            else:
                inner = [path.name for path in entry.iterdir() if path.name not in week_names]
                paths += [f"{entry.name}/{name}" for name in inner if not name.startswith(".")]
    return sorted(paths)


def graded_students(course: Course, week: Week) -> list[str]:
    """Return the ids of the students who have a result for this week, sorted."""
    return sorted(path.parent.parent.name for path in course.results.glob(f"*/{week.name}/result.json"))


def read_submission(course: Course, week: Week, student: str) -> Submission:
    """Return a student's open files, the likeliest notebook by its name first. The caller closes them.

    Only regular files in the folder and below it are read: a link, even one to a folder on the way, could lead to
    anything on this machine. Without a regular file, the submission is unreadable. What was graded before keeps its
    hidden seed.

    Raises:
        OSError: a file or folder that may hold the notebook cannot be read.
        CourseError: the course's secret cannot be read or written.
    """
    folder = course.submitted(student, week)
    file_name = f"{week.notebook}.ipynb"
    paths, flags = _files(course.root, folder)
    names = {path: path.relative_to(folder).as_posix() for path in paths}
    kept = [path for path, name in names.items() if not is_left_over(name)]
    kept.sort(key=lambda path: rank_as_notebook(names[path], file_name))
    kept[MAX_CANDIDATES:] = sorted(kept[MAX_CANDIDATES:], key=lambda path: rank_beside(names[path]))
    if len(kept) > MAX_FILES:
        flags = [Note(Flag.TOO_MANY_FILES, values={"limit": MAX_FILES})]
    files: list[File] = []
    bytes_left = MAX_BYTES
    try:
        for path in kept[:MAX_FILES]:
            if (opened := open_regular(path)) is None:
                continue
            descriptor, size = opened
            name = printable(names[path])
            if size <= bytes_left:
                files.append(File(name, descriptor, size))
                bytes_left -= size
            else:
                os.close(descriptor)
                values: Values = {"name": name, "mib": size >> 20, "limit": MAX_BYTES >> 20}
                flags.append(Note(Flag.TOO_LARGE, values=values))
        submission = Submission.of_files(student, files, file_name, flags)
        earlier = Result.read(course.autograded(student, week) / "result.json")
        if earlier and earlier.hashes["submission"] == submission.digest:
            return replace(submission, hidden_seed=earlier.hidden_seed)
        return replace(submission, hidden_seed=hidden_seed(course.root, submission.digest))
    except BaseException:
        for file in files:
            os.close(file.descriptor)
        raise


def _files(root: Path, folder: Path) -> tuple[list[Path], list[Note]]:
    """Return the regular files in a folder and below it, without following a link, and flags."""
    if folder.resolve() != root.resolve() / folder.relative_to(root):
        return [], []

    def fail(error: OSError) -> None:
        raise error

    files, entries = [], 0
    for where, folders, names in os.walk(folder, onerror=fail):
        folders.sort()
        for name in sorted(names):
            path = Path(where, name)
            if stat.S_ISREG(path.lstat().st_mode) and path != folder / TIMESTAMP:
                files.append(path)
        entries += len(folders) + len(names)
        if entries > MAX_ENTRIES:
            return files, [Note(Flag.TOO_MANY_FILES, values={"limit": MAX_ENTRIES})]
    return files, []
