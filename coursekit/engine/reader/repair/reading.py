"""Read the bytes that were handed in as cells with checked fields."""

import ast
import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from coursekit.engine.reader.repair import code
from coursekit.engine.reader.repair.salvage import CELLS, salvage
from coursekit.engine.reader.repair.unpack import MAX_CELLS, UnreadableFile, decode, unpack
from coursekit.engine.shared.reasons import Flag, Repair, Unreadable
from coursekit.engine.shared.result import Note

WEB_PAGE = re.compile(r"<(?:!doctype|html|head|\?xml)", re.IGNORECASE)
# The first line of a cell in a Python file, as Jupyter and VS Code write it.
MARKER = re.compile(r"^# (?:In\[[ \d]*\]:|%%.*)[ \t]*$", re.MULTILINE)


@dataclass(eq=False)  # two cells with the same text are two cells
class Submitted:
    """One cell of the submission. Every field has its type; the values in `nbgrader` and `outputs` are unchecked."""

    kind: str
    source: str
    cell_ids: tuple[str, ...] = ()  # cell id, Colab's id
    grade_id: str = ""
    nbgrader: dict[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    outputs: list[Any] = field(default_factory=list)  # as handed in
    index: int = 0  # its place in the submission
    taken: bool = False  # it is one of the master's cells, or a copy that is dropped
    opaque: bool = False  # too much code in one submission to be read as Python

    @cached_property
    def squeezed(self) -> str:
        return code.squeezed(self.source)

    @cached_property
    def tree(self) -> ast.Module | None:
        return None if self.opaque else code.parse(self.source)

    @cached_property
    def defined_names(self) -> set[str]:
        return code.defined_names(self.source)

    @cached_property
    def definitions(self) -> dict[str, ast.stmt]:
        return code.definitions(self.tree)

    def become(self, source: str) -> None:
        """Take another source, and forget what was computed from the old one."""
        self.source = source
        for name in ("squeezed", "tree", "defined_names", "definitions"):
            self.__dict__.pop(name, None)


@dataclass
class Reading:
    """One notebook that the submission may be."""

    cells: list[Submitted]
    repairs: list[Note] = field(default_factory=list)
    flags: list[Note] = field(default_factory=list)


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
    readings = _read_each(_notebooks, files)
    for reading in readings:
        _remove_accents(reading)
    if files != [data]:
        for reading in readings:
            reading.repairs.insert(0, Note(Repair.UNPACKED))
    return readings


def _remove_accents(reading: Reading) -> None:
    """Remove a hundred or more accents on one letter of code: each process would take seconds to read such a name."""
    for cell in reading.cells:
        if cell.kind == "code" and (source := code.without_many_marks(cell.source)) != cell.source:
            cell.source = source
            reading.repairs.append(Note(Repair.ACCENTS_REMOVED, cell.grade_id))


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
    _check_count(items)
    reading = Reading(list(_checked(items)))
    if rest:
        reading.repairs.append(Note(Repair.REST_DROPPED))
    if isinstance(content, dict) and isinstance(content.get("worksheets"), list):
        reading.repairs.append(Note(Repair.FORMAT_UPGRADED))
    return [reading]


def _check_count(items: list[Any]) -> None:
    """Raise UnreadableFile if there are so many cells that it would take long to look through them."""
    if len(items) > MAX_CELLS:
        raise UnreadableFile(Unreadable.TOO_MANY_CELLS, count=len(items), limit=MAX_CELLS)


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
    for inner in content.values():
        if isinstance(inner, dict) and isinstance(cells := inner.get("cells"), list):
            return cells
    return None


def _read_damaged(text: str, error: Exception | None) -> list[Reading]:
    """Return the notebooks that can be read in a text that is not JSON, or in a Python file."""
    salvaged = salvage(text)
    for items in salvaged:
        _check_count(items)
    notebooks = [list(_checked(items)) for items in salvaged]
    if notebooks:
        if len(notebooks) > 1:
            return [
                Reading(cells, [Note(Repair.CONCATENATED)], [Note(Flag.CONCATENATED_FILE)])
                for cells in notebooks
            ]
        count = {"count": len(notebooks[0])}
        return [
            Reading(notebooks[0], [Note(Repair.SALVAGED, "", count)], [Note(Flag.DAMAGED_FILE, "", count)])
        ]
    start = text.lstrip()[:1000]
    if isinstance(error, RecursionError):
        raise UnreadableFile(Unreadable.TOO_DEEP) from None
    if WEB_PAGE.match(start):
        raise UnreadableFile(Unreadable.WEB_PAGE)
    if start.startswith("{"):
        raise UnreadableFile(Unreadable.CUT_OFF)
    script = code.with_unix_lines(text)
    if MARKER.search(script) or code.defined_names(script):
        return [Reading(list(_script(script)), [Note(Repair.READ_FROM_SCRIPT)])]
    raise UnreadableFile(Unreadable.NOT_JSON)


def _script(script: str) -> Iterator[Submitted]:
    """Yield the cells of a notebook that Colab, Jupyter or VS Code saved as a Python file."""
    if MARKER.search(script):
        for part in MARKER.split(script):
            yield from _jupyter_cells(part)
    else:
        for position, piece in enumerate(_cut_at_texts(script)):
            if piece.strip():
                yield Submitted("markdown" if position % 2 else "code", piece.strip("\n"))


def _jupyter_cells(part: str) -> Iterator[Submitted]:
    """Yield a code cell and the text cells after it, which Jupyter writes as comments."""
    paragraphs = part.strip("\n").split("\n\n\n")
    texts: list[str] = []
    while len(paragraphs) > 1 and all(line.startswith("#") for line in paragraphs[-1].strip().split("\n")):
        lines = paragraphs.pop().strip().split("\n")
        texts.insert(0, "\n".join(line[1:].removeprefix(" ") for line in lines))
    yield Submitted("code", "\n\n\n".join(paragraphs))
    yield from (Submitted("markdown", source) for source in texts)


def _cut_at_texts(script: str) -> list[str]:
    """Return a script cut at its text cells, which Colab writes as unused strings: [code, text, code, text, ...]."""
    tree = code.parse(script)
    rows = script.split("\n")
    pieces: list[str] = []
    start = 0
    if tree is None:  # a mistake somewhere: go by the lines
        pieces = [""]
        for row in rows:
            quotes = row.startswith('"""') or len(pieces) % 2 == 0 and row.rstrip().endswith('"""')
            whole = quotes and len(pieces) % 2 and len(row) > 5 and row.rstrip().endswith('"""')
            if whole:
                pieces += [row.strip('" '), ""]
            elif quotes:
                pieces.append("")
            else:
                pieces[-1] += row + "\n"
        return pieces
    for node in tree.body:
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            pieces += ["\n".join(rows[start : node.lineno - 1]), node.value.value.strip("\n")]
            start = node.end_lineno or node.lineno
    return [*pieces, "\n".join(rows[start:])]


def _checked(items: list[Any]) -> Iterator[Submitted]:
    for item in items:
        if not isinstance(item, dict):
            continue
        metadata = _dictionary(item.get("metadata"))
        nbgrader = _dictionary(metadata.get("nbgrader"))
        tags, outputs, kind = metadata.get("tags"), item.get("outputs"), item.get("cell_type")
        source = code.with_unix_lines(_joined(item.get("source", item.get("input"))))
        if kind == "heading":  # of format 3
            kind, source = "markdown", f"# {source}"
        yield Submitted(
            kind=kind if kind in ("code", "markdown", "raw") else "raw",
            source=source,
            cell_ids=tuple(
                _name(value) for value in (item.get("id"), metadata.get("id")) if isinstance(value, str)
            ),
            grade_id=_name(name) if isinstance(name := nbgrader.get("grade_id"), str) else "",
            nbgrader=nbgrader,
            tags=tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else (),
            outputs=outputs if isinstance(outputs, list) else [],
        )


def _dictionary(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _joined(source: Any) -> str:
    """Return a source, which a file may hold as one string or as lines, with or without their ends, as one string."""
    if isinstance(source, list):
        parts = [part for part in source if isinstance(part, str)]
        return ("" if any(part.endswith(("\n", "\r")) for part in parts[:-1]) else "\n").join(parts)
    return source if isinstance(source, str) else ""


def _name(text: str) -> str:
    """Return a cell's name with its letters composed, or "" if it is too long, and so slow to compose."""
    return "" if len(text) > code.MAX_NAME else unicodedata.normalize("NFC", code.with_unix_lines(text))
