"""Repair: from whatever a student handed in to a notebook with the master's structure and the student's answers.

Given and test cells are the master's whatever the submission says; only answers, cells that the student added and
the student's edits of given code are taken from it. Every mend is recorded.

    unpack, salvage, reading   bytes → cells
    shape                      cells that were split or merged → an answer a cell
    match                      which is which of the master's
    layout                     the notebook that is graded
"""

from coursekit.master import Master
from coursekit.repair.code import same_code
from coursekit.repair.known import Known, known
from coursekit.repair.layout import Rebuilt, RebuiltCell, adopt, lay_out
from coursekit.repair.match import is_of_another_week, match
from coursekit.repair.reading import Reading, read
from coursekit.repair.shape import shape
from coursekit.repair.unpack import Unreadable
from coursekit.result import Note

__all__ = ["Rebuilt", "RebuiltCell", "Unreadable", "rebuild", "same_code"]


def rebuild(master: Master, data: bytes) -> Rebuilt:
    """Mend a submission.

    Args:
        master: the week's master.
        data: the bytes that were handed in.

    Raises:
        Unreadable: they are not a notebook.
    """
    notebooks = [_rebuild(known(master), reading) for reading in read(data, master.name)]
    chosen = max(notebooks, key=lambda rebuilt: rebuilt.answered)  # the first of equals
    if len(notebooks) > 1 and not any(flag.kind == "merge_conflict" for flag in chosen.flags):
        detail = f"The file holds {len(notebooks)} notebooks; the one with the most answers was graded."
        chosen.flags.append(Note("several_notebooks", "", detail))
    return chosen


def _rebuild(week: Known, reading: Reading) -> Rebuilt:
    rebuilt = Rebuilt([], reading.repairs, reading.flags)
    if is_of_another_week(week, reading.cells):
        _put_aside(week, reading, rebuilt)
        return rebuilt
    cells = shape(reading.cells, week, rebuilt.repairs)
    found = match(week, cells, rebuilt.repairs, rebuilt.flags)
    lay_out(week, cells, found, rebuilt)
    adopt(week, found, rebuilt)
    return rebuilt


def _put_aside(week: Known, reading: Reading, rebuilt: Rebuilt) -> None:
    """Another week's notebook answers nothing here; the week's own is graded, unanswered."""
    title = next((line for cell in reading.cells for line in cell.source.splitlines() if line.strip()), "")
    detail = f"No cell of this week is in the notebook, which begins with {title.strip()[:80]!r}."
    lay_out(week, [], {}, Rebuilt(rebuilt.cells))
    rebuilt.repairs.append(Note("another_week", "", detail))
    rebuilt.flags.append(Note("another_week", "", detail))
