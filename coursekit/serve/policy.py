"""How often a student may hand in a week, and which of their hand-ins counts.

Nothing here knows a database or a clock: times are arguments, in UTC.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from coursekit.course.config import BEST_ON_TIME, LATEST, HandIns


@dataclass(frozen=True, slots=True)
class Attempts:
    """The hand-ins that a student has left.

    Attributes:
        left: how many are allowed now.
        next_at: when one more will be; None if no more can be collected.
    """

    left: int
    next_at: datetime | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What decides whether a graded hand-in counts.

    Attributes:
        number: hand-ins are numbered in the order in which they arrived.
        score: the points that tests gave, less what being late costs.
        waiting: written answers that a person has to grade.
        on_time: it arrived before the student's own due time, or the week has none.
    """

    number: int
    score: float
    waiting: int
    on_time: bool


def attempts(used: Iterable[datetime], now: datetime, settings: HandIns) -> Attempts:
    """Return how many attempts a student has left in a week.

    A bucket holds `settings.attempts`, each hand-in takes one out, and one comes back every `settings.minutes` minutes
    until the bucket is full. If a clock was set back, the time in between counts as none.

    Args:
        used: when the student's hand-ins arrived, in the order in which they did.
    """
    refill = timedelta(minutes=settings.minutes)
    level, last = float(settings.attempts), None
    for time in used:
        level = _risen(level, last, time, settings, refill) - 1
        last = time
    level = _risen(level, last, now, settings, refill)
    left = max(0, int(level + 1e-9))
    if left >= settings.attempts:
        return Attempts(settings.attempts, None)
    return Attempts(left, now + (left + 1 - level) * refill)


def _risen(
    level: float, since: datetime | None, now: datetime, settings: HandIns, refill: timedelta
) -> float:
    gone = max(timedelta(0), now - since) if since else timedelta(0)
    return min(float(settings.attempts), level + gone / refill)


def counting(outcomes: Sequence[Outcome], settings: HandIns) -> Outcome | None:
    """Return the hand-in that counts; None if there is none.

    Of the best ones, the one with the most written answers counts, and of these the latest. "Best on time" and "last on
    time" look at late hand-ins only if none was on time.
    """
    on_time = [outcome for outcome in outcomes if outcome.on_time]
    if settings.counts == LATEST:
        return max(outcomes, key=lambda outcome: outcome.number, default=None)
    chosen = on_time or list(outcomes)
    if settings.counts == BEST_ON_TIME:
        return max(chosen, key=lambda outcome: (outcome.score, outcome.waiting, outcome.number), default=None)
    return max(chosen, key=lambda outcome: outcome.number, default=None)
