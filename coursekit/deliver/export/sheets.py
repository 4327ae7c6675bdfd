"""A platform's own sheet with our marks in one of its columns, and every other cell as it was.

Canvas: the gradebook's export (Grades, Export), whose columns for assignments are called "Name (number)" and whose
second or third line has the points possible. Moodle: the assignment's grading worksheet, with the columns "Grade" and
"Maximum Grade". Both are uploaded again where they came from.
"""

import csv
import io
import re
from dataclasses import dataclass, field
from pathlib import Path

from coursekit.course.config import Course, Week
from coursekit.course.roster import Roster, plain, the_roster
from coursekit.course.student_id import folded, slug
from coursekit.engine.shared.errors import CourseError
from coursekit.gradebook.marks import marks

# {platform: the columns that identify a row's student, the surest first, as `plain` writes their names}
LAYOUTS = {
    "canvas": ("id", "sisuserid", "sisloginid", "integrationid", "student"),
    "moodle": ("identifier", "idnumber", "username", "emailaddress", "fullname", "firstname", "lastname"),
}
EXAMPLES = {"canvas": "'ID' or 'SIS Login ID'", "moodle": "'Identifier' or 'Email address'"}
NUMBER = re.compile(r"\s*\(\d+\)\s*$")  # after the name of an assignment
DECIMAL_COMMA = re.compile(r"\s*\d+,\d+\s*")
TOLERANCE = 0.005  # points that two marks may differ and be written alike


@dataclass
class MergedSheet:
    """A sheet with the marks in it, and what has changed.

    Attributes:
        changes: (the student as the sheet calls them, the old mark, the new one), where they differ.
        unchanged: rows that had the mark already.
        without: rows of students who have no mark; they stay as they were.
        waiting: students for whom a person still has to mark an answer.
    """

    text: str = ""
    column: str = ""
    changes: list[tuple[str, str, str]] = field(default_factory=list)
    unchanged: int = 0
    without: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)


def merge(
    course: Course, week: Week, platform: str, path: Path, column: str = "", scale: bool = False
) -> MergedSheet:
    """Put a week's marks into a sheet.

    Args:
        platform: a key of LAYOUTS.
        column: the column's name, where it is not called like the week.
        scale: where the sheet has another maximum than the week, convert the marks.

    Raises:
        CourseError: the sheet cannot be read, or has no such column; it has another maximum; somebody with a mark is
            not in it, or two rows are one student. Nothing is merged then.
    """
    sheet = _Sheet(platform, path)
    place = sheet.column(week, column)
    rows = {row.student: row for row in marks(course, week)}
    factor = sheet.factor(place, course.master(week).points, scale)
    merged, roster = MergedSheet(column=sheet.header[place]), the_roster(course)
    found: dict[str, list[str]] = {}  # {student: their row}
    known = {student: folded(student) for student in rows}
    for row in sheet.students:
        student = _student(sheet.names(row), known, roster)
        if student in found:
            raise CourseError(
                f"{path}: two rows belong to the student {student!r}: {found[student][0]!r} and {row[0]!r}."
            )
        if student:
            found[student] = row
        if student not in rows:
            merged.without.append(row[0])
    if absent := sorted(set(rows) - set(found)):
        raise CourseError(
            f"{path} has no row for {len(absent)} of the students who have marks: {', '.join(absent[:10])}"
            f"{' and others' if len(absent) > 10 else ''}. Add the names or ids that the sheet uses to roster.csv, or "
            "check that this is the sheet of the right course."
        )
    for student, row in found.items():
        if student not in rows:
            continue
        mark, there = rows[student].total * factor, _number(row[place])
        if there is not None and abs(there - mark) < TOLERANCE:
            merged.unchanged += 1
        else:
            old, row[place] = row[place], sheet.written(mark, place)
            merged.changes.append((row[0], old, row[place]))
        if rows[student].needs_manual:
            merged.waiting.append(student)
    merged.text = sheet.text()
    return merged


def _student(names: list[str], known: dict[str, str], roster: Roster) -> str:
    """The id of the student with these names: as it is, as the roster knows it, or as `collect` makes an id of it.

    Args:
        known: {student: the id as `folded` writes it} of those who have marks.
    """
    if student := next((name for name in names if name in known), "") or roster.student(names)[0]:
        return student
    slugs = {folded(slug(name)) for name in names}
    fitting = [student for student, fold in known.items() if fold in slugs]
    return fitting[0] if len(fitting) == 1 else ""


class _Sheet:
    """A platform's CSV: its rows, and how it is written."""

    def __init__(self, platform: str, path: Path):
        self._path, self._platform = path, platform
        try:
            data = path.read_bytes()
            text = data.decode("utf-8-sig")
        except OSError as error:
            raise CourseError(f"{path} cannot be read ({error.strerror}).") from error
        except UnicodeDecodeError as error:
            raise CourseError(f"{path} is not text in UTF-8. Save it as CSV in UTF-8.") from error
        self._bom = "\ufeff" if data.startswith(b"\xef\xbb\xbf") else ""
        self._end = "\r\n" if "\r\n" in text else "\n"
        self._delimiter = max(",;\t", key=text.partition("\n")[0].count)
        try:
            self._rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=self._delimiter))
        except csv.Error as error:
            raise CourseError(f"{path} is not a valid CSV file: {error}.") from error
        layout = set(LAYOUTS[platform])
        found = (place for place, row in enumerate(self._rows) if layout.intersection(map(plain, row)))
        first = next(found, None)
        if first is None:
            raise CourseError(
                f"{path} does not look like a sheet from {platform.capitalize()}: it has no column that identifies the "
                f"students, such as {EXAMPLES[platform]}."
            )
        self.header, rows = self._rows[first], [row for row in self._rows[first + 1 :] if row]
        self._columns = [plain(name) for name in self.header]
        if short := next((row for row in rows if len(row) != len(self.header)), None):
            raise CourseError(
                f"{path}: the line of {short[0]!r} has {len(short)} cells, not {len(self.header)}."
            )
        self.students = [row for row in rows if self._is_student(row)]

    def _is_student(self, row: list[str]) -> bool:
        """Whether the row is a student's: Canvas also has lines of points and of posting, and a test student."""
        name = row[0].strip()
        if self._platform == "canvas":
            number = row[self._columns.index("id")].strip() if "id" in self._columns else name
            return bool(name and number) and not name.startswith(("Points Possible", "Student, Test"))
        return bool(name)

    def names(self, row: list[str]) -> list[str]:
        """The names that the sheet has for the student of a row, the surest first."""
        cells = dict(zip(self._columns, map(str.strip, row), strict=True))
        first, last = cells.get("firstname"), cells.get("lastname")  # others may have one of them, too
        names = [cells.get(key) for key in LAYOUTS[self._platform] if key not in ("firstname", "lastname")]
        return [name for name in (*names, f"{first} {last}" if first and last else "") if name]

    def column(self, week: Week, name: str) -> int:
        """The place of the column for the marks."""
        if not name and self._platform == "moodle":
            name = "Grade"
        names = [name] if name else [week.name, week.title]
        wanted = set(map(plain, names))
        found = [
            place
            for place, head in enumerate(self.header)
            if {plain(head), plain(NUMBER.sub("", head))} & wanted and "read only" not in head.lower()
        ]
        if len(found) != 1:
            known = [repr(head) for head in self.header if NUMBER.search(head)] or self.header
            raise CourseError(
                f"{self._path} has {'several columns' if found else 'no column'} named "
                f"{' or '.join(map(repr, names))}. Use --column to say which column is meant. "
                f"The assignments in this sheet are: {', '.join(known)}."
            )
        return found[0]

    def factor(self, place: int, most: float, scale: bool) -> float:
        """The number by which our points are multiplied."""
        theirs = self._maximum(place)
        if theirs is None or abs(theirs - most) < TOLERANCE:
            return 1.0
        if not scale:
            raise CourseError(
                f"{self._path} has a maximum of {theirs:g} points, but this week has {most:g}. Change the points on "
                f"the platform, or have every mark multiplied by {theirs / most:.4g} with --scale."
            )
        return theirs / most

    def _maximum(self, place: int) -> float | None:
        """The most points in this column; None where the sheet does not say it."""
        if self._platform == "moodle":
            places = [number for number, name in enumerate(self._columns) if name == "maximumgrade"][:1]
            values = {_number(row[number]) for row in self.students for number in places}
            return next(iter(values)) if len(values) == 1 else None
        line = next((row for row in self._rows if row and row[0].strip().startswith("Points Possible")), [])
        return _number(line[place]) if len(line) > place else None

    def written(self, mark: float, place: int) -> str:
        """A mark as the sheet writes them: with a comma where others, or the most points, have one."""
        text = f"{round(mark, 2):g}"
        places = {place, *(number for number, name in enumerate(self._columns) if name == "maximumgrade")}
        theirs = (row[number] for row in self._rows for number in places if number < len(row))
        return text.replace(".", ",") if any(map(DECIMAL_COMMA.fullmatch, theirs)) else text

    def text(self) -> str:
        """The sheet as CSV."""
        out = io.StringIO()
        csv.writer(out, delimiter=self._delimiter, lineterminator=self._end).writerows(self._rows)
        return self._bom + out.getvalue()


def _number(text: str) -> float | None:
    """A number of the sheet; None where there is none."""
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return None
