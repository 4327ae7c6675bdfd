"""The class: who is who, from a CSV that the instructor has, or that a platform exports."""

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
    "student",
    "studentid",
    "id",
    "sid",
    "sisloginid",
    "sisuserid",
    "idnumber",
    "username",
    "email",
    "emailaddress",
)
_NAME = ("name", "fullname", "studentname", "student")
_FIRST, _LAST = ("firstname", "givenname"), ("lastname", "surname", "familyname")
# Columns with days that a student has longer: for every week, or, behind it, the name of one.
_EXTENSION = re.compile(r"\s*extension\b\s*(.*?)\s*", re.IGNORECASE)
MOST_DAYS = 366


@dataclass
class Roster:
    """A class, or nobody: a course need not have a roster.

    Attributes:
        ids: the students' ids in this course, in the roster's order: a set that keeps it.
        keys: {what a platform may call a student, as `folded` writes it: the ids of those who are called so}.
        names: {what people may call a student, as `plain` writes it: the same}.
        extensions: {student: {week, "" for every week: days longer}}.
    """

    ids: dict[str, None] = field(default_factory=dict)
    keys: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    names: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    extensions: dict[str, dict[str, float]] = field(default_factory=dict)

    def extension(self, student: str, week: str) -> float:
        """Days that this student has longer for this week."""
        mine = self.extensions.get(student, {})
        return mine.get(week, mine.get("", 0.0))

    def student(self, names: Sequence[str]) -> tuple[str, str]:
        """Who is called so: (student id, why there is none), one of them is empty.

        Args:
            names: what somebody calls this student, the surest first.
        """
        for key in names:
            if key in self.ids:
                return key, ""
            found = self.keys.get(folded(key), set()) | self.names.get(plain(key), set())
            if len(found) == 1:
                return next(iter(found)), ""
            if found:
                return (
                    "",
                    f"the name {key!r} fits several students in the roster: {', '.join(sorted(found))}.",
                )
        return "", f"no student in the roster is called {' or '.join(map(repr, names))}."


def the_roster(course: Course) -> Roster:
    """The course's own roster.csv, or one without anybody."""
    path = course.root / FILE
    return read_roster(course, path) if path.exists() else Roster()


def read_roster(course: Course, path: Path) -> Roster:
    """Read a class.

    Known are columns called id, name and email, and the columns of Canvas' gradebook, Moodle's grading worksheet and
    Gradescope's roster; `extension` and `extension WEEK` hold days that a student has longer. Every other column is a
    further name for the student: whatever your platform calls them.

    Raises:
        CourseError: it cannot be read, has no column with ids, gives one id twice, an extension that is no days, or
            one for a week that the course does not have.
    """
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
    columns = [plain(name) for name in rows[0]]
    asked = next((name for name in _ID if name in columns and _is_id(name, columns)), None)
    if asked is None:
        raise CourseError(
            f"{path} has no column with the students' ids. Call it 'id'. Found: {', '.join(rows[0])}."
        )
    roster = Roster()
    longer = {name: found[1] for name in rows[0] if (found := _EXTENSION.fullmatch(name))}
    for name, week in longer.items():
        if week not in ("", *(known.name for known in course.weeks)):
            raise CourseError(
                f"{path} has a column {name!r}, and course.toml has no week {week!r}. Put an extension for all "
                "weeks into a column named 'extension', and one for a single week into a column such as "
                f"'extension {course.weeks[0].name}'."
            )
    for number, row in enumerate(rows[1:], 2):
        told = dict(zip(rows[0], (value.strip() for value in row), strict=False))
        said = {plain(name): value for name, value in told.items() if name not in longer}
        student = said.get(asked, "")
        if not student:
            continue  # Canvas has a line of points, and one for a test student
        if student in roster.ids:
            raise CourseError(f"{path}, line {number}: the id {student!r} is there twice.")
        roster.ids[student] = None
        days = {week: _days(path, number, told[name]) for name, week in longer.items() if told.get(name)}
        if days:
            roster.extensions[student] = days
        for key in _keys(said):
            roster.keys[key].add(student)
        for key in _names(said, asked):
            roster.names[key].add(student)
    return roster


def _days(path: Path, line: int, text: str) -> float:
    """An extension: "2", "0.5", "0,5"."""
    try:
        days = float(text.replace(",", "."))
    except ValueError:
        days = -1.0
    if not 0 <= days <= MOST_DAYS:
        raise CourseError(
            f"{path}, line {line}: an extension is a number of days from 0 to {MOST_DAYS}, not {text!r}."
        )
    return days


def _is_id(name: str, columns: list[str]) -> bool:
    """In Canvas' gradebook "Student" is a name and "ID" a number of Canvas' own."""
    canvas = "sisloginid" in columns
    return not (canvas and name in ("student", "id")) and not (name == "student" and "id" in columns)


def _keys(said: dict[str, str]) -> set[str]:
    """What a platform may call the student in this row: "jo-hn" is not "john"."""
    keys = {folded(value) for value in said.values()}
    keys |= {folded(value.split("@")[0]) for column, value in said.items() if "email" in column}
    return keys - {""}


def _names(said: dict[str, str], asked: str) -> set[str]:
    """What people may call the student in this row, in columns other than `asked`, which has the ids."""
    keys = {plain(value) for column, value in said.items() if column not in _ID}
    first, last = (next((said[name] for name in known if said.get(name)), "") for known in (_FIRST, _LAST))
    names = [said[name] for name in _NAME if name in said and name != asked] + [f"{first} {last}"]
    # "Doe, Jane" and "Jane Doe" are one person: so are all ways to begin anew at a later word.
    for name in names:
        words = re.split(r"[\s,]+", name)
        keys |= {plain("".join(words[start:] + words[:start])) for start in range(len(words))}
    return keys - {""}


def plain(text: str) -> str:
    """A name as it is compared: letters and digits alone, in lower case.

    >>> plain("Doe, Jane"), plain("DOE JANE"), plain("jdoe@example.org")
    ('doejane', 'doejane', 'jdoeexampleorg')
    """
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())
