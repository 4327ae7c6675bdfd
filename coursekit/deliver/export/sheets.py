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
from coursekit.course.roster import plain, the_roster
from coursekit.course.student_id import folded, slug
from coursekit.engine.shared.errors import CourseError
from coursekit.gradebook.marks import marks

# {platform: the columns that say who a row is, as `plain` writes their names}
LAYOUTS = {
    "canvas": ("id", "sisuserid", "sisloginid", "integrationid", "student"),
    "moodle": ("identifier", "idnumber", "username", "emailaddress", "fullname", "firstname", "lastname"),
}
EXAMPLES = {"canvas": "'ID' or 'SIS Login ID'", "moodle": "'Identifier' or 'Email address'"}
NUMBER = re.compile(r"\s*\(\d+\)\s*$")  # behind the name of an assignment
COMMA = re.compile(r"\s*\d+,\d+\s*")
SAME = 0.005  # points that two marks may differ and be written alike


@dataclass
class Merged:
    """What became of a sheet.

    Attributes:
        text: the sheet, as the platform takes it.
        column: where the marks are.
        changes: (who, as the sheet calls them, the old mark, the new one), where they differ.
        unchanged: rows that had the mark already.
        without: rows of students who have no mark here; they are as they were.
        waiting: students whose mark is not complete: a person has to mark an answer.
    """

    text: str = ""
    column: str = ""
    changes: list[tuple[str, str, str]] = field(default_factory=list)
    unchanged: int = 0
    without: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)


def merge(
    course: Course, week: Week, platform: str, path: Path, column: str = "", scale: bool = False
) -> Merged:
    """Put a week's marks into a sheet.

    Args:
        platform: a key of LAYOUTS.
        column: the column's name, where it is not called like the week.
        scale: the sheet counts in other points than the week: multiply.

    Raises:
        CourseError: the sheet cannot be read, or has no such column; it counts in other points; somebody with a mark is
            not in it, or two rows are one student. Nothing is merged then.
    """
    sheet = _Sheet(platform, path)
    place = sheet.column(week, column)
    rows = {row.student: row for row in marks(course, week)}
    most = course.master(week).points
    factor = sheet.factor(place, most, scale)
    found: dict[str, list[str]] = {}  # {student: their row}
    roster, merged = the_roster(course), Merged(column=sheet.header[place])
    by_slug: dict[str, set[str]] = defaultdict(set)
    for student in rows:
        by_slug[folded(student)].add(student)
    for row in sheet.students:
        names = sheet.names(row)
        # As it is; as the roster knows it; as `collect` has made an id of it.
        student = next((name for name in names if name in rows), "") or roster.student(names)[0]
        if not student:
            fits = {one for name in names for one in by_slug.get(folded(slug(name)), ())}
            student = fits.pop() if len(fits) == 1 else ""
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
        mark = rows[student].total * factor
        old, new = row[place], sheet.number(mark, place)
        there = sheet.value(old)
        if there is not None and abs(there - mark) < SAME:
            merged.unchanged += 1
        else:
            merged.changes.append((row[0], old, new))
            row[place] = new
        if rows[student].needs_manual:
            merged.waiting.append(student)
    merged.text = sheet.written()
    return merged


class _Sheet:
    """A platform's CSV: its rows, and how it is written."""

    def __init__(self, platform: str, path: Path):
        self._path, self._platform = path, platform
        try:
            data = path.read_bytes()
            self._bom = data.startswith(b"\xef\xbb\xbf")
            text = data.decode("utf-8-sig")
        except OSError as error:
            raise CourseError(f"{path} cannot be read ({error.strerror}).") from error
        except UnicodeDecodeError as error:
            raise CourseError(f"{path} is not text in UTF-8. Save it as CSV in UTF-8.") from error
        self._end = "\r\n" if "\r\n" in text else "\n"
        first = text.partition("\n")[0]
        self._delimiter = max(",;\t", key=first.count)
        try:
            self._rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=self._delimiter))
        except csv.Error as error:
            raise CourseError(f"{path} is not a valid CSV file: {error}.") from error
        wanted = LAYOUTS[platform]
        head = next((row for row in self._rows if {*map(plain, row)} & set(wanted)), None)
        if head is None:
            raise CourseError(
                f"{path} does not look like a sheet from {platform.capitalize()}: it has no column that identifies the "
                f"students, such as {EXAMPLES[platform]}."
            )
        self.header = head
        below = self._rows[self._rows.index(head) + 1 :]
        self.students = [row for row in below if len(row) == len(head) and self._is_student(row)]
        if short := next((row for row in below if row and len(row) != len(head)), None):
            raise CourseError(f"{path}: the line of {short[0]!r} has {len(short)} cells, not {len(head)}.")

    def _is_student(self, row: list[str]) -> bool:
        """Canvas has lines of points and of how marks are posted, and a test student."""
        return bool(row[0].strip()) and not (
            self._platform == "canvas"
            and (row[0].strip().startswith(("Points Possible", "Student, Test")) or not self._id(row))
        )

    def _id(self, row: list[str]) -> str:
        columns = [plain(name) for name in self.header]
        return row[columns.index("id")].strip() if "id" in columns else row[0].strip()

    def names(self, row: list[str]) -> list[str]:
        """What the sheet calls the student of a row, the surest first."""
        said = {plain(name): value.strip() for name, value in zip(self.header, row, strict=True)}
        alone = ("firstname", "lastname")  # others may be called so, too
        names = [said[key] for key in LAYOUTS[self._platform] if said.get(key) and key not in alone]
        if said.get("firstname") and said.get("lastname"):
            names.append(f"{said['firstname']} {said['lastname']}")
        return names

    def column(self, week: Week, name: str) -> int:
        """The place of the column for the marks."""
        if not name and self._platform == "moodle":
            name = "Grade"
        wanted = {plain(name)} if name else {plain(week.name), plain(week.title)}
        found = [
            number
            for number, head in enumerate(self.header)
            if {plain(head), plain(NUMBER.sub("", head))} & wanted and "read only" not in head.lower()
        ]
        if len(found) != 1:
            known = ", ".join(repr(head) for head in self.header if NUMBER.search(head)) or ", ".join(
                self.header
            )
            problem = "several columns" if found else "no column"
            names = [name] if name else [week.name, week.title]
            raise CourseError(
                f"{self._path} has {problem} named {' or '.join(map(repr, names))}. "
                f"Use --column to say which column is meant. The assignments in this sheet are: {known}."
            )
        return found[0]

    def factor(self, place: int, most: float, scale: bool) -> float:
        """By what our points are multiplied."""
        theirs = self._most(place)
        if theirs is None or abs(theirs - most) < SAME:
            return 1.0
        if not scale:
            raise CourseError(
                f"{self._path} has a maximum of {theirs:g} points, but this week has {most:g}. Change the points on "
                f"the platform, or have every mark multiplied by {theirs / most:.4g} with --scale."
            )
        return theirs / most

    def _most(self, place: int) -> float | None:
        if self._platform == "moodle":
            columns = [plain(name) for name in self.header]
            values = {
                self.value(row[columns.index("maximumgrade")])
                for row in self.students
                if "maximumgrade" in columns
            }
            return next(iter(values)) if len(values) == 1 else None
        line = next((row for row in self._rows if row and row[0].strip().startswith("Points Possible")), None)
        return self.value(line[place]) if line is not None and len(line) > place else None

    def value(self, text: str) -> float | None:
        """A number of the sheet; None where there is none."""
        try:
            return float(text.strip().replace(",", "."))
        except ValueError:
            return None

    def number(self, mark: float, place: int) -> str:
        """A mark as the sheet writes them: with a comma where others, or the most points, have one."""
        text = f"{round(mark, 2):g}"
        columns = [plain(name) for name in self.header]
        places = {place, *(number for number, name in enumerate(columns) if name == "maximumgrade")}
        theirs = [row[number] for row in self._rows for number in places if number < len(row)]
        return text.replace(".", ",") if any(COMMA.fullmatch(cell) for cell in theirs) else text

    def written(self) -> str:
        out = io.StringIO()
        csv.writer(out, delimiter=self._delimiter, lineterminator=self._end).writerows(self._rows)
        return ("\ufeff" if self._bom else "") + out.getvalue()
