"""release -> the students' repository: the files that students need, and nothing else.

publish      which files go where, and writing them
page         the students' README
tutor        the file with the rules for a student's chat assistant
leaks        refuses files that show a solution, a hidden test or a model answer
fingerprint  the same for equal code, however it is written
decoding     every text in a file, even packed or encoded
"""

import hashlib
import json
from contextlib import suppress
from pathlib import Path

from coursekit.authoring import data_files, release
from coursekit.authoring.narration import manifest
from coursekit.authoring.publish import tutor
from coursekit.authoring.publish.leaks import refuse_leaks
from coursekit.authoring.publish.page import students_page
from coursekit.course.addresses import ASSETS, EXPLORER
from coursekit.course.config import Course, Week
from coursekit.engine.shared.errors import CourseError
from coursekit.files import write_atomically

LIST = "published.json"  # lists the files written, so that the next run recognises them
# Suffixes of the files that are published for each script. An instructor's own recording (.wav) is not published.
NARRATION_SUFFIXES = (".md", ".mp3", ".vtt")


def publish(course: Course, weeks: list[Week], folder: Path) -> list[str]:
    """Write the students' files into a folder, which may be a clone of their repository; return the files' names.

    Files that an earlier run wrote and this one does not are removed. Equal courses give equal bytes.

    Raises:
        CourseError: course.toml's repository is a placeholder; a release is not up to date; a file would show what
            students must not see; no cell of a week's notebook names a file beside it; the folder holds other files, is
            in the course folder, or contains it. Nothing has been written then. Or a file cannot be written.
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
    """Return {path in the students' repository: the file's bytes}, or raise CourseError as `publish` does."""
    course.repository.refuse_placeholder()
    files = {"README.md": students_page(course, weeks).encode()}
    if (licence := course.root / ASSETS / "LICENSE-course.md").is_file():
        files["LICENSE.md"] = licence.read_bytes()
    for week in weeks:
        if why := release.stale(course, week):
            raise CourseError(why)
        if unnamed := data_files.unnamed(course.master(week)):
            raise CourseError(f"Nothing was published: {' '.join(unnamed)}")
        files[f"{week.name}/{week.notebook}.ipynb"] = course.release(week).read_bytes()
        for file in course.data_files(week):
            files[f"{week.name}/{file.name}"] = Path(file.path).read_bytes()
        files[f"{week.name}/{tutor.NAME}"] = tutor.context(course, week).encode()
        for script in sorted((course.root / "narration" / week.name).glob("*.md")):
            for path in filter(Path.is_file, map(script.with_suffix, NARRATION_SUFFIXES)):
                files[f"narration/{week.name}/{path.name}"] = path.read_bytes()
    narrated = {name.removesuffix(".mp3") for name in files if name.endswith(".mp3")}
    entries = manifest.read_manifest(course.root / "narration")
    if published := {name: entry for name, entry in entries.items() if f"narration/{name}" in narrated}:
        files[f"narration/{manifest.NAME}"] = manifest.dump(published)
    if (page := course.root / ASSETS / EXPLORER / "index.html").is_file():
        files[f"{EXPLORER}/index.html"] = page.read_bytes()
    return files


def _check_folder(course: Course, folder: Path) -> None:
    """Raise CourseError if the folder overlaps the course folder, or holds files that no earlier run wrote."""
    root = course.root.resolve()
    real = folder.resolve()
    if real == root or root in real.parents or real in root.parents:
        raise CourseError(
            f"{folder} is part of the course folder, or contains it. Name a folder elsewhere: best a clone of the "
            "students' repository."
        )
    if real.exists() and not real.is_dir():
        raise CourseError(f"{folder} is not a folder.")
    existing = {path.relative_to(real).as_posix() for path in real.rglob("*") if not path.is_dir()}
    allowed = _written_before(folder) | {LIST, ".git", ".gitignore"}
    if foreign := sorted(name for name in existing - allowed if not name.startswith(".git/")):
        names = ", ".join(foreign[:5]) + (", …" if len(foreign) > 5 else "")
        raise CourseError(
            f"{folder} holds files that `course publish` did not write: {names}. Students would get them too. Remove "
            "them, or name another folder."
        )


def _written_before(folder: Path) -> set[str]:
    """Return the files that an earlier run has listed as written here, except paths that lead out of the folder."""
    try:
        names = json.loads((folder / LIST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return set()
    return {
        name
        for name in (names if isinstance(names, dict) else ())
        if not Path(name).is_absolute() and ".." not in Path(name).parts
    }
