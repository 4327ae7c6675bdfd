"""The changes that repair made, as a unified diff: the cells as handed in against the cells that are graded."""

from collections.abc import Iterable
from difflib import SequenceMatcher

from coursekit.engine.reader.repair.layout import Draft
from coursekit.engine.shared.reader_messages import (
    AS_GRADED,
    AS_HANDED_IN,
    BOTH,
    HEADING,
    MAX_DIFFERENCES,
    MAX_LINE,
)

MAX_LINES = 6_000  # of a notebook that is compared
CONTEXT = 2  # lines around a change


def difference(draft: Draft) -> list[tuple[str, str]]:
    """Return (sign, line) pairs: AS_HANDED_IN, AS_GRADED, BOTH, or HEADING with the cell's name or a message.

    A HEADING comes before each group of changes. Each cell begins with a line that names its kind.
    """
    before, _ = _lines((kind, source, "") for kind, source in draft.handed_in)
    after, names = _lines(
        (
            item.kind,
            item.source,
            (item.master.grade_id or item.master.cell_id) if item.master else "a cell of their own",
        )
        for item in draft.cells
    )
    if max(len(before), len(after)) > MAX_LINES:
        return [(HEADING, f"The notebook has more than {MAX_LINES:,} lines, so it is not compared.")]
    lines: list[tuple[str, str]] = []
    for group in SequenceMatcher(None, before, after).get_grouped_opcodes(CONTEXT):
        first = next(line_number for kind, _, _, line_number, _ in group if kind != "equal")
        lines.append((HEADING, names[min(first, len(names) - 1)] if names else ""))
        for kind, start, end, other_start, other_end in group:
            if kind == "equal":
                lines += [(BOTH, line) for line in after[other_start:other_end]]
            else:
                lines += [(AS_HANDED_IN, line) for line in before[start:end]]
                lines += [(AS_GRADED, line) for line in after[other_start:other_end]]
    if len(lines) > MAX_DIFFERENCES:
        left_out = len(lines) - MAX_DIFFERENCES
        lines = [*lines[:MAX_DIFFERENCES], (HEADING, f"{left_out:,} more lines of differences are left out.")]
    return [(sign, line[:MAX_LINE]) for sign, line in lines]


def _lines(cells: Iterable[tuple[str, str, str]]) -> tuple[list[str], list[str]]:
    """Return the lines of a notebook, and the name of the cell of each line."""
    lines: list[str] = []
    names: list[str] = []
    for kind, source, name in cells:
        cell_lines = [f"[{kind} cell]", *source.split("\n")]
        lines += cell_lines
        names += [name] * len(cell_lines)
    return lines, names
