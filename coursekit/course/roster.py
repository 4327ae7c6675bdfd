"""The class list, from the instructor's own CSV or one that a platform exports."""

import csv
import io
import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from coursekit.course.config import Course
from coursekit.course.student_id import folded
from coursekit.engine.shared.errors import CourseError

FILE = "roster.csv"
# Columns, as `plain` writes their names: the student's id in this course, the likeliest first, and the student's name.
_ID = (
    *("student", "studentid", "id", "sid", "sisloginid", "sisuserid", "idnumber"),
    *("username", "email", "emailaddress"),
)
_NAME = ("name", "fullname", "studentname", "student")
_FIRST, _LAST = ("firstname", "givenname"), ("lastname", "surname", "familyname")
# Columns with a student's extra days: for every week, or for the week whose name follows.
_EXTENSION = re.compile(r"\s*extension\b\s*(.*?)\s*", re.IGNORECASE)
MAX_EXTENSION_DAYS = 366


@dataclass
class Roster:
    """A class, which is empty if the course has no roster.

    Attributes:
        ids: the students' ids in this course, as an ordered set in the roster's order.
        keys: {a platform's name for a student, as `folded` writes it: ids of the students with this name}.
        names: {people's name for a student, as `plain` writes it: the same}.
        extensions: {student: {week, or "" for every week: extra days}}.
    """

    ids: dict[str, None] = field(default_factory=dict)
    keys: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    names: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    extensions: dict[str, dict[str, float]] = field(default_factory=dict)

    def extension(self, student: str, week: str) -> float:
        """Return this student's extra days for this week."""
        extensions = self.extensions.get(student, {})
        return extensions.get(week, extensions.get("", 0.0))

    def student(self, names: Sequence[str]) -> tuple[str, str]:
        """Return (the id of the student with one of these names, ""), or ("", why there is none).

        Args:
            names: possible names of this student, the surest first.
        """
        for key in names:
            if key in self.ids:
                return key, ""
            ids = self.keys.get(folded(key), set()) | self.names.get(plain(key), set())
            if len(ids) == 1:
                return next(iter(ids)), ""
            if ids:
                several = ", ".join(sorted(ids))
                return "", f"the name {key!r} fits several students in the roster: {several}."
        return "", f"no student in the roster is called {' or '.join(map(repr, names))}."


def the_roster(course: Course) -> Roster:
    """Return the roster in the course's own roster.csv, or an empty one if there is no such file."""
    path = course.root / FILE
    return read_roster(course, path) if path.exists() else Roster()


def read_roster(course: Course, path: Path) -> Roster:
    """Return the class in a CSV file.

    It may have columns called id, name and email, and the columns of Canvas' gradebook, Moodle's grading worksheet and
    Gradescope's roster; `extension` and `extension WEEK` hold a student's extra days. Every other column has further
    names of the students, such as those on your platform.

    Raises:
        CourseError: it cannot be read, has no student or no column with ids, has an id twice, an extension that is not
            a valid number of days, or one for a week that the course does not have.
    """
    head, *rows = _rows(path)
    columns = [plain(name) for name in head]
    id_column = next((name for name in _ID if name in columns and _is_id(name, columns)), None)
    if id_column is None:
        raise CourseError(
            f"{path} has no column with the students' ids. Call it 'id'. Found: {', '.join(head)}."
        )
    roster = Roster()
    extension_columns = {name: match[1] for name in head if (match := _EXTENSION.fullmatch(name))}
    for name, week in extension_columns.items():
        if week not in ("", *(known.name for known in course.weeks)):
            raise CourseError(
                f"{path} has a column {name!r}, and course.toml has no week {week!r}. Put an extension for all "
                "weeks into a column named 'extension', and one for a single week into a column such as "
                f"'extension {course.weeks[0].name}'."
            )
    for number, row in enumerate(rows, 2):
        as_written = dict(zip(head, map(str.strip, row), strict=False))
        values = {plain(name): value for name, value in as_written.items() if name not in extension_columns}
        student = values.get(id_column, "")
        if not student:
            continue  # Canvas has a line of points, and one for a test student
        if student in roster.ids:
            raise CourseError(f"{path}, line {number}: the id {student!r} is there twice.")
        roster.ids[student] = None
        days = {week: as_written[name] for name, week in extension_columns.items() if as_written.get(name)}
        if days:
            roster.extensions[student] = {week: _days(path, number, text) for week, text in days.items()}
        for key in _keys(values):
            roster.keys[key].add(student)
        for key in _names(values, id_column):
            roster.names[key].add(student)
    return roster


def _rows(path: Path) -> list[list[str]]:
    """Return the rows of a CSV file that are not empty, at least two."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CourseError(f"{path} cannot be read as a roster ({error}). Save it as CSV in UTF-8.") from error
    try:
        dialect: type[csv.Dialect] | str = csv.Sniffer().sniff(text[:10_000], ",;\t")
    except csv.Error:
        dialect = "excel"
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), dialect) if any(map(str.strip, row))]
    except csv.Error as error:
        raise CourseError(f"{path} is not a valid CSV file: {error}.") from error
    if len(rows) < 2:
        raise CourseError(
            f"{path} has no students: the first line must name the columns, and each further line is one student."
        )
    return rows


def _days(path: Path, line: int, text: str) -> float:
    """Return the days of an extension: "2", "0.5", "0,5"."""
    try:
        days = float(text.replace(",", "."))
    except ValueError:
        days = -1.0
    if not 0 <= days <= MAX_EXTENSION_DAYS:
        raise CourseError(
            f"{path}, line {line}: an extension is a number of days from 0 to {MAX_EXTENSION_DAYS}, not {text!r}."
        )
    return days


def _is_id(name: str, columns: list[str]) -> bool:
    """Return whether a column has ids: beside "id", "student" has names; in Canvas' gradebook, "id" is Canvas' own."""
    canvas = "sisloginid" in columns
    return not (canvas and name in ("student", "id")) and not (name == "student" and "id" in columns)


def _keys(values: dict[str, str]) -> set[str]:
    """Return a platform's possible names for the student in this row, punctuation included: "jo-hn" is not "john"."""
    keys = {folded(value) for value in values.values()}
    keys |= {folded(value.split("@")[0]) for column, value in values.items() if "email" in column}
    return keys - {""}


def _names(values: dict[str, str], id_column: str) -> set[str]:
    """Return people's possible names for the student in this row."""
    keys = {plain(value) for column, value in values.items() if column not in _ID}
    first, last = (
        next((values[name] for name in columns if values.get(name)), "") for columns in (_FIRST, _LAST)
    )
    names = [values[name] for name in _NAME if name in values and name != id_column] + [f"{first} {last}"]
    # "Doe, Jane" and "Jane Doe" are one person, so a name may begin at any of its words.
    for name in names:
        words = re.split(r"[\s,]+", name)
        keys |= {plain("".join(words[start:] + words[:start])) for start in range(len(words))}
    return keys - {""}


def plain(text: str) -> str:
    """Return a name in the form for comparisons: only letters and digits, in lower case.

    >>> plain("Doe, Jane"), plain("DOE JANE"), plain("jdoe@example.org")
    ('doejane', 'doejane', 'jdoeexampleorg')
    """
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())
