"""The students' pages as one .zip that Canvas or Moodle takes back, each named as the platform named the submission.

Canvas (Grades, "Re-Upload Submissions") finds the owner of a file by the two numbers in its name, and attaches it to a
comment; Moodle ("Upload multiple feedback files in a zip") by the number in its own prefix. Sources: Canvas,
`app/models/assignment.rb` (generate_comments_from_files); Moodle, `mod/assign/feedback/file/importziplib.php`.
"""

import zipfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from coursekit.course.config import Course, Week
from coursekit.engine.shared.errors import CourseError
from coursekit.files import temporary_path
from coursekit.intake.collect import collect

PLATFORMS = ("Canvas", "Moodle")


@dataclass
class PageArchive:
    """The pages in the .zip, and the students whose pages are not in it."""

    names: dict[str, str] = field(default_factory=dict)  # {student: the page's name in it}
    without: list[str] = field(default_factory=list)  # students of the download who have no page
    elsewhere: list[str] = field(default_factory=list)  # students whose file has no platform's name


def zip_pages(course: Course, week: Week, download: str, target: Path) -> PageArchive:
    """Put a week's pages into a .zip for the platform that the download came from, and return its contents.

    Args:
        download: the one that `course collect` was given, or a newer one of the same assignment.
        target: the .zip, written whole or not at all.

    Raises:
        CourseError: the download cannot be read, nobody in it has a page, or the .zip cannot be written.
    """
    done = PageArchive()
    for placed in collect(course, week, download, dry_run=True).students:
        if placed.layout not in PLATFORMS:
            done.elsewhere.append(placed.student)
        elif not _page(course, week, placed.student).is_file():
            done.without.append(placed.student)
        else:
            done.names[placed.student] = str(PurePosixPath(placed.file).with_suffix(".html"))
    if not done.names:
        raise CourseError(
            f"{download}: no file that {' or '.join(PLATFORMS)} has named belongs to a student with a page. Give the "
            "platform's own download, after `course collect` and `course grade`."
        )
    part = temporary_path(target)
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            for student, name in done.names.items():
                archive.write(_page(course, week, student), name)
        part.replace(target)
    except OSError as error:
        raise CourseError(f"{target} cannot be written ({error.strerror}).") from error
    finally:
        part.unlink(missing_ok=True)
    return done


def _page(course: Course, week: Week, student: str) -> Path:
    return course.feedback(student, week) / f"{week.notebook}.html"
