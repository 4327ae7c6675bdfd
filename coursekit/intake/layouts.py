"""Find a file's student by its folder and its name.

A name that a platform has given a file, see `platforms`, outranks the name that the student typed. In a plain folder
there is only the latter.
"""

import os.path
import re
from collections import defaultdict
from pathlib import PurePosixPath
from typing import NamedTuple

from coursekit.course.config import Course, Week
from coursekit.course.roster_columns import Evidence
from coursekit.course.student_id import slug
from coursekit.engine.shared.file_names import is_checkpoint_or_macos_file, is_notebook
from coursekit.gradebook.timestamps import TIMESTAMP
from coursekit.intake import platforms
from coursekit.intake.opening import Downloaded
from coursekit.intake.platforms import METADATA, Claim, FindClaims

LEFT_OVER = {".git", ".DS_Store", "Thumbs.db", "desktop.ini", METADATA, TIMESTAMP}
NO_STUDENT = "neither its name nor its folder says whose it is."

# {file: its claims, or a sentence that says why nobody can claim it}. A group's file has several claims, and a file
# that the platform itself wrote has an empty list.
ClaimsByFile = dict[Downloaded, list[Claim] | str]


def claims(
    entries: list[Downloaded], all_entries: list[Downloaded], course: Course, week: Week
) -> ClaimsByFile:
    """Return the claims on each of these files, or why it has none.

    Args:
        all_entries: all files of the download, including those that nobody handed in.
    """
    common_depth = _common_depth([entry for entry in entries if len(entry.parts) > 1])
    finders: list[FindClaims] = [
        platforms.moodle(entries),
        platforms.canvas,
        platforms.blackboard(entries),
        platforms.brightspace(entries),
        platforms.sakai,
        platforms.ilias,
        platforms.teams(entries),
        platforms.nbgrader(all_entries, course, week),
    ]
    # Gradescope's own file of metadata is at the top of its download. One in a deeper folder, or in a folder that
    # another platform has named, is a student's.
    metadata = [
        entry
        for entry in all_entries
        if entry.name == METADATA
        and len(entry.parts) <= common_depth + 1
        and not any(find_claims(entry, common_depth) for find_claims in finders)
    ]
    result: ClaimsByFile = {}
    for find_claims in (platforms.gradescope(metadata), *finders):
        for entry in entries:
            if entry not in result and (found := find_claims(entry, common_depth)) is not None:
                result[entry] = found
    unnamed = [entry for entry in entries if entry not in result]
    depth = _common_depth(entries) if result or len(unnamed) > 1 else 0
    return result | _claims_by_typed_names(unnamed, course, week, depth, beside_others=bool(result))


def _common_depth(entries: list[Downloaded]) -> int:
    """Return the number of folders that all these files are in.

    A file that is in no folder and is no notebook does not count: it may be a table of marks beside the folders.
    """
    folders = [entry.parts[:-1] for entry in entries if len(entry.parts) > 1 or is_notebook(entry.name)]
    return len(os.path.commonprefix(folders))


def is_left_over(entry: Downloaded) -> bool:
    """Return whether an operating system, Jupyter or the platform added this file, so that nobody handed it in."""
    if LEFT_OVER.intersection(entry.parts) or entry.name.startswith("~$"):  # what Office has open
        return True
    return is_checkpoint_or_macos_file(PurePosixPath(entry.path))


_SUBMISSION = re.compile(r"submission_\d+")  # Gradescope's folder of a submission
_COPY = re.compile(r"\((\d+)\)$")  # a browser's second download of the same name
# Google Drive's "Copy of" before a name, and after a name, in its languages.
_COPY_OF = re.compile(
    r"(?i)^(?:(?:copy of|kopie von|kopie van|kopie souboru|copi[ae] de|c[oó]pia de|copia di|kopi(?:a|e)? a[vf]|kopia"
    r"|kopio|копия|копія|αντίγραφο|bản sao của|salinan|نسخة من)\s+)+"
)
_COPY_AFTER = "のコピー|的副本|의 사본"
_NUMBERED = re.compile(  # Google Drive's second file of the same name
    rf"(?i)(.+)(\.ipynb) ?(\(\d+\)|{_COPY_AFTER})"
)


def _claims_by_typed_names(
    entries: list[Downloaded], course: Course, week: Week, common_depth: int, beside_others: bool
) -> ClaimsByFile:
    """Return the same as `claims`, for files that no platform has named: a folder for each student, or all in one.

    Args:
        common_depth: the number of folders that all files of the download are in.
        beside_others: whether a platform has named other files; then a name counts only if the notebook's own
            function `hand_in` gave it.
    """
    depth = common_depth + 1
    folders = {entry: entry.parts[common_depth] if len(entry.parts) > depth else "" for entry in entries}
    names = {entry: _with_suffix_last(entry.name) for entry in entries}
    parsed_names = {entry: _parse_name(names[entry], course) for entry in entries}
    # {folder: students' names, from the names of files that also name a week}
    names_by_folder: dict[str, set[str]] = defaultdict(set)
    for entry, folder in folders.items():
        parsed = parsed_names[entry]
        names_by_folder[folder] |= {parsed.student} if parsed.week and parsed.student else set()
    # Each folder is one student's, unless every folder has files of several students.
    folder_per_student = any(len(names) <= 1 for folder, names in names_by_folder.items() if folder)
    with_notebook = {slug(parsed_names[entry].student) for entry in entries if is_notebook(names[entry])}
    result: ClaimsByFile = {}
    for entry, folder in folders.items():
        its_week, name, copy_number = parsed_names[entry]
        handed_in = entry.name.startswith(f"{week.name}__")
        if _SUBMISSION.fullmatch(folder):
            result[entry] = f"{METADATA}, which says who {folder} is, is missing or cannot be read."
        elif folder and folder_per_student:
            evidence = [Evidence("typed", folder)]
            result[entry] = [
                Claim(
                    layout="a folder each",
                    evidence=evidence,
                    proposed_id=slug(folder),
                    file_name=names[entry],
                )
            ]
        elif its_week not in ("", week.name):
            result[entry] = platforms.wrong_week(its_week)
        elif name and beside_others and not handed_in:
            result[entry] = "it is not named as the others are."
        elif name:
            # A table of marks or an index is no person; data beside somebody's notebook is that person's.
            is_persons = its_week or is_notebook(names[entry]) or slug(name) in with_notebook
            result[entry] = [
                Claim(
                    layout="hand_in" if handed_in else "names",
                    evidence=[Evidence("typed", name)],
                    proposed_id=slug(name) if is_persons else None,
                    file_name=names[entry],
                    order=copy_number,
                )
            ]
        else:
            result[entry] = NO_STUDENT
    return result


def _with_suffix_last(name: str) -> str:
    """Return "x (1).ipynb" for "x.ipynb (1)", and any other name as it is."""
    match = _NUMBERED.fullmatch(name)  # anchored, since a name may be very long
    return f"{match[1]} {match[3]}{match[2]}" if match else name


class _ParsedName(NamedTuple):
    """The parts of a file's name; "" or 0 for each that it lacks."""

    week: str
    student: str
    copy_number: int


def _parse_name(name: str, course: Course) -> _ParsedName:
    # Some browsers save it as .ipynb.txt.
    stem = re.sub(r"(?i)\.ipynb$", "", PurePosixPath(name).stem)
    copy = _COPY.search(stem)
    stem = stem[: copy.start()].rstrip() if copy else stem
    number = int(copy[1][:9]) if copy else 0
    for week in course.weeks:
        if stem.startswith(f"{week.name}__"):
            return _ParsedName(week.name, stem.removeprefix(f"{week.name}__").strip(), number)
    words, which = re.sub(_COPY_AFTER, " ", _COPY_OF.sub("", stem)), ""
    for week in course.weeks:
        for its_name in (week.name, week.notebook):
            words, count = re.subn(rf"(?i)(?<![^\W_]){re.escape(its_name)}(?![^\W_])", " ", words)
            which = week.name if count else which
    return _ParsedName(which, words.strip(" -–—_.,"), number)
