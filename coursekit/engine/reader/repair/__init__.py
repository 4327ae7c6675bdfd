"""Repair: rebuild a notebook with the master's structure and the student's answers from a submitted file.

Given cells and test cells are always the master's. Answers are the student's, and so are the added cells; an edited
copy of given code runs after the original, as one of these. Every repair is recorded.

    reading       bytes → cells (`submitted`); an archive (`unpack`), a damaged file (`salvage`), a notebook saved in
                  another form (`texts`, `scripts`, `marimo`, `web_pages`), the pictures in its texts (`embedded`)
    shape         cells that were split or merged → one answer per cell
    match         which of the master's cells, as they were released (`release`), each cell is
    layout        the notebook that is graded; answers and helpers that stand in the wrong cells, words that answer a
                  question elsewhere (`written`)
    recognition   whether anything in it is an answer
    difference    the changes that repair made, for a person to see
    code          Python source: what it defines, and whether two cells are the same program
"""

from coursekit.engine.reader.repair.code import same_code
from coursekit.engine.reader.repair.layout import Draft, DraftCell, find_misplaced_answers, lay_out
from coursekit.engine.reader.repair.match import is_of_another_week, match_cells
from coursekit.engine.reader.repair.reading import Reading, read
from coursekit.engine.reader.repair.recognition import flag_if_nothing_recognised
from coursekit.engine.reader.repair.release import Release, release_of
from coursekit.engine.reader.repair.shape import reshape
from coursekit.engine.reader.repair.unpack import UnreadableFile
from coursekit.engine.shared.master import GIVEN, TEST, Master
from coursekit.engine.shared.reasons import Flag, Repair
from coursekit.engine.shared.result import Note

# A script or a text is the notebook in another form if it has this share of the cells that are not answers.
NOTEBOOK_SHARE = 0.5

__all__ = ["Draft", "DraftCell", "UnreadableFile", "rebuild", "same_code"]


def rebuild(master: Master, data: bytes) -> Draft:
    """Return the repaired notebook from the bytes that were handed in.

    Raises:
        UnreadableFile: they are not a notebook.
    """
    notebooks = [_rebuild(release_of(master), reading) for reading in read(data, master.name)]
    notebooks = [draft for draft in notebooks if draft.is_notebook] or notebooks
    chosen = max(notebooks, key=lambda draft: draft.answered)  # the first of equals
    if (
        len(notebooks) > 1
        and chosen.is_notebook
        and not any(flag.kind == Flag.MERGE_CONFLICT for flag in chosen.flags)
    ):
        chosen.flags.append(Note(Flag.SEVERAL_IN_FILE, values={"count": len(notebooks)}))
    return chosen


def _rebuild(release: Release, reading: Reading) -> Draft:
    as_read = [(cell.kind, cell.source) for cell in reading.cells]
    draft = Draft([], repairs=reading.repairs, flags=reading.flags, handed_in=as_read, python=reading.python)
    if is_of_another_week(release, reading.cells):
        _put_aside(release, reading, draft)
        return draft
    cells = reshape(reading.cells, release, draft.repairs)
    matched = match_cells(release, cells, draft.repairs, draft.flags)
    lay_out(release, cells, matched, draft)
    find_misplaced_answers(release, matched, draft)
    flag_if_nothing_recognised(release, cells, matched, draft)
    given = [cell for cell in release.master.cells if cell.role in (GIVEN, TEST)]
    if any(note.kind == Repair.CONVERTED for note in reading.repairs):
        found = sum(cell.index in matched for cell in given)
        draft.is_notebook = found >= NOTEBOOK_SHARE * len(given)
    return draft


def _put_aside(release: Release, reading: Reading, draft: Draft) -> None:
    """Lay out the week's own notebook, unanswered, in place of another week's, and flag this."""
    lines = (line for cell in reading.cells if cell.kind == "markdown" for line in cell.source.splitlines())
    title = next((line.strip("# ") for line in lines if line.startswith("# ")), "no title")
    values = {"title": title[:80]}
    # Its repairs are dropped: there would be one for each cell, since all are missing.
    lay_out(release, cells=[], matched={}, draft=Draft(draft.cells))
    draft.repairs.append(Note(Repair.ANOTHER_WEEK, values=values))
    draft.flags.append(Note(Flag.ANOTHER_WEEK, values=values))
