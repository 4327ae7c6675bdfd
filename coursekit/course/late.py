"""The cost of handing in late, from the known times, course.toml and the roster."""

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from coursekit.course.config import Course, Week
from coursekit.course.roster import Roster


@dataclass(frozen=True, slots=True)
class Lateness:
    """The lateness of a submission: days begun since it was due, and the points that this costs."""

    days: int = 0
    penalty: float = 0.0


def due_time(course: Course, week: Week, roster: Roster, student: str) -> datetime | None:
    """Return the last moment that is on time for a student, with their extension and the grace minutes, in UTC.

    None if the week has no due time.
    """
    if week.due is None:
        return None
    extension = timedelta(days=roster.extension(student, week.name))
    return week.due.astimezone(UTC) + extension + timedelta(minutes=course.late.grace_minutes)


def lateness(
    course: Course, week: Week, roster: Roster, student: str, handed_in_at: datetime | None, max_score: float
) -> Lateness:
    """Return how late a submission is under the course's policy, and its cost.

    A submission without a time is not late, nor is any if the week has no due time. Within the grace minutes it is
    on time; after them, days count from the due time, to which the student's extension is added.

    Args:
        handed_in_at: when it was handed in, in UTC without a zone, as in the gradebook; None if unknown.
        max_score: the week's points.
    """
    on_time_until = due_time(course, week, roster, student)
    if handed_in_at is None or on_time_until is None:
        return Lateness()
    delay = handed_in_at.replace(tzinfo=UTC) - on_time_until
    if delay <= timedelta(0):
        return Lateness()
    days = math.ceil((delay + timedelta(minutes=course.late.grace_minutes)) / timedelta(days=1))
    return Lateness(days, max_score * min(days * course.late.per_day, course.late.at_most) / 100)
