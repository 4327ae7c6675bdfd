"""Read a notebook from the web page that Jupyter exports: the code as it was, texts without their Markdown.

nbconvert's pages have the ids of cells; those that it wrote before Jupyter's notebooks had ids have none.
"""

import re
from html.parser import HTMLParser

from coursekit.engine.reader.repair.submitted import SubmittedCell

# By the class of a cell's element, in nbconvert's templates "lab" and "classic": nbformat's cell_type.
KINDS = {
    "jp-CodeCell": "code",
    "jp-MarkdownCell": "markdown",
    "jp-RawCell": "raw",
    "code_cell": "code",
    "text_cell": "markdown",
}
TEXT = {"jp-RenderedMarkdown", "text_cell_render"}
BLOCKS = {"p", "li", "tr", "br", "pre", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"}
CELL_ID = "cell-id="


def read(page: str) -> list[SubmittedCell]:
    """Return the cells of a page; [] if it shows no notebook."""
    if not any(name in page for name in KINDS):
        return []
    parser = _Cells()
    parser.feed(page)
    parser.close()
    for cell, pieces in zip(parser.cells, parser.pieces, strict=True):
        source = "".join(pieces)
        cell.become(source.strip("\n") if cell.kind == "code" else re.sub(r"\n\s*\n", "\n\n", source).strip())
    return [cell for cell in parser.cells if cell.source]


class _Cells(HTMLParser):
    """Collects the text of each cell's input: of the first highlighted block of code, or of a rendered text."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[SubmittedCell] = []
        self.pieces: list[list[str]] = []  # of each cell's text
        self._open = ""  # the tag of the element that is collected
        self._depth = 0  # of elements with this tag in it
        self._skipped = ""  # the tag of the element in it that is not
        self._is_input = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        classes = set(values.get("class", "").split())
        if self._open:
            self._depth += tag == self._open
            if "anchor-link" in classes or tag in ("script", "style"):
                self._skipped = tag
            return
        if kind := next((KINDS[name] for name in KINDS if name in classes), ""):
            name = values.get("id", "")
            cell_ids = (name.removeprefix(CELL_ID),) if name.startswith(CELL_ID) else ()
            self.cells.append(SubmittedCell(kind, "", cell_ids))
            self.pieces.append([])
            self._is_input = True
        elif self._is_input and (tag == "pre" if self.cells[-1].kind != "markdown" else bool(classes & TEXT)):
            self._open, self._depth, self._is_input = tag, 1, False

    def handle_endtag(self, tag: str) -> None:
        if not self._open:
            return
        if tag == self._skipped:
            self._skipped = ""
        elif tag == self._open:
            self._depth -= 1
            if not self._depth:
                self._open = ""
        if self._open and tag in BLOCKS and self.cells[-1].kind == "markdown":
            self.pieces[-1].append("\n\n" if tag == "p" else "\n")

    def handle_data(self, data: str) -> None:
        if self._open and not self._skipped:
            self.pieces[-1].append(data)
