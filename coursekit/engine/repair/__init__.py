"""Repair: from whatever a student handed in to a notebook with the master's structure and the student's answers.

Given and test cells are the master's whatever the submission says; only answers, cells that the student added and
the student's edits of given code are taken from it. Every mend is recorded.

    unpack, salvage, reading   bytes → cells
    shape                      cells that were split or merged → an answer a cell
    match                      which is which of the master's
    layout                     the notebook that is graded
    difference                 what of all that a person may want to see
"""

from coursekit.engine.master import Master
from coursekit.engine.repair.code import same_code
from coursekit.engine.repair.known import Known, known_of
from coursekit.engine.repair.layout import Rebuilt, RebuiltCell, adopt, lay_out
from coursekit.engine.repair.match import is_of_another_week, match_cells
from coursekit.engine.repair.reading import Reading, read
from coursekit.engine.repair.shape import reshape
from coursekit.engine.repair.unpack import Unreadable
from coursekit.engine.result import Note

__all__ = ["Rebuilt", "RebuiltCell", "Unreadable", "rebuild", "same_code"]


def rebuild(master: Master, data: bytes) -> Rebuilt:
    """Mend a submission.

    Args:
        master: the week's master.
        data: the bytes that were handed in.

    Raises:
        Unreadable: they are not a notebook.
    """
    notebooks = [_rebuild(known_of(master), reading) for reading in read(data, master.name)]
    chosen = max(notebooks, key=lambda rebuilt: rebuilt.answered)  # the first of equals
    if len(notebooks) > 1 and not any(flag.kind == "merge_conflict" for flag in chosen.flags):
        detail = f"The file holds {len(notebooks)} notebooks; the one with the most answers was graded."
        chosen.flags.append(Note("several_notebooks", "", detail))
    return chosen


def _rebuild(week: Known, reading: Reading) -> Rebuilt:
    as_read = [(cell.kind, cell.source) for cell in reading.cells]
    rebuilt = Rebuilt([], reading.repairs, reading.flags, as_read)
    if is_of_another_week(week, reading.cells):
        _put_aside(week, reading, rebuilt)
        return rebuilt
    cells = reshape(reading.cells, week, rebuilt.repairs)
    found = match_cells(week, cells, rebuilt.repairs, rebuilt.flags)
    lay_out(week, cells, found, rebuilt)
    adopt(week, found, rebuilt)
    return rebuilt


def _put_aside(week: Known, reading: Reading, rebuilt: Rebuilt) -> None:
    """Another week's notebook answers nothing here; the week's own is graded, unanswered."""
    lines = (line for cell in reading.cells if cell.kind == "markdown" for line in cell.source.splitlines())
    title = next((line.strip("# ") for line in lines if line.startswith("# ")), "no title")
    detail = f"The notebook has no question from this week. Its title: {title[:80]}."
    lay_out(week, [], {}, Rebuilt(rebuilt.cells))
    rebuilt.repairs.append(Note("another_week", "", detail))
    rebuilt.flags.append(Note("another_week", "", detail))
