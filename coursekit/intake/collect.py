"""Collect: a learning platform's download becomes `submitted/`.

A download is opened (`opening`), the folder and the name of each file say whose it is (`layouts`), the roster says who
that is in this course (`course.roster`), and the files are put in place (`placing`). No student's file is parsed here:
of an archive only the list of names is read, and the bytes are copied.
"""

import logging
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from coursekit.course import student_id
from coursekit.course.config import Course, Week
from coursekit.course.roster import Roster, read_roster
from coursekit.engine.shared.errors import CourseError
from coursekit.files import printable
from coursekit.intake import layouts, placing
from coursekit.intake.opening import Downloaded, opened
from coursekit.intake.platforms import Claim
from coursekit.intake.submissions import students
from coursekit.progress import Progress, no_progress

logger = logging.getLogger(__name__)


@dataclass
class Collected:
    """The report on a collected download.

    Attributes:
        layouts: {layout: number of files that follow it}.
        students: one for each student whose files were found, sorted.
        unplaced: {file: why it could not be placed}.
        ignored: number of files that an operating system, Jupyter or the platform added.
        missing: students of the roster for whom submitted/ has nothing for this week.
        roster_problems: a sentence for each line of the roster that could not be read as a student's.
    """

    layouts: dict[str, int] = field(default_factory=dict)
    students: list[placing.Placed] = field(default_factory=list)
    unplaced: dict[str, str] = field(default_factory=dict)
    ignored: int = 0
    missing: list[str] = field(default_factory=list)
    roster_problems: list[str] = field(default_factory=list)


def collect(
    course: Course,
    week: Week,
    source: str,
    *,
    roster: Path | None = None,
    dry_run: bool = False,
    progress: Progress = no_progress,
) -> Collected:
    """Put a week's download into `submitted/`, and return a report.

    A student's last notebook counts; the others are kept in `submitted/<student>/.earlier/`. The download itself is
    never changed, and collecting it a second time changes nothing.

    Args:
        source: a .zip, a folder, a notebook, or the URL of a folder on Google Drive.
        roster: the class as CSV; default: roster.csv in the course folder, if it is there.
        dry_run: write nothing, but return the same.
        progress: called with (done, total) as students' files are placed.

    Raises:
        CourseError: the download or the roster cannot be read, the archive is unsafe, or a file cannot be written.
    """
    known_students = read_roster(course, roster)
    collected = Collected(roster_problems=known_students.problems)
    with opened(source) as (entries, refused):
        collected.unplaced |= refused
        if not entries and not refused:
            raise CourseError(f"{printable(source)} holds no file at all. Is it the right download?")
        kept = [entry for entry in entries if not layouts.is_left_over(entry)]
        collected.ignored = len(entries) - len(kept)
        logger.info(
            "%s holds %d files, and %d that nobody handed in", printable(source), len(kept), collected.ignored
        )
        claims = layouts.claims(kept, entries, course, week)
        _refuse_nested_archive(source, claims)
        claimed = []
        for entry, found in claims.items():
            if isinstance(found, str):
                collected.unplaced[entry.path] = found
            else:
                collected.ignored += not found
                claimed += [(entry, claim) for claim in found]
        collected.layouts = dict(
            Counter(found[0].layout for found in claims.values() if found and not isinstance(found, str))
        )
        files_by_student, unassigned = _by_student(claimed, known_students, placing.folders_by_id(course))
        collected.unplaced |= unassigned
        for number, (student, files) in enumerate(sorted(files_by_student.items()), 1):
            try:
                placed, left_out = placing.place(course, week, student, files, dry_run)
            except OSError as error:
                raise CourseError(
                    f"{error.filename or 'A file'} cannot be used: {error.strerror}. What was placed before is kept; "
                    "correct this and run the same command again."
                ) from error
            logger.info("%s: %s from %s", printable(student), placed.what, printable(placed.file))
            collected.students.append(placed)
            collected.unplaced |= left_out
            progress(number, len(files_by_student))
    handed_in = {placed.student for placed in collected.students} | set(students(course, week))
    collected.missing = sorted(set(known_students.ids) - handed_in)
    return collected


def _refuse_nested_archive(source: str, claims: layouts.ClaimsByFile) -> None:
    """Raise CourseError if the download was packed twice: the inner archive's name would be taken for a student's."""
    if len(claims) == 1:
        ((entry, found),) = claims.items()
        by_name = isinstance(found, str) or any(claim.layout == "names" for claim in found)
        if by_name and entry.name.lower().endswith((".zip", ".gz", ".tar", ".7z", ".rar")):
            raise CourseError(
                f"{printable(source)} holds nothing but another archive, {printable(entry.path)!r}. "
                "Unpack it once, and give that archive."
            )


def _by_student(
    claimed: list[tuple[Downloaded, Claim]], roster: Roster, existing: dict[str, str]
) -> tuple[dict[str, list[tuple[Downloaded, Claim]]], dict[str, str]]:
    """Return {student id: that student's files}, and {file: why it has no student}.

    Args:
        existing: {id in lower case: id} of the students who have a folder in submitted/; students are added to it.
    """
    files_by_student: dict[str, list[tuple[Downloaded, Claim]]] = {}
    unassigned: dict[str, str] = {}
    for entry, claim in claimed:
        if roster.ids:
            student, problem = roster.student(claim.evidence)
        else:
            student = claim.proposed_id or ""
            problem = layouts.NO_STUDENT if claim.proposed_id is None else ""
        if not problem and (reason := student_id.problem(student)):
            problem = f"{printable(student)!r} cannot be a student's id. {reason}"
        if problem:
            unassigned[entry.path] = problem
        else:
            # "Ann" and "ann" are one student, unless the roster has both.
            if student not in roster.ids:
                student = existing.setdefault(student_id.folded(student), student)
            files_by_student.setdefault(student, []).append((entry, claim))
    for student, files in list(files_by_student.items()):
        accounts = {claim.platform_user for _, claim in files if claim.account}
        identified = {claim.platform_user for _, claim in files if roster.identifies(claim.evidence, student)}
        if len(accounts) > 1 and len(identified) == 1:
            others = [
                entry for entry, claim in files if claim.account and claim.platform_user not in identified
            ]
            problem = f"only its name leads to {student}, whom the number, login or address of another person names."
            unassigned |= {entry.path: problem for entry in others}
            files_by_student[student] = [(entry, claim) for entry, claim in files if entry not in others]
        elif len(accounts) > 1:
            del files_by_student[student]
            problem = f"{len(accounts)} students of the platform would be {student!r}. " + (
                "Add their numbers, logins or addresses to the roster, or put the right file into submitted/ yourself."
                if roster.ids
                else "A roster tells them apart."
            )
            unassigned |= {entry.path: problem for entry, _ in files}
    return files_by_student, unassigned
