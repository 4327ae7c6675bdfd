"""Let nbgrader's own `export` write into a platform's sheet, for those who work with nbgrader's commands.

    nbgrader export --exporter=coursekit.deliver.export.nbgrader_plugin.CanvasExporter \\
        --assignment='["week1_attention"]' --CanvasExporter.sheet=gradebook.csv --to=upload.csv
"""

from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.plugins import ExportPlugin
from sqlalchemy import make_url
from traitlets import Bool, Unicode

from coursekit.course.config import open_course
from coursekit.deliver.export.sheets import MergedSheet, merge
from coursekit.engine.shared.errors import CourseError
from coursekit.files import printable, write_atomically
from coursekit.gradebook.database import locate


class SheetExporter(ExportPlugin):
    """Puts one assignment's marks into a platform's sheet, as `course export --to` does; exits with 2 if it cannot."""

    platform = ""  # a key of coursekit.deliver.export.LAYOUTS
    sheet = Unicode("", help="the sheet that the platform gave").tag(config=True)
    column = Unicode("", help="the column for the marks, if it is not named after the assignment").tag(
        config=True
    )
    scale = Bool(False, help="convert the marks if the sheet has a different maximum").tag(config=True)

    def export(self, gradebook: Gradebook) -> None:
        try:
            merged = self._merged()
            write_atomically(Path(self.to), merged.text.encode())
        except (CourseError, OSError) as error:
            self.log.error("%s", error)
            raise SystemExit(2) from error
        print(f"{len(merged.changes)} marks changed, {merged.unchanged} the same, in {self.to}.")
        for names, text in (
            (merged.absent, "Without a row in the sheet, so their marks are not in it: %s."),
            (merged.without, "No mark in this course, so their rows in the sheet were not changed: %s."),
            (merged.waiting, "Not complete, since an answer still has to be marked by hand: %s."),
        ):
            if names:
                self.log.warning(text, ", ".join(map(printable, names)))

    def _merged(self) -> MergedSheet:
        if len(self.assignment) != 1 or not self.sheet or not self.to or self.student:
            option = f"--{type(self).__name__}.sheet=SHEET"
            raise CourseError(
                f"Give one --assignment, no --student, {option} (from the platform), and --to=FILE."
            )
        course = open_course(Path.cwd())
        course_url, asked_url = locate(course), make_url(self.parent.coursedir.db_url)
        if (
            course_url.host != asked_url.host
            or Path(course_url.database or "").resolve() != Path(asked_url.database or "").resolve()
        ):
            raise CourseError(
                "--db is not the gradebook of this course folder. Start nbgrader in the folder whose marks you want."
            )
        week = course.week(str(self.assignment[0]))
        return merge(course, week, self.platform, Path(self.sheet), self.column, self.scale)


class CanvasExporter(SheetExporter):
    """Into the gradebook that Canvas exports."""

    platform = "canvas"


class MoodleExporter(SheetExporter):
    """Into the grading worksheet of a Moodle assignment."""

    platform = "moodle"
