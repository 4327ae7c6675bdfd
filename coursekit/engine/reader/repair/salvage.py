"""The cells of a file that is no longer whole JSON: cut off, nested too deeply, or with something added to it.

Cells are found by their brackets, without recursion, and each is read on its own: one that cannot be read costs no
other, but one whose end is not found is the last.
"""

import json
import re
from typing import Any

from coursekit.engine.reader.repair.unpack import MAX_CELLS

CELLS = re.compile(r'(?<!\\)"cells"\s*:\s*\[')
CELL = re.compile(r'\{\s*"(?:attachments|cell_type|execution_count|id|metadata|outputs|source)"\s*:')
BLANK = re.compile(r"[\s,]*")
COLON = re.compile(r"\s*:\s*")
STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
SCALAR = re.compile(r"[^\s,{}\[\]\"]+")
BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\Z)|[][{}]', re.DOTALL)
MAX_NOTEBOOKS = 5
MAX_DEPTH = 30_000  # of brackets in brackets: no program nests so deeply by mistake


def salvage(text: str) -> list[list[dict[str, Any]]]:
    """Return the cells of each notebook in a text, as far as they can be read, up to MAX_CELLS + 1 each."""
    notebooks: list[list[dict[str, Any]]] = []
    position = 0
    while len(notebooks) < MAX_NOTEBOOKS and (opening := CELLS.search(text, position)):
        cells, position = _array(text, opening.end())
        if cells:
            notebooks.append(cells)
    return notebooks


def _array(text: str, position: int) -> tuple[list[dict[str, Any]], int]:
    """Return the cells in an array whose first item is at `position` or later, and the position where it ends."""
    cells: list[dict[str, Any]] = []
    while True:
        position = _after_blanks(text, position)
        if position >= len(text) or text[position] == "]":
            return cells, position
        if text[position] != "{":  # not an object: go on at the next cell
            if (following := CELL.search(text, position)) is None:
                return cells, len(text)
            position = following.start()
        end = _end(text, position)
        cell = _parsed(text[position:end]) if end is not None else None
        if not isinstance(cell, dict):
            cell = _members(text, position, end or len(text))
        if "source" in cell or "input" in cell:
            cells.append(cell)
        if end is None or len(cells) > MAX_CELLS:
            return cells, len(text)
        position = end


def _after_blanks(text: str, position: int) -> int:
    blanks = BLANK.match(text, position)
    return blanks.end() if blanks else position


def _members(text: str, position: int, end: int) -> dict[str, Any]:
    """Return the members of an object, which may be cut off, that can be read and are not null."""
    members: dict[str, Any] = {}
    position += 1
    while (position := _after_blanks(text, position)) < end:
        key = STRING.match(text, position, end)
        colon = COLON.match(text, key.end()) if key else None
        if key is None or colon is None or colon.end() >= end:
            break
        start = colon.end()
        if text[start] in "{[":
            stop = _end(text, start)
        else:
            word = (STRING if text[start] == '"' else SCALAR).match(text, start, end)
            stop = word.end() if word else None
        if stop is None or stop > end:
            break
        position = stop
        if (value := _parsed(text[start:position])) is not None:
            members[_parsed(key[0])] = value
    return members


def _end(text: str, position: int) -> int | None:
    """Return where the object or array that begins here ends; None if the text ends first, or is nested too deeply."""
    depth = 0
    for token in BRACKET.finditer(text, position):
        if token[0] in ("{", "["):
            depth += 1
            if depth > MAX_DEPTH:
                return None
        elif token[0] in ("}", "]"):
            depth -= 1
            if not depth:
                return token.end()
    return None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
