"""The cells of a file that is no longer whole JSON: cut off, nested too deeply, or with something added to it.

Values are found by their brackets alone, without recursion, and each is read on its own. So a damaged one costs itself.
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
MAX_DEPTH = 30_000  # of brackets in brackets: more than a program has nested by mistake


def salvage(text: str) -> list[list[dict[str, Any]]]:
    """The cells of each notebook in a text, as far as they can be read, and no further than one too many."""
    notebooks: list[list[dict[str, Any]]] = []
    place = 0
    while len(notebooks) < MAX_NOTEBOOKS and (opening := CELLS.search(text, place)):
        cells, place = _array(text, opening.end())
        if cells:
            notebooks.append(cells)
    return notebooks


def _array(text: str, place: int) -> tuple[list[dict[str, Any]], int]:
    """The objects of an array that began before `place`, and where it ends."""
    cells: list[dict[str, Any]] = []
    while True:
        place = _after_blanks(text, place)
        if place >= len(text) or text[place] == "]":
            return cells, place
        if text[place] != "{":  # something that is no cell: go on at the next one
            if (following := CELL.search(text, place)) is None:
                return cells, len(text)
            place = following.start()
        end = _end(text, place)
        cell = _whole(text[place:end]) if end is not None else None
        if not isinstance(cell, dict):
            cell = _members(text, place, end or len(text))
        if "source" in cell or "input" in cell:
            cells.append(cell)
        if end is None or len(cells) > MAX_CELLS:
            return cells, len(text)
        place = end


def _after_blanks(text: str, place: int) -> int:
    found = BLANK.match(text, place)
    return found.end() if found else place


def _members(text: str, place: int, end: int) -> dict[str, Any]:
    """Return the readable members of an object that may be cut off."""
    found: dict[str, Any] = {}
    place += 1
    while (place := _after_blanks(text, place)) < end:
        key = STRING.match(text, place, end)
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
        place = stop
        if (value := _whole(text[start:place])) is not None:
            found[_whole(key[0])] = value
    return found


def _end(text: str, place: int) -> int | None:
    """Return where the object or array that begins here ends; None if the text ends first, or is nested too deeply."""
    depth = 0
    for token in BRACKET.finditer(text, place):
        if token[0] in ("{", "["):
            depth += 1
            if depth > MAX_DEPTH:
                return None
        elif token[0] in ("}", "]"):
            depth -= 1
            if not depth:
                return token.end()
    return None


def _whole(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
