"""The student's cells and their outputs for a page: text, PNG pictures, and a note for everything left out."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from coursekit.deliver.feedback.png import read_png
from coursekit.deliver.pictures import Picture, pictures_of
from coursekit.deliver.text import is_blank, short_traceback, shorten, terminal_text
from coursekit.engine.shared.master import GIVEN, HIDDEN_BEGIN, SOLUTION_CELL, WRITTEN, Master

# Limits of one page. The answers to the questions are always shown; the page's budget is for the rest: outputs and
# the student's own cells.
ANSWER_CHARACTERS = 20_000
OUTPUT_CHARACTERS = 10_000
PAGE_CHARACTERS = 300_000
PAGE_PICTURE_BYTES = 2_000_000
PAGE_BLOCKS = 400
# Of pictures that the student handed in; a photo has 0.3 MB after the engine made it small.
HANDED_IN_BYTES = 12_000_000

Cells = dict[str, list[tuple[str, NotebookNode]]]  # {question id: [(kind, cell)]}


@dataclass
class Block:
    """One thing that a cell shows: text, a picture, or a note that something is left out."""

    label: str = ""
    text: str = ""
    left_out: int = 0  # characters between text and tail
    tail: str = ""
    picture: str = ""  # a data: address
    name: str = ""  # of a picture that the student handed in
    note: str = ""

    @classmethod
    def of_text(cls, text: str, limit: int, label: str = "") -> "Block":
        """Return a block with at most `limit` characters of the text."""
        return cls(label, *shorten(text, limit))


@dataclass
class CellView:
    """The page's view of a cell; its kind is "answer", "written", "own" or "given"."""

    kind: str
    code: Block | None
    blocks: list[Block]


@dataclass
class PageBudget:
    """How much the page can still hold of outputs and of the student's own cells."""

    characters: int = PAGE_CHARACTERS
    picture_bytes: int = PAGE_PICTURE_BYTES
    blocks: int = PAGE_BLOCKS
    handed_in_bytes: int = HANDED_IN_BYTES

    def text(self, label: str, text: str, limit: int = OUTPUT_CHARACTERS) -> Block:
        """Return a block of at most `limit` characters, and of no more than the page can still hold."""
        block = Block.of_text(text, min(limit, self.characters), label)
        self.characters -= len(block.text) + len(block.tail)
        return block

    def picture(self, data: bytes) -> Block:
        """Return a block with this PNG, or one that says that it is left out."""
        if len(data) > self.picture_bytes:
            return Block(note="A picture is left out here: the page cannot hold more pictures.")
        self.picture_bytes -= len(data)
        return Block(picture=Picture("", "image/png", data).url)

    def handed_in(self, picture: Picture) -> Block:
        """Return a block with a picture that the student handed in, or one that says that it is left out."""
        if len(picture.data) > self.handed_in_bytes:
            return Block(note=f"The picture {picture.name} is left out here: the page cannot hold more.")
        self.handed_in_bytes -= len(picture.data)
        return Block(picture=picture.url, name=picture.name)


def read_notebook(path: Path, digest: str | None) -> NotebookNode | None:
    """Return the graded notebook; None if it is missing or unreadable, or `digest` is not its hash."""
    try:
        data = path.read_bytes()
        if digest is not None and hashlib.sha256(data).hexdigest() != digest:
            return None
        notebook: NotebookNode = nbformat.reads(data.decode("utf-8"), as_version=4)
        return notebook
    except Exception:  # nbformat raises many types of error, and none may cost a student the page
        return None


def cells_by_question(master: Master, notebook: NotebookNode | None) -> Cells:
    """Return the notebook's cells, in order, by question: its answer and what follows; "" for those before all answers.

    Cells with the metadata of a test are left out, with their outputs, and so is every cell with the marker of
    hidden tests, whatever its metadata say.
    """
    answers = {cell.grade_id: cell for cell in master.cells if cell.role in (SOLUTION_CELL, WRITTEN)}
    given_sources = {cell.source for cell in master.cells if cell.role == GIVEN}
    question = ""
    cells: Cells = {}
    for node in notebook.cells if notebook is not None else ():
        metadata = node.metadata.get("nbgrader")
        metadata = metadata if isinstance(metadata, dict) else {}
        source = node.source if isinstance(node.source, str) else ""
        if HIDDEN_BEGIN in source or (metadata.get("grade") and not metadata.get("solution")):
            continue
        answer = answers.pop(str(metadata.get("grade_id")), None) if metadata.get("solution") else None
        if answer is not None:
            question, kind = answer.grade_id, "written" if answer.role == WRITTEN else "answer"
        else:
            kind = "given" if source in given_sources else "own"
        cells.setdefault(question, []).append((kind, node))
    return cells


def cell_views(cells: Cells, question: str, budget: PageBudget) -> list[CellView]:
    """Return the page's views of a question's cells."""
    views = (_cell_view(kind, node, budget) for kind, node in cells.get(question, ()))
    return [view for view in views if view is not None]


def _cell_view(kind: str, node: NotebookNode, budget: PageBudget) -> CellView | None:
    if node.cell_type == "code":
        blocks = list(_blocks(node, budget))
    else:
        blocks = [budget.handed_in(picture) for picture in pictures_of(node)] if kind != "given" else []
    if kind == "given":  # students know the course's own code; its output is new to them
        return CellView(kind, None, blocks) if blocks else None
    source = node.source if isinstance(node.source, str) else ""
    if kind in ("answer", "written"):
        return CellView(kind, Block.of_text(source, ANSWER_CHARACTERS), blocks)
    if (is_blank(source) and not blocks) or budget.blocks <= 0:
        return None
    budget.blocks -= 1
    return CellView(kind, budget.text("", source, ANSWER_CHARACTERS), blocks)


def _blocks(node: NotebookNode, budget: PageBudget) -> Iterator[Block]:
    """Yield a code cell's outputs as blocks."""
    for label, content in _contents(node.get("outputs", [])):
        if budget.blocks <= 0 or (not isinstance(content, bytes) and budget.characters <= 0):
            yield Block(note="More output is left out here: the page cannot hold more.")
            return
        budget.blocks -= 1
        if content is None:
            yield Block(note="An output is left out here: this page shows only text and PNG pictures.")
        elif isinstance(content, bytes):
            yield budget.picture(content)
        elif text := terminal_text(content).rstrip("\n"):
            yield budget.text(label, text)


def _contents(outputs: object) -> Iterator[tuple[str, str | bytes | None]]:
    """Yield (label, content) of each output: text, a PNG, or None for other data. Neighbours on a stream are joined."""
    dicts = [output for output in outputs if isinstance(output, dict)] if isinstance(outputs, list) else []
    for stream, group in groupby(dicts, _stream):
        if stream:
            yield stream, "".join(_text(output.get("text")) for output in group)
            continue
        for output in group:
            data = output.get("data")
            data = data if isinstance(data, dict) else {}
            if output.get("output_type") == "error":
                trace = output.get("traceback")
                lines = _text(trace, "\n") if isinstance(trace, list) else ""
                yield "Error", short_traceback(lines) or error_line(output)
            elif (picture := read_png(data.get("image/png"))) is not None:
                yield "", picture
            elif "text/plain" in data:
                yield "Output", _text(data["text/plain"])
            elif data:
                yield "", None


def _stream(output: dict[str, Any]) -> str:
    """Return the label of a stream's output; "" for other outputs."""
    if output.get("output_type") != "stream":
        return ""
    return "Warnings and errors" if output.get("name") == "stderr" else "Output"


def error_line(output: dict[str, Any]) -> str:
    """Return an error output's last line: the exception's name and message."""
    return f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}"


def _text(value: object, separator: str = "") -> str:
    """Return the text of nbformat's multi-line string, a string or a list of them; "" for anything else."""
    if isinstance(value, list):
        return separator.join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""
