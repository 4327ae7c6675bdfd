"""A platform's own sheet with our marks in one of its columns, and every other cell as it was.

Canvas: the gradebook's export (Grades, Export), whose columns for assignments are called "Name (number)" and whose
second or third line has the points possible. Moodle: the assignment's grading worksheet, with the columns "Grade" and
"Maximum Grade". Both are uploaded again where they came from.
"""

import csv
import io
import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from coursekit.course.config import Course, Week
from coursekit.course.roster import read_roster
from coursekit.course.roster_columns import Evidence, evidence, kinds, plain
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
TOLERANCE = 0.005  # points; marks that differ by less count as equal


@dataclass
class MergedSheet:
    """A sheet with the marks in it, and what has changed.

    Attributes:
        changes: (the student as the sheet calls them, the old mark, the new one), where they differ.
        unchanged: rows that had the mark already.
        without: rows of students who have no mark; they stay as they were.
        absent: students who have a mark and no row.
        waiting: students for whom a person still has to mark an answer.
    """

    text: str = ""
    column: str = ""
    changes: list[tuple[str, str, str]] = field(default_factory=list)
    unchanged: int = 0
    without: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)


def merge(
    course: Course, week: Week, platform: str, path: Path, column: str = "", scale: bool = False
) -> MergedSheet:
    """Put a week's marks into a sheet, and return it; the file stays as it is.

    Args:
        platform: a key of LAYOUTS.
        column: the column's name; default: the week's name or title, in Moodle's sheet "Grade".
        scale: convert the marks if the sheet has a different maximum from the week's.

    Raises:
        CourseError: the sheet or the marks cannot be read; it has no such column, or several; its maximum differs;
            nobody with a mark is in it, or two rows are one student's.
    """
    sheet = _Sheet(platform, path)
    index = sheet.column(week, column)
    rows = {row.student: row for row in marks(course, week)}
    factor = sheet.factor(index, course.master(week).total_points, scale)
    merged, roster = MergedSheet(column=sheet.header[index]), read_roster(course)
    row_of: dict[str, list[str]] = {}  # {student: their row}
    lines = list(map(sheet.evidence, sheet.students))
    unlisted = _without_roster(lines, [name for name in rows if name not in roster.ids])
    for number, (row, items) in enumerate(zip(sheet.students, lines, strict=True)):
        student, _ = roster.student(items)
        if not student and not any(roster.student([item])[0] for item in items):
            student = unlisted.get(number, "")
        if student in row_of:
            raise CourseError(
                f"{path}: two rows belong to the student {student!r}: {sheet.name(row_of[student])!r} and "
                f"{sheet.name(row)!r}."
            )
        if student:
            row_of[student] = row
        if student not in rows:
            merged.without.append(sheet.name(row))
    merged.absent = sorted(set(rows) - set(row_of))
    if rows and len(merged.absent) == len(rows):
        raise CourseError(
            f"{path} has no row for any student who has a mark. Add the names or ids that the sheet uses to "
            "roster.csv, or check that this is the sheet of the right course."
        )
    for student, row in row_of.items():
        if student not in rows:
            continue
        mark, present = rows[student].total * factor, _number(row[index])
        if present is not None and abs(present - mark) < TOLERANCE:
            merged.unchanged += 1
        else:
            old, row[index] = row[index], sheet.written(mark, index)
            merged.changes.append((sheet.name(row), old, row[index]))
        if rows[student].needs_manual:
            merged.waiting.append(student)
    merged.text = sheet.text()
    return merged


def _without_roster(lines: list[list[Evidence]], students: list[str]) -> dict[int, str]:
    """Return {index of a line: student} for ids that `collect` made of what stands there, without a roster.

    All are of one kind, by which most of the students are found: one student's number may be another's login.
    """
    ids = {folded(student): student for student in students}
    by_kind: dict[str, dict[int, str]] = defaultdict(dict)
    for number, items in enumerate(lines):
        for item in items:
            if student := ids.get(folded(item.value)) or ids.get(folded(slug(item.value))):
                by_kind[item.kind][number] = student
    most = max(map(len, by_kind.values()), default=0)
    best = [found for found in by_kind.values() if len(found) == most]
    return best[0] if best and all(found == best[0] for found in best) else {}


class _Sheet:
    """A platform's CSV: its rows, delimiter and line ends."""

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
        headers = (index for index, row in enumerate(self._rows) if layout.intersection(map(plain, row)))
        first = next(headers, None)
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
        """Return whether the row is a student's: Canvas also has lines of points and of posting, and a test student."""
        name = self.name(row).strip()
        if self._platform == "canvas":
            number = row[self._columns.index("id")].strip() if "id" in self._columns else name
            return bool(name and number) and not name.startswith(("Points Possible", "Student, Test"))
        return bool(name)

    def name(self, row: list[str]) -> str:
        """Return the student of a row as the sheet calls them."""
        return row[self._columns.index("student") if "student" in self._columns else 0]

    def evidence(self, row: list[str]) -> list[Evidence]:
        """Return what the sheet says of the student of a row."""
        columns = zip(self._columns, kinds(self.header), map(str.strip, row), strict=True)
        return evidence(
            ("canvas" if name == "id" else kind, cell)
            for name, kind, cell in columns
            if name in LAYOUTS[self._platform]
        )

    def column(self, week: Week, name: str) -> int:
        """Return the index of the column for the marks."""
        if not name and self._platform == "moodle":
            name = "Grade"
        names = [name] if name else [week.name, week.title]
        accepted = set(map(plain, names))
        indices = [
            index
            for index, head in enumerate(self.header)
            if {plain(head), plain(NUMBER.sub("", head))} & accepted and "read only" not in head.lower()
        ]
        if len(indices) != 1:
            known = [repr(head) for head in self.header if NUMBER.search(head)] or self.header
            raise CourseError(
                f"{self._path} has {'several columns' if indices else 'no column'} named "
                f"{' or '.join(map(repr, names))}. Use --column to say which column is meant. "
                f"The assignments in this sheet are: {', '.join(known)}."
            )
        return indices[0]

    def factor(self, index: int, most: float, scale: bool) -> float:
        """Return the number by which our points are multiplied: 1 if the maximum is the same."""
        maximum = self._maximum(index)
        if maximum is None or abs(maximum - most) < TOLERANCE:
            return 1.0
        if not scale:
            raise CourseError(
                f"{self._path} has a maximum of {maximum:g} points, but this week has {most:g}. Change the points on "
                f"the platform, or have every mark multiplied by {maximum / most:.4g} with --scale."
            )
        return maximum / most

    def _maximum(self, index: int) -> float | None:
        """Return the maximum of this column; None if the sheet does not say it."""
        if self._platform == "moodle":
            indices = [number for number, name in enumerate(self._columns) if name == "maximumgrade"][:1]
            values = {_number(row[number]) for row in self.students for number in indices}
            return next(iter(values)) if len(values) == 1 else None
        starts = (row for row in self._rows if len(row) == len(self.header))
        line = next((row for row in starts if self.name(row).strip().startswith("Points Possible")), [])
        return _number(line[index]) if len(line) > index else None

    def written(self, mark: float, index: int) -> str:
        """Return a mark as the sheet writes it: with a decimal comma if another mark, or the maximum, has one."""
        text = f"{round(mark, 2):g}"
        indices = {index, *(number for number, name in enumerate(self._columns) if name == "maximumgrade")}
        numbers = (row[number] for row in self._rows for number in indices if number < len(row))
        return text.replace(".", ",") if any(map(DECIMAL_COMMA.fullmatch, numbers)) else text

    def text(self) -> str:
        """Return the sheet as CSV."""
        out = io.StringIO()
        csv.writer(out, delimiter=self._delimiter, lineterminator=self._end).writerows(self._rows)
        return self._bom + out.getvalue()


def _number(text: str) -> float | None:
    """Return a number of the sheet; None if the text is not a number."""
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return None
