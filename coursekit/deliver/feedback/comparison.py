"""The comparison of a failed test, ready for a page: the student's and the TA's show the same."""

from dataclasses import dataclass, field
from itertools import chain

from coursekit.deliver.templates import count
from coursekit.engine.shared.result import Comparison


@dataclass
class ComparisonView:
    """A page's view of a comparison: sentences, and tables where the values are few.

    Attributes:
        entries: of a list, (index, expected, found, whether they differ).
        grids: of a matrix, (caption, rows of (entry, whether it differs)) of the expected and of the found matrix.
    """

    sentences: list[str]
    entries: list[tuple[int, str, str, bool]] = field(default_factory=list)
    grids: list[tuple[str, list[list[tuple[str, bool]]]]] = field(default_factory=list)


def view_of(comparison: Comparison) -> ComparisonView:
    """Return a page's view of a comparison."""
    view, place = ComparisonView(_sentences(comparison)), comparison.place
    expected, found, marked = comparison.expected_table, comparison.found_table, comparison.marked
    if len(place) == 1:
        columns = (chain(*expected), chain(*found), chain(*marked))
        view.entries = [(index, *column) for index, column in enumerate(zip(*columns, strict=True))]
    elif place and marked:
        outer = "".join(f"{number}, " for number in place[:-2])
        for name, table in (("Expected", expected), ("Found", found)):
            rows = [list(zip(*row, strict=True)) for row in zip(table, marked, strict=True)]
            view.grids.append((f"{name}, at [{outer}:, :]" if outer else name, rows))
    return view


def _sentences(comparison: Comparison) -> list[str]:
    sentences = []
    if comparison.found != comparison.expected:  # types and shapes
        sentences.append(f"Expected: {comparison.expected}. Found: {comparison.found}.")
    if len(comparison.here) == 2:  # the values at `place`
        found, expected = (text or "nothing" for text in comparison.here)
        largest = comparison.largest
        if not comparison.place:
            gap = f", a difference of {largest}" if largest else ""
            return [*sentences, f"Expected {expected}, found {found}{gap}."]
        which = f"The largest difference, {largest}," if largest else "The first difference"
        sentences += [
            f"{comparison.differing} of {count(comparison.entries, 'entry', 'entries')} "
            f"differ{'s' if comparison.differing == 1 else ''}.",
            f"{which} is at {comparison.place}: expected {expected}, found {found}.",
        ]
    return sentences
