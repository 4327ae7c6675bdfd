"""What repair changed, as a unified diff: the cells as handed in against the cells that are graded."""

from collections.abc import Iterable
from difflib import SequenceMatcher

from coursekit.engine.reader.repair.layout import Draft
from coursekit.engine.shared.reader_messages import AS_GRADED, AS_HANDED_IN, BOTH, MAX_LINE, MAX_SAID, PLACE

MAX_LINES = 6_000  # of a notebook that is compared
CONTEXT = 2  # lines around a change


def difference(draft: Draft) -> list[tuple[str, str]]:
    """(sign, line): handed in alone, graded alone, both, or the place from which on the next lines are.

    Each cell begins with a line that says of which kind it is. Cells of the master's hold what students see of them.
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
        return [(PLACE, f"The notebook has more than {MAX_LINES:,} lines, so it is not compared.")]
    said: list[tuple[str, str]] = []
    for group in SequenceMatcher(None, before, after).get_grouped_opcodes(CONTEXT):
        first = next(place for kind, _, _, place, _ in group if kind != "equal")
        said.append((PLACE, names[min(first, len(names) - 1)] if names else ""))
        for kind, start, end, other_start, other_end in group:
            if kind == "equal":
                said += [(BOTH, line) for line in after[other_start:other_end]]
            else:
                said += [(AS_HANDED_IN, line) for line in before[start:end]]
                said += [(AS_GRADED, line) for line in after[other_start:other_end]]
    if len(said) > MAX_SAID:
        left_out = len(said) - MAX_SAID
        said = [*said[:MAX_SAID], (PLACE, f"{left_out:,} more lines of differences are left out.")]
    return [(sign, line[:MAX_LINE]) for sign, line in said]


def _lines(cells: Iterable[tuple[str, str, str]]) -> tuple[list[str], list[str]]:
    """The lines of a notebook, and of each the name of its cell."""
    lines: list[str] = []
    names: list[str] = []
    for kind, source, name in cells:
        own = [f"[{kind} cell]", *source.split("\n")]
        lines += own
        names += [name] * len(own)
    return lines, names
