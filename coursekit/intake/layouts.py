"""Find a file's student by its folder and its name: one function for each platform's way of naming.

A name that a platform has given a file outranks the name that the student typed. In a plain folder there is only the
latter.

Sources: Canvas, `lib/content_zipper.rb` (add_upload_submission, get_filename); Moodle, `mod_assign\\downloader`
(get_student_prefix, load_submissionplugin_filelist); Gradescope, the submission_metadata.yml of its exports; nbgrader,
"Directory structure" and `nbgrader/exchange/default/submit.py`; this course's `hand_in`.
"""

import os.path
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

import yaml

from coursekit.course.config import Course, Week
from coursekit.course.roster_columns import Evidence
from coursekit.course.student_id import slug
from coursekit.engine.shared.file_names import is_saved_aside
from coursekit.gradebook.timestamps import MAX_TIMESTAMP, TIMESTAMP, parse_time
from coursekit.intake.opening import BROKEN, Downloaded

METADATA = "submission_metadata.yml"
MAX_METADATA = 50 << 20  # bytes
LEFT_OVER = {".git", ".DS_Store", "Thumbs.db", "desktop.ini", METADATA, TIMESTAMP}


# Loads every value as the text that stands there: as a number, an id's leading zeros would be lost or make it octal.
# It is the one in C, if that is there. Neither follows merge keys, of which a few lines could unfold to any size.
_Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(frozen=True)
class Claim:
    """A student to whom a file belongs by its layout.

    Attributes:
        layout: the platform's name.
        person: the platform's unique name for the student; "" where a person typed the name.
        evidence: by which the roster may know this student.
        proposed: the id if there is no roster.
        name: the student's name for the file.
        when: when it was handed in, in UTC without a zone; None where the layout does not say.
        number: the larger, the later, among one student's files with equal `when`.
        late: the platform says that it is late.
    """

    layout: str
    person: str
    evidence: tuple[Evidence, ...]
    proposed: str
    name: str
    when: datetime | None = None
    number: int = 0
    late: bool = False


# {file: its claims (a group has several), or why it has none}.
Whose = dict[Downloaded, list[Claim] | str]


def claims(entries: list[Downloaded], all_entries: list[Downloaded], course: Course, week: Week) -> Whose:
    """Return the claims on each of these files, or why it has none.

    Args:
        all_entries: all files of the download, including those that nobody handed in.
    """
    shared = _shared_depth(entries)
    finders: list[FindClaims] = [_moodle, _canvas, _nbgrader(all_entries, course, week)]
    # A metadata file further down, or in a folder that another platform has named, is a student's own.
    metadata = [
        entry
        for entry in all_entries
        if entry.name == METADATA
        and len(entry.parts) <= shared + 1
        and not any(find_claims(entry, shared) for find_claims in finders)
    ]
    result: Whose = {}
    for find_claims in (_gradescope(metadata), *finders):
        for entry in entries:
            if entry not in result and (claim := find_claims(entry, shared)) is not None:
                result[entry] = claim
    unnamed = [entry for entry in entries if entry not in result]
    return result | _by_hand(unnamed, course, week, beside_others=bool(result))


def _shared_depth(entries: list[Downloaded]) -> int:
    """Return the number of folders that all these files are in.

    A platform's names are right below them. A similar name further down is in a student's own folder, and was chosen
    by that student.
    """
    return len(os.path.commonprefix([entry.parts[:-1] for entry in entries]))


def is_left_over(entry: Downloaded) -> bool:
    """Return whether an operating system, Jupyter or the platform added this file, so that nobody handed it in."""
    return bool(LEFT_OVER.intersection(entry.parts)) or is_saved_aside(PurePosixPath(entry.path))


# (file, number of folders that all files are in) -> its claims, why it has none, or None if it has another layout.
FindClaims = Callable[[Downloaded, int], list[Claim] | str | None]

# Canvas: name_user_file_what, the name in letters only; or name_LATE_user_file_what; anonymous: anon_token_file_what.
_CANVAS = re.compile(r"(?P<name>\w*?)(?P<late>_LATE)?_(?P<user>\d+)_(?P<file>\d+)_(?P<what>.+)")
_ANONYMOUS = re.compile(r"(?P<late>LATE_)?anon_(?P<user>[^\W_]+)_(?P<file>\d+)_(?P<what>.+)")


def _canvas(entry: Downloaded, shared: int) -> list[Claim] | None:
    if len(entry.parts) > shared + 1:
        return None
    anonymous = _ANONYMOUS.fullmatch(entry.name)
    match = anonymous or _CANVAS.fullmatch(entry.name)
    if match is None:
        return None
    user = f"anon_{match['user']}" if anonymous else match["user"]
    evidence = [Evidence("canvas", user)]
    if not anonymous and match["name"]:
        evidence.append(Evidence("name", match["name"]))
    number, late = int(match["file"][:15]), bool(match["late"])
    return [Claim("Canvas", f"canvas {user}", tuple(evidence), user, match["what"], None, number, late)]


# Moodle: "Full Name_number_assignsubmission_file", a folder or the beginning of a file's name. The number belongs
# to the assignment: the same student has another one next week. Moodle turns a name's underscores into spaces.
_MOODLE = re.compile(r"(?P<name>[^_]+)_(?P<number>\d+)_assignsubmission_[a-z]+(?:_(?P<what>.*))?")


def _moodle(entry: Downloaded, shared: int) -> list[Claim] | None:
    for part in entry.parts[: shared + 1]:
        if match := _MOODLE.fullmatch(part):
            what = match["what"] if part == entry.name and match["what"] else entry.name
            name, number = match["name"], match["number"]
            evidence = (Evidence("name", name), Evidence("participant", f"Participant {number}"))
            return [Claim("Moodle", f"moodle {number}", evidence, slug(name), what)]
    return None


_SUBMISSION = re.compile(r"submission_\d+")


def _gradescope(metadata: list[Downloaded]) -> FindClaims:
    """Return the function for Gradescope: submission_123/…, with its students in submission_metadata.yml beside it."""
    people: dict[tuple[str, ...], dict[str, Any]] = {}  # by folder
    for entry in metadata:
        try:
            content = yaml.load(entry.read()[:MAX_METADATA], _Loader)
        except (*BROKEN, yaml.YAMLError, RecursionError):
            continue
        for folder, record in (content if isinstance(content, dict) else {}).items():
            if isinstance(record, dict):
                people[*entry.parts[:-1], str(folder)] = record

    def find_claims(entry: Downloaded, shared: int) -> list[Claim] | str | None:
        above = (entry.parts[:end] for end in range(1, len(entry.parts)))
        folder = next((parts for parts in above if parts in people), None)
        if folder is None:
            return None
        record = people[folder]
        when = parse_time(_text(record.get(":created_at")).encode())
        submitters = record.get(":submitters")
        group = []
        for submitter in submitters if isinstance(submitters, list) else ():
            known = submitter if isinstance(submitter, dict) else {}
            values = (
                Evidence("number", _text(known.get(":sid"))),
                Evidence("email", _text(known.get(":email"))),
                Evidence("name", _text(known.get(":name"))),
            )
            if evidence := tuple(item for item in values if item.value):
                surest = evidence[0].value
                person = f"gradescope {surest}"
                group.append(Claim("Gradescope", person, evidence, slug(surest), entry.name, when))
        return group or f"{METADATA} names nobody for {folder[-1]}."

    return find_claims


def _text(value: Any) -> str:
    """Return a plain value; "" for none, and for a list or a mapping, which may be very long as text."""
    return value if isinstance(value, str) and value not in ("~", "null") else ""


def _nbgrader(all_entries: Iterable[Downloaded], course: Course, week: Week) -> FindClaims:
    """Return the function for nbgrader: student/week/…, with a timestamp.txt, and the exchange's student+week+time."""
    times = {}
    for entry in all_entries:
        if entry.name == TIMESTAMP:
            with suppress(*BROKEN):
                times[entry.parts[:-1]] = parse_time(entry.read()[:MAX_TIMESTAMP])
    weeks = [other.name for other in course.weeks]
    exchange = re.compile(rf"(.*?)\+({'|'.join(map(re.escape, weeks))})\+([^+]*).*", re.DOTALL)

    def find_claims(entry: Downloaded, shared: int) -> list[Claim] | str | None:
        parts = entry.parts[:-1][: shared + 2]
        for depth, part in enumerate(parts):
            if depth and part in weeks:
                student, its_week, when = parts[depth - 1], part, times.get(parts[: depth + 1])
            elif depth <= shared and (match := exchange.fullmatch(part)):
                student, its_week, when = match[1], match[2], parse_time(match[3].encode())
            else:
                continue
            if its_week != week.name:
                return _wrong_week(its_week)
            if student:
                return [Claim("nbgrader", "", (Evidence("typed", student),), student, entry.name, when)]
        return None

    return find_claims


def _wrong_week(week: str) -> str:
    return f"it belongs to {week}. Collect it with: course collect {week}."


_COPY = re.compile(r"\((\d+)\)$")  # a browser's second download of the same name


def _by_hand(entries: list[Downloaded], course: Course, week: Week, beside_others: bool) -> Whose:
    """Return the same as `claims`, for files that no platform has named: a folder for each student, or all in one.

    Beside files that a platform has named, a file's name counts only if `hand_in` gave it.
    """
    shared = _shared_depth(entries) if len(entries) > 1 else 0
    folders = {entry: entry.parts[shared] if len(entry.parts) > shared + 1 else "" for entry in entries}
    parsed = {entry: _parse_name(entry, course) for entry in entries}
    # {folder: students' names, from the names of files that also name a week}
    names_by_folder: dict[str, set[str]] = defaultdict(set)
    for entry, folder in folders.items():
        names_by_folder[folder] |= {parsed[entry][1]} if all(parsed[entry][:2]) else set()
    # Each folder is one student's, unless every folder has files of several students.
    folder_per_student = any(len(names) <= 1 for folder, names in names_by_folder.items() if folder)
    result: Whose = {}
    for entry, folder in folders.items():
        its_week, name, copy_number = parsed[entry]
        handed_in = entry.name.startswith(f"{week.name}__")
        if _SUBMISSION.fullmatch(folder):
            result[entry] = f"{METADATA}, which says who {folder} is, is missing or cannot be read."
        elif folder and folder_per_student:
            result[entry] = [
                Claim("a folder each", "", (Evidence("typed", folder),), slug(folder), entry.name)
            ]
        elif its_week not in ("", week.name):
            result[entry] = _wrong_week(its_week)
        elif name and beside_others and not handed_in:
            result[entry] = "it is not named as the others are."
        elif name:
            layout = "hand_in" if handed_in else "names"
            result[entry] = [
                Claim(layout, "", (Evidence("typed", name),), slug(name), entry.name, None, copy_number)
            ]
        else:
            result[entry] = "neither its name nor its folder says whose it is."
    return result


def _parse_name(entry: Downloaded, course: Course) -> tuple[str, str, int]:
    """Return (week, student, number of the copy) from a file's name; "" or 0 for each that it lacks."""
    # Some browsers save it as .ipynb.txt.
    stem = re.sub(r"(?i)\.ipynb$", "", PurePosixPath(entry.name).stem)
    copy = _COPY.search(stem)
    stem = stem[: copy.start()].rstrip() if copy else stem
    number = int(copy[1][:9]) if copy else 0
    for week in course.weeks:
        if stem.startswith(f"{week.name}__"):
            return week.name, stem.removeprefix(f"{week.name}__"), number
    words, which = re.sub(r"(?i)^copy of\s+", "", stem), ""  # Google Drive's name for a copy
    for week in course.weeks:
        for name in (week.name, week.notebook):
            words, count = re.subn(rf"(?i)(?<![^\W_]){re.escape(name)}(?![^\W_])", " ", words)
            which = week.name if count else which
    return which, words.strip(" -_.,"), number
