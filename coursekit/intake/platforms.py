"""The layouts of downloads from learning platforms: how each names the files of a student.

For each platform there is a function of the type `FindClaims`, or one that makes it from all files of the download.

Sources: Canvas, `lib/content_zipper.rb` (add_upload_submission, get_filename); Moodle, `mod_assign\\downloader`
(get_student_prefix, load_submissionplugin_filelist); Gradescope, the submission_metadata.yml of its exports; nbgrader,
"Directory structure" and `nbgrader/exchange/default/submit.py`; ILIAS, the folders that its plug-in ExerciseStatusFile
describes. Blackboard, Brightspace, Sakai and Teams: the examples in `tests/test_platforms.py`, no source code.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from datetime import datetime
from typing import Any

import yaml

from coursekit.course.config import Course, Week
from coursekit.course.roster_columns import Evidence, Kind
from coursekit.course.student_id import slug
from coursekit.gradebook.timestamps import MAX_TIMESTAMP, TIMESTAMP, parse_time
from coursekit.intake.opening import BROKEN, Downloaded

METADATA = "submission_metadata.yml"
MAX_METADATA = 50 << 20  # bytes
MAX_LINE = 1000  # bytes that are read of Blackboard's description of an attempt

# Loads every value as the text that stands there: as a number, an id's leading zeros would be lost or make it octal.
# It is the one in C, if that is there. Neither follows merge keys, of which a few lines could unfold to any size.
_Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(frozen=True)
class Claim:
    """A student to whom a file belongs, by its name and its folders.

    Attributes:
        layout: the platform's name; for names that a person chose: "a folder each", "hand_in" or "names".
        evidence: by which the roster may know this student.
        account: the platform's own name or number for the student; "" where a person typed the name.
        proposed_id: the student's id if there is no roster; None if only a roster can say whether this is a person.
        file_name: the student's own name for the file.
        when: when it was handed in, in UTC without a zone; None where the layout does not say.
        order: sorts one student's files with equal `when`, the earliest first.
        late: the platform says that it is late.
    """

    layout: str
    evidence: Sequence[Evidence]
    _: KW_ONLY
    account: str = ""
    proposed_id: str | None
    file_name: str
    when: datetime | None = None
    order: int = 0
    late: bool = False

    @property
    def platform_user(self) -> tuple[str, str]:
        """The platform, and its name or number for the student."""
        return self.layout, self.account


# (a file, the number of folders that all files of the download are in) -> the claims on it; [] if the platform wrote
# the file; a sentence if no student can be found for it; None if it has another layout. The names that a platform gives
# are right below the folders that all files are in: a similar one further down was chosen by a student.
FindClaims = Callable[[Downloaded, int], list[Claim] | str | None]

# Canvas: name_user_file_what, the name in letters only; or name_LATE_user_file_what; anonymous: anon_token_file_what.
_CANVAS = re.compile(r"(?P<name>\w*?)(?P<late>_LATE)?_(?P<user>\d+)_(?P<file>\d+)_(?P<what>.+)")
_ANONYMOUS = re.compile(r"(?P<late>LATE_)?anon_(?P<user>[^\W_]+)_(?P<file>\d+)_(?P<what>.+)")


def canvas(entry: Downloaded, common_depth: int) -> list[Claim] | None:
    """Return the claim on a file from Canvas."""
    if len(entry.parts) > common_depth + 1:
        return None
    anonymous = _ANONYMOUS.fullmatch(entry.name)
    match = anonymous or _CANVAS.fullmatch(entry.name)
    if match is None:
        return None
    user = f"anon_{match['user']}" if anonymous else match["user"]
    evidence = [Evidence("canvas", user)]
    if not anonymous and match["name"]:
        evidence.append(Evidence("name", match["name"]))
    claim = Claim(
        "Canvas",
        evidence,
        account=user,
        proposed_id=user,
        file_name=match["what"],
        order=int(match["file"][:15]),
        late=bool(match["late"]),
    )
    return [claim]


# "Full Name_number_assignsubmission_file", a folder or the beginning of a file's name. The number belongs to the
# assignment: the same student has another one next week. Moodle turns a name's underscores into spaces.
_MOODLE = re.compile(r"(?P<name>[^_]+)_(?P<number>\d+)_assignsubmission_[a-z]+(?:_(?P<what>.*))?")
_ANONYMOUS_IN_MOODLE = "Participant"


def moodle(entries: Iterable[Downloaded]) -> FindClaims:
    """Return the function for Moodle, which writes a group and "-" before the student's name in a group assignment."""
    matches = (_MOODLE.fullmatch(part) for entry in entries for part in entry.parts)
    names = {match["name"] for match in matches if match}
    groups = Counter(name.partition("-")[0] for name in names)
    # "Anna-Lena" is no group: a group has several students, or a name with a space or a digit.
    with_groups = all("-" in name for name in names) and all(
        count > 1 or " " in group or any(map(str.isdigit, group)) for group, count in groups.items()
    )

    def find_claims(entry: Downloaded, common_depth: int) -> list[Claim] | None:
        for part in entry.parts[: common_depth + 1]:
            if match := _MOODLE.fullmatch(part):
                name, number = match["name"], match["number"]
                evidence = [Evidence("name", name), Evidence("participant", f"Participant {number}")]
                if with_groups:
                    name = name.partition("-")[2]
                    evidence.append(Evidence("name", name))
                name = f"{name} {number}" if name == _ANONYMOUS_IN_MOODLE else name
                claim = Claim(
                    "Moodle",
                    evidence,
                    account=number,
                    proposed_id=slug(name),
                    file_name=match["what"] if part == entry.name and match["what"] else entry.name,
                )
                return [claim]
        return None

    return find_claims


# "Assignment_user_attempt_2027-03-05-10-21-33_file", and the same with .txt in place of the file, which describes it.
# The first time counts: what follows it is the student's own name for the file.
_BLACKBOARD = re.compile(r"(?P<who>.+?)_attempt_(?P<when>\d{4}(?:-\d\d){5})(?:_(?P<what>.+)|\.txt)")


def blackboard(entries: Iterable[Downloaded]) -> FindClaims:
    """Return the function for Blackboard. Titles and user names may hold underscores: the .txt tells them apart."""
    named = [(entry, match) for entry in entries if (match := _BLACKBOARD.fullmatch(entry.name))]
    users: dict[str, tuple[str, str]] = {}  # {what stands before "_attempt_": user name, name}
    for entry, match in named:
        if match["what"] is None:
            with suppress(*BROKEN):
                line = entry.read()[:MAX_LINE].decode("utf-8-sig", "replace").partition("\n")[0]
                name, _, user = line.strip().removesuffix(")").rpartition("(")
                if user and match["who"].endswith(f"_{user}"):
                    users[match["who"]] = user, name.partition(":")[2].strip()
    titles = {who.removesuffix(f"_{user}") for who, (user, _) in users.items()}

    def find_claims(entry: Downloaded, common_depth: int) -> list[Claim] | str | None:
        match = _BLACKBOARD.fullmatch(entry.name)
        if match is None or len(entry.parts) > common_depth + 1:
            return None
        who = match["who"]
        if who in users:
            user, name = users[who]
        else:
            rests = {who.removeprefix(f"{title}_") for title in titles if who.startswith(f"{title}_")}
            rests = rests or ({who.rpartition("_")[2]} if who.count("_") == 1 else set())
            if len(rests) != 1:
                return (
                    "its name does not say where the user's begins, and the .txt that says it is not there."
                )
            (user,), name = rests, ""
        evidence = [Evidence("login", user), *([Evidence("name", name)] if name else [])]
        claim = Claim(
            "Blackboard",
            evidence,
            account=user,
            proposed_id=slug(user),
            file_name=match["what"] or entry.name,
            order=int(match["when"].replace("-", "")),
        )
        return [claim]

    return find_claims


# A folder "12345-67890 - Full Name - Mar 5, 2027 1021 AM" for each attempt.
_BRIGHTSPACE = re.compile(r"(?P<user>\d+)-\d+ - (?P<name>.+) - (?P<when>\w{3} \d{1,2}, \d{4} \d{3,4} [AP]M)")


def brightspace(entries: Iterable[Downloaded]) -> FindClaims:
    """Return the function for Brightspace, whose downloads hold an index.html beside the folders."""
    is_here = any(_BRIGHTSPACE.fullmatch(part) for entry in entries for part in entry.parts[:-1])

    def find_claims(entry: Downloaded, common_depth: int) -> list[Claim] | None:
        for part in entry.parts[:-1][: common_depth + 1]:
            if match := _BRIGHTSPACE.fullmatch(part):
                order = 0
                with suppress(ValueError):
                    day, _, clock = match["when"].rpartition(" ")[0].rpartition(" ")
                    when = datetime.strptime(f"{day} {clock:0>4} {match['when'][-2:]}", "%b %d, %Y %I%M %p")
                    order = int(when.strftime("%Y%m%d%H%M"))
                claim = Claim(
                    "Brightspace",
                    [Evidence("name", match["name"])],
                    account=match["user"],
                    proposed_id=slug(match["name"]),
                    file_name=entry.name,
                    order=order,
                )
                return [claim]
        return [] if is_here and entry.name == "index.html" and len(entry.parts) <= common_depth + 1 else None

    return find_claims


# A folder "Last, First(user)", with the files in "Submission attachment(s)".
_SAKAI = re.compile(r"(?P<name>.+)\((?P<user>[^()]+)\)")
_SAKAI_FILES = "Submission attachment(s)"


def sakai(entry: Downloaded, common_depth: int) -> list[Claim] | None:
    """Return the claims on a file from Sakai."""
    for depth, part in enumerate(entry.parts[:-1][: common_depth + 1]):
        if match := _SAKAI.fullmatch(part):
            inside = entry.parts[depth + 1 :]
            if inside[0] != _SAKAI_FILES and not inside[-1].endswith("_submissionText.html"):
                return [] if inside[-1] in ("comments.txt", "feedbackText.html") else None
            claim = Claim(
                "Sakai",
                [Evidence("login", match["user"]), Evidence("name", match["name"])],
                account=match["user"],
                proposed_id=slug(match["user"]),
                file_name=entry.name,
            )
            return [claim]
    return [] if entry.name in ("grades.csv", "grades.xls") and len(entry.parts) <= common_depth + 1 else None


# A folder "Last_First_login_number" with files "20270305102133_name".
_ILIAS = re.compile(r"(?P<who>[^_].*)_(?P<number>\d+)")
_ILIAS_FILE = re.compile(r"(?P<when>\d{14})_(?P<what>.+)")


def ilias(entry: Downloaded, common_depth: int) -> list[Claim] | None:
    """Return the claims on a file from ILIAS. If a name or a login has an underscore, only the name is compared."""
    file = _ILIAS_FILE.fullmatch(entry.name)
    if file is None:
        return None
    for part in entry.parts[:-1][: common_depth + 1]:
        if (match := _ILIAS.fullmatch(part)) and match["who"].count("_") >= 2:
            *names, login = match["who"].split("_")
            evidence = [Evidence("name", " ".join(names))]
            if len(names) == 2:
                evidence.append(Evidence("login", login))
            claim = Claim(
                "ILIAS",
                evidence,
                account=match["number"],
                proposed_id=slug(match["who"]),
                file_name=file["what"],
                order=int(file["when"]),
            )
            return [claim]
    return None


_VERSION = re.compile(r"(?:Version|Versión|Versione|Versie|Versão) (\d{1,9})")


def teams(entries: Iterable[Downloaded]) -> FindClaims:
    """Return the function for Microsoft Teams: Full Name/assignment/Version 2/…"""
    all_so = all(
        len(entry.parts) > 3 and any(map(_VERSION.fullmatch, entry.parts[2:-1])) for entry in entries
    )

    def find_claims(entry: Downloaded, common_depth: int) -> list[Claim] | None:
        depths = range(2, len(entry.parts) - 1)
        depth, match = next(((n, m) for n in depths if (m := _VERSION.fullmatch(entry.parts[n]))), (0, None))
        # If all files are one person's, they share more folders.
        if match is None or not (all_so or depth == common_depth + 2):
            return None
        name = entry.parts[depth - 2]
        claim = Claim(
            "Teams",
            [Evidence("name", name)],
            account=name,
            proposed_id=slug(name),
            file_name=entry.name,
            order=int(match[1]),
        )
        return [claim]

    return find_claims


def gradescope(metadata: list[Downloaded]) -> FindClaims:
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

    def find_claims(entry: Downloaded, common_depth: int) -> list[Claim] | str | None:
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
            columns: dict[str, Kind] = {":sid": "number", ":email": "email", ":name": "name"}
            evidence = [
                Evidence(kind, text) for key, kind in columns.items() if (text := _text(known.get(key)))
            ]
            if evidence:
                group.append(
                    Claim(
                        "Gradescope",
                        evidence,
                        account=evidence[0].value,
                        proposed_id=slug(evidence[0].value),
                        file_name=entry.name,
                        when=when,
                    )
                )
        return group or f"{METADATA} names nobody for {folder[-1]}."

    return find_claims


def _text(value: Any) -> str:
    """Return a plain value; "" for none, and for a list or a mapping, which may be very long as text."""
    return value if isinstance(value, str) and value not in ("~", "null") else ""


def nbgrader(all_entries: Iterable[Downloaded], course: Course, week: Week) -> FindClaims:
    """Return the function for nbgrader: student/week/…, with a timestamp.txt, and the exchange's student+week+time."""
    times = {}
    for entry in all_entries:
        if entry.name == TIMESTAMP:
            with suppress(*BROKEN):
                times[entry.parts[:-1]] = parse_time(entry.read()[:MAX_TIMESTAMP])
    weeks = [other.name for other in course.weeks]
    exchange = re.compile(rf"(.*?)\+({'|'.join(map(re.escape, weeks))})\+([^+]*).*", re.DOTALL)

    def find_claims(entry: Downloaded, common_depth: int) -> list[Claim] | str | None:
        parts = entry.parts[:-1][: common_depth + 2]
        for depth, part in enumerate(parts):
            if depth and part in weeks:
                student, its_week, when = parts[depth - 1], part, times.get(parts[: depth + 1])
            elif depth <= common_depth and (match := exchange.fullmatch(part)):
                student, its_week, when = match[1], match[2], parse_time(match[3].encode())
            else:
                continue
            if its_week != week.name:
                return wrong_week(its_week)
            if student:
                claim = Claim(
                    "nbgrader",
                    [Evidence("typed", student)],
                    proposed_id=student,
                    file_name=entry.name,
                    when=when,
                )
                return [claim]
        return None

    return find_claims


def wrong_week(week: str) -> str:
    """Return why a file of another week is not collected."""
    return f"it belongs to {week}. Collect it with: course collect {week}."
