"""Personal codes: what a student types once to hand in, and to read their results.

A code is 100 random bits, so it cannot be guessed, and a plain SHA-256 of it is enough: the server keeps nothing else.
Whoever has a code is taken for the student; the instructor can renew or remove it.
"""

import csv
import hashlib
import io
import secrets
from contextlib import closing

from coursekit.course import student_id
from coursekit.course.config import Course
from coursekit.course.roster import read_roster
from coursekit.engine.shared.errors import CourseError
from coursekit.files import printable
from coursekit.serve.store import Store

LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"  # without i, l, o and u, which are read as other letters
GROUPS, GROUP = 4, 5
_MISREAD = str.maketrans("ilou", "110v")


def new_code() -> str:
    """Return a new code, such as 7k2pq-d4m9x-0vtwz-h3e8c."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(GROUP)) for _ in range(GROUPS))


def digest(code: str) -> bytes:
    """Return what is kept of a code: its SHA-256, however its letters were typed.

    >>> digest("7K2PQ D4M9X 0VTWZ H3E8C") == digest("7k2pq-d4m9x-ovtwz-h3e8c")
    True
    """
    letters = code.lower().translate(_MISREAD)
    return hashlib.sha256("".join(letter for letter in letters if letter in LETTERS).encode()).digest()


def make_codes(course: Course, renew: list[str]) -> str:
    """Make codes for everybody in the roster who has none, and for `renew`; return them as CSV, for a mail merge.

    Raises:
        CourseError: there is no roster, or it does not have a student of `renew`; hand_ins/ cannot be written.
    """
    roster = read_roster(course)
    if not roster.ids:
        raise CourseError("roster.csv has no students: codes are made for those whom it lists.")
    for student in roster.ids:
        if problem := student_id.problem(student):
            raise CourseError(f"roster.csv: {printable(student)!r} cannot be a student's id. {problem}")
    if unknown := [student for student in renew if student not in roster.ids]:
        raise CourseError(f"roster.csv has no student {unknown[0]!r}.")
    with closing(Store(course.root)) as store:
        has_code = store.students_with_code()
        wanted = renew or [student for student in roster.ids if student not in has_code]
        codes = {student: new_code() for student in wanted}
        store.set_codes({student: digest(code) for student, code in codes.items()})
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["student", "code"])
    writer.writerows(codes.items())
    return text.getvalue()


def revoke_codes(course: Course, students: list[str]) -> None:
    """Take these students' codes away, and end their sessions.

    Raises:
        CourseError: one of them has no code; hand_ins/ cannot be written.
    """
    with closing(Store(course.root)) as store:
        if without := set(students) - store.students_with_code():
            raise CourseError(f"{min(without)!r} has no code. Nothing was changed.")
        for student in students:
            store.remove_code(student)
