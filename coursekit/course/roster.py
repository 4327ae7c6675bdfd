"""The class list, from the instructor's own CSV or one that a platform exports.

Who somebody is, is never guessed: a number of Canvas is compared with numbers of Canvas, a name with names, and where
two of them lead to two students, none is chosen.
"""

import codecs
import csv
import io
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

from coursekit.course import student_id
from coursekit.course.config import Course
from coursekit.course.roster_columns import (
    Evidence,
    Kind,
    evidence,
    header,
    id_column,
    kinds,
    plain,
    spellings,
    words,
)
from coursekit.course.student_id import folded
from coursekit.engine.shared.errors import CourseError

FILE = "roster.csv"
# Columns with a student's extra days: for every week, or for the week whose name follows.
_EXTENSION = re.compile(r"\s*extension\b\s*(.*?)\s*", re.IGNORECASE)
MAX_EXTENSION_DAYS = 366
# {kind of evidence: kinds of values with which it is compared, if there are more than its own}
_COMPARED = {
    "email": ("email", "id"),
    "typed": ("id", "number", "login", "email"),
}
# {kind of evidence: how a message describes it}
_DESCRIPTIONS = {
    "canvas": "the number {!r} of Canvas",
    "number": "the student number {!r}",
    "login": "the login {!r}",
    "email": "the address {!r}",
}
# {kind of evidence: what to do if the roster has no such column}
_HINTS = {
    "name": " It has no column of names, such as 'name', or 'first name' and 'last name'.",
    "canvas": " If its ids are Canvas' numbers, call their column 'canvas id'.",
    "number": " If its ids are student numbers, call their column 'SID'.",
    "login": " If its ids are logins, call their column 'login'.",
}
_NO_STUDENTS = {
    "Points Possible",
    "Student, Test",
}  # names in lines of Canvas' gradebook that are no student's
_NAMES = ("name", "spelling")  # kinds of values that are names
_ROUNDED = re.compile(r"\d([.,]\d+)?E\+\d+")  # a long number as a spreadsheet shows it


@dataclass
class Roster:
    """A class, which is empty if the course has no roster.

    Attributes:
        ids: the students' ids in this course, as an ordered set in the roster's order.
        values: {(kind of value, value): ids of the students who have it}. The kinds are those of `roster_columns`,
            and "spelling", a name without accents, and "digits", a number without leading zeros, which spreadsheets
            drop. Names are without spaces.
        name_parts: {(a name without spaces, a student): where its words end, in each of the ways to write it}.
        canvas: {student: Canvas' numbers for the student}.
        extensions: {student: {week, or "" for every week: extra days}}.
        problems: a sentence for each line that could not be read as a student's.
        unread: {the line's number: the words in it}, of the same lines.
    """

    ids: dict[str, None] = field(default_factory=dict)
    values: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    name_parts: dict[tuple[str, str], list[set[int]]] = field(default_factory=lambda: defaultdict(list))
    canvas: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    extensions: dict[str, dict[str, float]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    unread: dict[int, set[str]] = field(default_factory=dict)

    def extension(self, student: str, week: str) -> float:
        """Return this student's extra days for this week."""
        extensions = self.extensions.get(student, {})
        return extensions.get(week, extensions.get("", 0.0))

    def student(self, evidence: Sequence[Evidence]) -> tuple[str, str]:
        """Return (the id of the student to whom all the evidence leads, ""), or ("", why there is none).

        Args:
            evidence: what is known of one student. A piece that leads to nobody is ignored, unless all do.
        """
        for item in evidence:
            for line, parts in self.unread.items():
                if _is_made_of(plain(item.value), parts):
                    what = _described(item)
                    return "", f"{what} may be in line {line} of the roster, which could not be read."
        found = [(item, students) for item in evidence if (students := self._students(item))]
        if not found:
            called = " or ".join(map(_described, evidence))
            kinds_there = {kind for kind, _ in self.values}
            hints = (
                hint
                for kind, hint in _HINTS.items()
                if kind not in kinds_there and any(item.kind == kind for item in evidence)
            )
            return "", f"no student in the roster has {called}.{''.join(hints)}"
        common = set.intersection(*(students for _, students in found))
        described = " and ".join(
            f"{_described(item)} leads to {_listed(students)}" for item, students in found
        )
        if not common:
            return "", f"in the roster, {described}."
        if len(common) > 1:
            return "", f"several students in the roster fit: {described}."
        (student,) = common
        for item in evidence:
            theirs = self.canvas.get(student)
            if item.kind == "canvas" and theirs and item.value not in theirs:
                other = f"whose number of Canvas is {_listed(theirs)}, not {item.value}"
                return "", f"in the roster, {described}, {other}."
        return student, ""

    def identifies(self, evidence: Sequence[Evidence], student: str) -> bool:
        """Return whether more than a name, which people can choose on some platforms, leads to this student."""
        return any(
            item.kind not in ("name", "typed") and student in self._students(item) for item in evidence
        )

    def _add(self, kind: str, value: str, student: str) -> None:
        if kind in _NAMES:
            value, ends = _without_spaces(value)
            self.name_parts[value, student].append(ends)
        self.values[kind, value].add(student)

    def _who_has(self, kind: str, value: str) -> set[str]:
        """Return the students who have a value; a name may lack some of the spaces, but have none elsewhere."""
        if kind not in _NAMES:
            return self.values.get((kind, value), set())
        value, ends = _without_spaces(value)
        return {
            student
            for student in self.values.get((kind, value), ())
            if any(ends <= theirs or theirs <= ends for theirs in self.name_parts[value, student])
        }

    def _students(self, item: Evidence) -> set[str]:
        """Return the students who have a value, or else those who have it in another spelling."""
        levels = _levels(item)
        # A typed name may be an id that was not read, and at the same time another student's name or number.
        if item.kind == "typed" and self.unread:
            levels = [{("id", folded(item.value))}]
        found = ({each for key in keys for each in self._who_has(*key)} for keys in levels)
        students = next(filter(None, found), set())
        only_in_case = {folded(student) for student in students} == {folded(item.value)}
        return {item.value} if only_in_case and item.value in students else students


def _levels(item: Evidence) -> list[set[tuple[str, str]]]:
    """Return the keys of `Roster.values` that fit a piece of evidence, and those that fit another spelling of it."""
    text = folded(item.value)
    names = [{("name", words(item.value))}, {("spelling", form) for form in spellings(item.value)}]
    exact = {(kind, text) for kind in _COMPARED.get(item.kind, (item.kind,))}
    match item.kind:
        case "name":
            return names
        case "typed":
            return [exact | names[0], names[1]]
        case "number":
            return [exact | {("digits", text.lstrip("0"))}]
        case _:
            return [exact]


def _without_spaces(name: str) -> tuple[str, set[int]]:
    """Return a name without its spaces, and where its words but the last end in it.

    >>> _without_spaces("ann lee")
    ('annlee', {3})
    """
    lengths = list(map(len, name.split(" ")))
    return name.replace(" ", ""), set(accumulate(lengths[:-1]))


def _described(item: Evidence) -> str:
    return _DESCRIPTIONS.get(item.kind, "{!r}").format(item.value)


def _listed(students: set[str]) -> str:
    return ", ".join(sorted(students))


def _is_made_of(text: str, words: set[str]) -> bool:
    """Return whether a text is some of these words, one after the other: Canvas writes names without spaces.

    >>> _is_made_of("doejane", {"jane", "doe", "101"}), _is_made_of("doeja", {"jane", "doe"})
    (True, False)
    """
    ends, longest = {0}, max(map(len, words), default=0)
    for end in range(1, len(text) + 1):  # a file's name may be very long
        if any(start in ends and text[start:end] in words for start in range(max(0, end - longest), end)):
            ends.add(end)
    return bool(text) and len(text) in ends


def read_roster(course: Course, path: Path | None = None) -> Roster:
    """Return the class in a CSV file; without a path, in the course's own roster.csv, or an empty class if it has none.

    It may have columns called id, name and email, and the columns of Canvas' gradebook, Moodle's grading worksheet and
    Gradescope's roster, in several languages; `extension` and `extension WEEK` hold a student's extra days. What stands
    in other columns says nothing of who a student is.

    Raises:
        CourseError: it cannot be read, has no student or no column with ids, has an id twice, an extension that is not
            a valid number of days, or one for a week that the course does not have.
    """
    if path is None:
        path = course.root / FILE
        if not path.exists():
            return Roster()
    (_, head), *rows = _rows(path)
    index = id_column(head)
    if index is None:
        raise CourseError(
            f"{path} has no column with the students' ids. Call it 'id'. Found: {', '.join(head)}."
        )
    column_kinds = kinds(head)
    of_brightspace = "orgdefinedid" in map(header, head)  # which writes "#" before ids and logins
    roster = Roster()
    extension_columns = {name: match[1] for name in head if (match := _EXTENSION.fullmatch(name))}
    for name, week in extension_columns.items():
        if week not in ("", *(known.name for known in course.weeks)):
            raise CourseError(
                f"{path} has a column {name!r}, and course.toml has no week {week!r}. Put an extension for all "
                "weeks into a column named 'extension', and one for a single week into a column such as "
                f"'extension {course.weeks[0].name}'."
            )
    for line, row in rows:
        cells = list(map(str.strip, row))
        if of_brightspace:
            cells = [cell.removeprefix("#") for cell in cells]
        student = unicodedata.normalize("NFC", cells[index]) if len(cells) == len(head) else ""
        known = [cell for cell, kind in zip(cells, column_kinds, strict=False) if cell and kind != "other"]
        problem = ""
        if _NO_STUDENTS.intersection((cells[0], ", ".join(cells[:2]))):
            continue
        if len(cells) != len(head):
            problem = f"it has {len(cells)} cells, and the first line has {len(head)}"
        elif any("\n" in cell for cell in known):
            problem = "one of its cells has more than one line, as after a quotation mark that is not closed"
        elif not student:
            if not known:
                continue
            problem = f"it has no {head[index]}"
        elif _ROUNDED.fullmatch(student):
            problem = f"a spreadsheet has rounded its {head[index]}"
        elif wrong := student_id.problem(student):
            problem = f"{student!r} cannot be a student's id. {wrong}"
        if problem:
            roster.unread[line] = {plain(word) for cell in cells for word in re.split(r"[\W_]+", cell)} - {""}
            roster.problems.append(
                f"{path.name}, line {line}, is no student's: {problem}: {' '.join(','.join(cells).split())[:80]}"
            )
            continue
        if student in roster.ids:
            raise CourseError(f"{path}, line {line}: the id {student!r} is there twice.")
        roster.ids[student] = None
        days = {
            extension_columns[name]: cell
            for name, cell in zip(head, cells, strict=True)
            if name in extension_columns and cell
        }
        if days:
            roster.extensions[student] = {week: _days(path, line, text) for week, text in days.items()}
        for kind, value in [("id", folded(student)), *_values(zip(column_kinds, cells, strict=True))]:
            roster._add(kind, value, student)
            if kind == "canvas":
                roster.canvas[student].add(value)
    if not roster.ids:
        raise CourseError(f"{path} has no student. {' '.join(roster.problems[:3])}")
    return roster


def _values(cells: Iterable[tuple[Kind, str]]) -> Iterator[tuple[str, str]]:
    """Yield (kind, value) of a student's line, as in `Roster.values`, from the (kind of column, text) of its cells."""
    for kind, cell in evidence(cells):
        if kind == "name":
            yield from _names(cell)
        elif kind != "id":  # which may be another column than the one with the ids of this course
            yield kind, folded(cell)
            if kind == "number" and cell.isdecimal():
                yield "digits", cell.lstrip("0")


def _names(name: str) -> Iterator[tuple[str, str]]:
    """Yield (kind, value) of the ways in which a name may be written elsewhere."""
    # Names that the person is called by stand in brackets or quotation marks.
    for written in {name, re.sub(r"""\(.*?\)|(?<!\w)'[^']+'(?!\w)|"[^"]+"|“[^”]+”""", " ", name)}:
        # "Doe, Jane" and "Jane Doe" are one person, so a name may begin at any of its words.
        parts = re.split(r"[\s,]+", written.strip())
        for start in range(len(parts)):
            turned = " ".join(parts[start:] + parts[:start])
            if words(turned):
                yield "name", words(turned)
            yield from (("spelling", form) for form in spellings(turned))


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """Return (number of its last line, cells) of each row of a CSV file that is not empty, at least two.

    Cells that are empty in the header and everywhere below it are left out.
    """
    try:
        data = path.read_bytes()
        text = data.decode(
            "utf-16" if data.startswith((codecs.BOM_UTF16_BE, codecs.BOM_UTF16_LE)) else "utf-8-sig"
        )
        if "\0" in text:
            raise ValueError("it has zero bytes")
    except (OSError, ValueError) as error:
        raise CourseError(f"{path} cannot be read as a roster ({error}). Save it as CSV in UTF-8.") from error
    lines = list(io.StringIO(text, newline=""))
    if lines and re.fullmatch(r"sep=.\s*", lines[0]):  # spreadsheets write it to say which delimiter follows
        lines[0] = "\n"
    first = next(filter(str.strip, lines), "")
    headers = {delimiter: next(csv.reader([first], delimiter=delimiter), []) for delimiter in ",;\t"}
    delimiter = max(headers, key=lambda each: (id_column(headers[each]) is not None, len(headers[each])))
    try:
        try:
            reader = csv.reader(lines, delimiter=delimiter, strict=True)
            rows = [(reader.line_num, row) for row in reader]
        except csv.Error:  # a quotation mark is not closed: it must not swallow the lines that follow
            rows = [
                (number, next(csv.reader([line], delimiter=delimiter), []))
                for number, line in enumerate(lines, 1)
            ]
    except csv.Error as error:
        raise CourseError(f"{path} is not a valid CSV file: {error}.") from error
    rows = [(line, row) for line, row in rows if any(map(str.strip, row))]
    if len(rows) < 2:
        raise CourseError(
            f"{path} has no students: the first line must name the columns, and each further line is one student."
        )
    head = rows[0][1]
    width = max(number for number, cell in enumerate(head, 1) if cell.strip())
    spare = [""] * (len(head) - width)
    # A row with another number of cells may be one whose cells are shifted: it is left as it is.
    return [
        (line, row[:width] if len(row) == len(head) and list(map(str.strip, row[width:])) == spare else row)
        for line, row in rows
    ]


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
