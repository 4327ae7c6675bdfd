"""What a failed test compared, ready for a page: the same on the student's and on the TA's."""

from dataclasses import dataclass
from itertools import chain

from coursekit.deliver.html import count
from coursekit.engine.shared.result import Comparison


@dataclass
class ComparisonView:
    """Sentences, and a table where there is one.

    Attributes:
        entries: of a list, (index, expected, found, whether they differ); else [].
        grids: of a matrix, (caption, rows of (entry, whether it differs)) for what was expected and what was found.
    """

    sentences: list[str]
    entries: list[tuple[int, str, str, bool]]
    grids: list[tuple[str, list[list[tuple[str, bool]]]]]


def view_of(told: Comparison) -> ComparisonView:
    """What a page shows of it."""
    sentences, entries, grids = [], [], []
    if told.found != told.expected:
        sentences.append(f"Expected: {told.expected}. Found: {told.found}.")
    if len(told.here) == 2:
        found, expected = (text or "nothing" for text in told.here)
        if not told.place:
            gap = f", a difference of {told.largest}" if told.largest else ""
            sentences.append(f"Expected {expected}, found {found}{gap}.")
        else:
            which = f"The largest difference, {told.largest}," if told.largest else "The first difference"
            verb = "differs" if told.differing == 1 else "differ"
            sentences += [
                f"{told.differing} of {count(told.entries, 'entry', 'entries')} {verb}.",
                f"{which} is at {told.place}: expected {expected}, found {found}.",
            ]
    if len(told.place) == 1:
        columns = zip(
            *(
                list(chain.from_iterable(table))
                for table in (told.expected_table, told.found_table, told.marked)
            ),
            strict=True,
        )
        entries = [(number, *column) for number, column in enumerate(columns)]
    elif told.place and told.marked:
        where = "".join(f"{number}, " for number in told.place[:-2])
        for name, table in (("Expected", told.expected_table), ("Found", told.found_table)):
            rows = [list(zip(*row, strict=True)) for row in zip(table, told.marked, strict=True)]
            grids.append((f"{name}, at [{where}:, :]" if where else name, rows))
    return ComparisonView(sentences, entries, grids)
