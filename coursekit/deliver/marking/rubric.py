"""Rubric items and marks that a person gives an answer, and the points and the comment that follow from them.

A *rubric item* is a sentence with points: more than 0 for what an answer has, less than 0 for what it lacks. Without
points it is a comment that can be used again. Answers store the ids of items, so a changed item changes in all of them.
"""

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass

from coursekit.deliver.templates import count
from coursekit.deliver.text import make_visible
from coursekit.engine.shared.errors import CourseError

MAX_CHARACTERS = 4_000  # of an item, and of a comment


@dataclass(frozen=True)
class Item:
    """A rubric item of one question."""

    id: str
    text: str
    points: float
    gone: bool = False  # removed; kept, because the removal can be undone

    @property
    def version(self) -> str:
        """A digest of all that a person sees of it."""
        return hashlib.sha256(repr((self.text, self.points)).encode()).hexdigest()[:16]

    @property
    def line(self) -> str:
        """The sentence that a student reads.

        >>> Item("1", "Names the direction.", 1.0).line
        'Names the direction. (1 point)'
        >>> Item("2", "No example.", -0.5).line
        'No example. (−0.5 points)'
        """
        if not self.points:
            return self.text
        sign = "−" if self.points < 0 else ""
        return f"{self.text} ({sign}{count(abs(self.points), 'point')})"


@dataclass(frozen=True)
class Mark:
    """The mark that a person gives one answer."""

    items: tuple[str, ...] = ()  # ids
    points: float | None = None  # typed by a person; None: the items decide
    comment: str = ""  # only for this answer, below the items' sentences

    def score(self, items: Mapping[str, Item], maximum: float) -> float | None:
        """Return the typed points, or else the items' sum, kept between 0 and `maximum`; None if there are neither.

        >>> items = {"a": Item("a", "Names the direction.", 1.0), "b": Item("b", "No example.", -2.0)}
        >>> Mark(("a",)).score(items, 4.0), Mark(("a", "b")).score(items, 4.0), Mark().score(items, 4.0)
        (1.0, 0.0, None)
        """
        if self.points is not None:
            return self.points
        points = [items[name].points for name in self.items if name in items and items[name].points]
        return min(max(sum(points), 0.0), maximum) if points else None

    def text(self, items: Mapping[str, Item]) -> str:
        """Return the comment that the student reads."""
        lines = [item.line for item in items.values() if item.id in self.items]
        return "\n".join([*lines, self.comment] if self.comment else lines)


def as_points(text: str, minimum: float, maximum: float) -> float | None:
    """Return the number typed into a field for points; None if the field is empty.

    >>> as_points("2,5", 0.0, 4.0), as_points(" ", 0.0, 4.0)
    (2.5, None)

    Raises:
        CourseError: it is not a number, or not between `minimum` and `maximum`.
    """
    text = text.strip()
    if not text:
        return None
    try:
        number = float(text.replace(",", ".").replace("−", "-"))
    except ValueError:
        number = math.nan
    if not minimum <= number <= maximum:  # NaN is not between them either
        raise CourseError(f"Points are a number from {minimum:g} to {maximum:g}; {text[:40]!r} is not.")
    return number + 0.0  # no −0


def as_text(text: str) -> str:
    """Return the text typed into a field, stripped; raise CourseError if it is too long."""
    text = make_visible(text).strip()
    if len(text) > MAX_CHARACTERS:
        raise CourseError(f"A text has at most {MAX_CHARACTERS:,} characters; this one has {len(text):,}.")
    return text
