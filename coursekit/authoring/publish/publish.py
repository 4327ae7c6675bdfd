"""release -> the students' repository: what they need, and nothing else.

publish      what goes where, and writing it
page         the students' README
tutor        the file that a student's assistant gets
leaks        refuses whatever shows a solution, a hidden test or a model answer
fingerprint  what a piece of code does, however it is written
decoding     every text in a file, whatever it is packed or encoded in
"""

import hashlib
import json
from contextlib import suppress
from pathlib import Path

from coursekit.authoring import release
from coursekit.authoring.narration import manifest
from coursekit.authoring.publish import tutor
from coursekit.authoring.publish.leaks import refuse_leaks
from coursekit.authoring.publish.page import students_page
from coursekit.course.addresses import ASSETS
from coursekit.course.config import Course, Week
from coursekit.engine.shared.errors import CourseError
from coursekit.files import write_atomically

LIST = "published.json"  # of what was written, by which the next run knows its own files
NARRATION = (".md", ".mp3", ".vtt")  # published of each script; an instructor's recording is not


def publish(course: Course, weeks: list[Week], folder: Path) -> list[str]:
    """Write what students need into a folder, which may be a clone of their repository; return the files' names.

    What an earlier run wrote and is not wanted any more is removed. Equal courses give equal bytes.

    Raises:
        CourseError: a release is not up to date or would show what students must not see; the folder holds what no
            earlier run has written, or is in the course. Nothing was written then.
    """
    folder = folder.absolute()
    _check_folder(course, folder)
    files = contents(course, weeks)
    refuse_leaks(course, files)
    old = _written_before(folder)
    listed = {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())}
    files[LIST] = (json.dumps(listed, indent=1) + "\n").encode()
    try:
        for name, data in files.items():
            write_atomically(folder / name, data)
        for name in old - set(files):
            path = folder / name
            path.unlink(missing_ok=True)
            with suppress(OSError):  # other files are in it, or it is gone already
                path.parent.rmdir()
    except OSError as error:
        raise CourseError(f"{error.filename or folder} cannot be written: {error.strerror}.") from error
    return sorted(files)


def contents(course: Course, weeks: list[Week]) -> dict[str, bytes]:
    """Return {path in the students' repository: bytes}."""
    course.repository.refuse_placeholder()
    files = {"README.md": students_page(course, weeks).encode()}
    if (licence := course.root / ASSETS / "LICENSE-course.md").is_file():
        files["LICENSE.md"] = licence.read_bytes()
    for week in weeks:
        if why := release.stale(course, week):
            raise CourseError(why)
        beside = release.companions(course, week)
        _refuse_unnamed(course, week, beside)
        for path in [course.release(week), *beside]:
            files[f"{week.name}/{path.name}"] = path.read_bytes()
        files[f"{week.name}/{tutor.NAME}"] = tutor.context(course, week).encode()
        for script in sorted((course.root / "narration" / week.name).glob("*.md")):
            for path in filter(Path.is_file, map(script.with_suffix, NARRATION)):
                files[f"narration/{week.name}/{path.name}"] = path.read_bytes()
    spoken = {name.removesuffix(".mp3") for name in files if name.endswith(".mp3")}
    entries = manifest.read_manifest(course.root / "narration")
    if heard := {name: entry for name, entry in entries.items() if f"narration/{name}" in spoken}:
        files[f"narration/{manifest.NAME}"] = manifest.dump(heard)
    for pattern in ("explorer/index.html", "drawings/*.svg"):
        for path in sorted((course.root / ASSETS).glob(pattern)):
            files[path.relative_to(course.root / ASSETS).as_posix()] = path.read_bytes()
    return files


def _refuse_unnamed(course: Course, week: Week, beside: list[Path]) -> None:
    """Raise CourseError if no cell of the notebook names one of these files, which may be the instructor's own."""
    master = course.master(week)
    text = "\n".join(map(master.visible, master.cells))
    unnamed = [path.name for path in beside if path.name != "README.md" and path.name not in text]
    if unnamed:
        raise CourseError(
            f"Nothing was published: students would get {', '.join(unnamed)} from source/{week.name}/, which no cell "
            "of the notebook names. Move it to another folder, or name it in the cell that reads it."
        )


def _check_folder(course: Course, folder: Path) -> None:
    root = course.root.resolve()
    real = folder.resolve()
    if real == root or root in real.parents or real in root.parents:
        raise CourseError(
            f"{folder} is part of the course folder, or contains it. Name a folder elsewhere: best a clone of the "
            "students' repository."
        )
    if real.exists() and not real.is_dir():
        raise CourseError(f"{folder} is not a folder.")
    found = {path.relative_to(real).as_posix() for path in real.rglob("*") if not path.is_dir()}
    own = _written_before(folder) | {LIST, ".git", ".gitignore"}
    if foreign := sorted(name for name in found - own if not name.startswith(".git/")):
        names = ", ".join(foreign[:5]) + (", …" if len(foreign) > 5 else "")
        raise CourseError(
            f"{folder} holds files that `course publish` did not write: {names}. Students would get them too. Remove "
            "them, or name another folder."
        )


def _written_before(folder: Path) -> set[str]:
    """What an earlier run has written here, by its list; paths that lead out of the folder are ignored."""
    try:
        names = json.loads((folder / LIST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return set()
    return {
        name
        for name in (names if isinstance(names, dict) else ())
        if not Path(name).is_absolute() and ".." not in Path(name).parts
    }
