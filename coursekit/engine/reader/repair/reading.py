"""Read the bytes that were handed in as cells with checked fields."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from coursekit.engine.reader.repair import code, web_pages
from coursekit.engine.reader.repair.salvage import CELLS, salvage
from coursekit.engine.reader.repair.submitted import SubmittedCell, checked, python_of
from coursekit.engine.reader.repair.texts import read_text
from coursekit.engine.reader.repair.unpack import MAX_CELLS, UnreadableFile, decode, unpack
from coursekit.engine.shared.reasons import Flag, Repair, Unreadable
from coursekit.engine.shared.result import Note

WEB_PAGE = re.compile(r"<(?:!doctype|html|head|\?xml)", re.IGNORECASE)


@dataclass
class Reading:
    """One notebook that the submission may be."""

    cells: list[SubmittedCell]
    repairs: list[Note] = field(default_factory=list)
    flags: list[Note] = field(default_factory=list)
    python: tuple[int, int] | None = None  # the version on which it ran, as it says itself


def read(data: bytes, name: str) -> list[Reading]:
    """Return every notebook that a submission holds; nearly always one.

    Args:
        data: the bytes that were handed in.
        name: the name that the notebook should have, without .ipynb.

    Raises:
        UnreadableFile: it holds none that can be read.
    """
    if not data.strip(b"\x00 \t\r\n"):
        raise UnreadableFile(Unreadable.NOTHING)
    files = unpack(data, name)
    try:
        readings = _read_each(_notebooks, files)
    except UnreadableFile as why:
        if files != [data] and why.note.values["reason"] == Unreadable.NOT_JSON:
            raise UnreadableFile(Unreadable.NO_NOTEBOOK_IN_ARCHIVE) from None
        raise
    for reading in readings:
        _remove_accents(reading)
    if files != [data]:
        for reading in readings:
            reading.repairs.insert(0, Note(Repair.UNPACKED))
    return readings


def _remove_accents(reading: Reading) -> None:
    """Remove a hundred or more accents on one letter of code: each process would take seconds to read such a name."""
    for cell in reading.cells:
        if cell.kind == "code" and (source := code.without_many_accents(cell.source)) != cell.source:
            cell.source = source
            reading.repairs.append(Note(Repair.ACCENTS_REMOVED, cell=cell.grade_id))


def _read_each(reader: Callable[[Any], list[Reading]], pieces: list[Any]) -> list[Reading]:
    """Return the notebooks of all pieces that can be read; if none can, raise the error of the first."""
    readings: list[Reading] = []
    reason: UnreadableFile | None = None
    for piece in pieces:
        try:
            readings += reader(piece)
        except UnreadableFile as why:
            reason = reason or why
    if not readings and reason is not None:
        raise reason
    return readings


def _notebooks(data: bytes) -> list[Reading]:
    """Return every notebook in one file: more than one after a merge conflict, or if files were joined."""
    text, guessed = decode(data)
    sides = _sides(text)
    readings = _read_each(_read_text, sides)
    for reading in readings:
        if guessed:
            reading.repairs.append(Note(Repair.ENCODING_RESTORED))
        if len(sides) > 1:
            reading.repairs.append(Note(Repair.CONFLICT_RESOLVED))
            reading.flags.append(Note(Flag.MERGE_CONFLICT))
    return readings


def _sides(text: str) -> list[str]:
    """Return a text as each side of git's conflict marks has it, or [text] if there is no conflict."""
    if "<<<<<<<" not in text or ">>>>>>>" not in text:
        return [text]
    sides: tuple[list[str], list[str]] = ([], [])
    current: tuple[list[str], ...] = sides  # the sides that a line belongs to
    for line in text.splitlines(keepends=True):
        if line.startswith("<<<<<<<"):
            current = sides[:1]
        elif line.startswith("|||||||") and len(current) == 1:  # the common ancestor of both
            current = ()
        elif line.startswith("=======") and len(current) < 2:
            current = sides[1:]
        elif line.startswith(">>>>>>>"):
            current = sides
        else:
            for side in current:
                side.append(line)
    return ["".join(side) for side in sides] if sides[0] != sides[1] else [text]


def _read_text(text: str) -> list[Reading]:
    """Return the notebooks in a text: nbformat's JSON, what is left of it, or another form of a notebook."""
    rest = ""
    try:
        content, end = json.JSONDecoder(strict=False).raw_decode(text, len(text) - len(text.lstrip()))
        rest = text[end:].strip("\x00 \t\r\n")
        # A Python file may begin with a docstring, whose first two quotation marks are valid JSON.
        if rest and (CELLS.search(rest) or not isinstance(content, dict | list)):
            return _read_damaged(text, None)
    except (ValueError, RecursionError) as error:
        return _read_damaged(text, error)
    items = _cells_of(content)
    if items is None:
        raise UnreadableFile(Unreadable.NO_CELLS if isinstance(content, dict) else Unreadable.NOT_A_NOTEBOOK)
    reading = Reading(_checked(items), python=python_of(content))
    if rest:
        reading.repairs.append(Note(Repair.REST_DROPPED))
    if isinstance(content, dict) and isinstance(content.get("worksheets"), list):
        reading.repairs.append(Note(Repair.FORMAT_UPGRADED))
    return [reading]


def _checked(items: list[Any]) -> list[SubmittedCell]:
    """Return the cells; raise UnreadableFile if they are so many that it would take long to look through them."""
    if len(items) > MAX_CELLS:
        raise UnreadableFile(Unreadable.TOO_MANY_CELLS, count=len(items), limit=MAX_CELLS)
    return list(checked(items))


def _cells_of(content: Any) -> list[Any] | None:
    """Return the cells of a notebook, also in an old format or wrapped in an object; None if there are none."""
    if isinstance(content, list):
        return content if any(isinstance(item, dict) and "cell_type" in item for item in content) else None
    if not isinstance(content, dict):
        return None
    if isinstance(cells := content.get("cells"), list):
        return cells
    if isinstance(content.get("worksheets"), list):
        sheets = [sheet.get("cells") for sheet in content["worksheets"] if isinstance(sheet, dict)]
        return [cell for sheet in sheets if isinstance(sheet, list) for cell in sheet]
    if isinstance(content.get("paragraphs"), list):  # Zeppelin's
        texts = [part.get("text") for part in content["paragraphs"] if isinstance(part, dict)]
        return [{"cell_type": "code", "source": text} for text in texts]
    for inner in content.values():
        if isinstance(inner, dict) and isinstance(cells := inner.get("cells"), list):
            return cells
    return None


def _read_damaged(text: str, error: Exception | None) -> list[Reading]:
    """Return the notebooks that can be read in a text that is not JSON, or in a Python file."""
    notebooks = [_checked(items) for items in salvage(text)]
    if len(notebooks) > 1:
        repair, flag = Note(Repair.CONCATENATED), Note(Flag.CONCATENATED_FILE)
        return [Reading(cells, [repair], [flag]) for cells in notebooks]
    if notebooks:
        count = {"count": len(notebooks[0])}
        repair, flag = Note(Repair.SALVAGED, values=count), Note(Flag.DAMAGED_FILE, values=count)
        return [Reading(notebooks[0], [repair], [flag])]
    start = text.lstrip()[:1000]
    if isinstance(error, RecursionError):
        raise UnreadableFile(Unreadable.TOO_DEEP) from None
    if WEB_PAGE.match(start):
        if cells := web_pages.read(code.with_unix_lines(text)):
            return [
                Reading(cells, [Note(Repair.CONVERTED, values={"form": "a web page made of a notebook"})])
            ]
        raise UnreadableFile(Unreadable.WEB_PAGE)
    if start.startswith("{"):
        raise UnreadableFile(Unreadable.CUT_OFF)
    if (found := read_text(code.with_unix_lines(text))) is not None:
        form, cells = found
        return [Reading(cells, [Note(Repair.CONVERTED, values={"form": form})])]
    raise UnreadableFile(Unreadable.NOT_JSON)
