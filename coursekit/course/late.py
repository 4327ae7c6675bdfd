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
    if handed_in_at is None or week.due is None:
        return Lateness()
    due = week.due.astimezone(UTC).replace(tzinfo=None) + timedelta(days=roster.extension(student, week.name))
    if handed_in_at <= due + timedelta(minutes=course.late.grace_minutes):
        return Lateness()
    days = math.ceil((handed_in_at - due) / timedelta(days=1))
    return Lateness(days, max_score * min(days * course.late.per_day, course.late.at_most) / 100)
