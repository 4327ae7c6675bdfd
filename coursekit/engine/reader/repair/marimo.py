"""Read a notebook of marimo's: a Python file in which each cell is a decorated function that returns what it defines.

The file is cut at its decorators, and each cell is parsed by itself, so that a mistake costs only its own cell.
"""

import ast
import io
import re
import tokenize
from collections import Counter
from itertools import pairwise

from coursekit.engine.reader.repair import code
from coursekit.engine.reader.repair.submitted import SubmittedCell

APP = re.compile(r"^app[ \t]*=[ \t]*(?:marimo|mo)\.App\(", re.MULTILINE)
CELL = re.compile(
    r"^(?:@app\.(cell|function|class_definition)\b|(?:async[ \t]+)?with[ \t]+app\.(setup)\b|app\.(_unparsable_cell)\()",
    re.MULTILINE,
)
END = re.compile(r"^if[ \t]+__name__[ \t]*==", re.MULTILINE)
# Of no use outside of marimo, where it cannot be imported.
IMPORT = re.compile(r"^import marimo(?: as mo)?[ \t]*$", re.MULTILINE)
TAGS = re.compile(r"\A# Cell tags: (.*)\n?")  # marimo's own note when it converts a notebook
INDENT = "    "


def is_app(text: str) -> bool:
    """Return whether a text is a notebook of marimo's."""
    return APP.search(text) is not None and CELL.search(text) is not None


def read(text: str) -> list[SubmittedCell]:
    """Return the cells of a notebook of marimo's."""
    starts = list(CELL.finditer(text))
    closing = END.search(text, starts[-1].start())
    places = [match.start() for match in starts] + [closing.start() if closing else len(text)]
    found = []
    for match, (start, end) in zip(starts, pairwise(places), strict=True):
        kind, block = match[match.lastindex or 0], text[start:end].rstrip()
        source = _unparsable(block) if kind == "_unparsable_cell" else _source(block, kind)
        named = TAGS.match(source.lstrip("\n"))
        tags = tuple(named[1].split(", ")) if named else ()
        source = IMPORT.sub("", TAGS.sub("", source.lstrip("\n"))).strip("\n")
        if source.strip():
            found.append(SubmittedCell("code", source, tags=tags))
    for cell in found:
        become_text(cell)
    _rename_local_names(found)
    return found


def _source(block: str, kind: str) -> str:
    """Return what a person wrote in a cell: the body of its function, or the function or class itself."""
    # Above it stands a decorator or `with app.setup:` and, in a cell, the header of its function.
    rows = block.split("\n")[_rows_of_logical_lines(block, 2 if kind == "cell" else 1) :]
    if kind in ("function", "class_definition"):
        return "\n".join(rows)
    rows = [row.removeprefix(INDENT) for row in rows]
    return "\n".join(_without_return(rows) if kind == "cell" else rows)


def _rows_of_logical_lines(block: str, count: int) -> int:
    """Return the number of rows that the first `count` logical lines take; `count` if the block is not Python."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(block).readline):
            if token.type == tokenize.NEWLINE:
                count -= 1
                if not count:
                    return token.end[0]
    except (tokenize.TokenError, SyntaxError):
        pass
    return count


def _without_return(rows: list[str]) -> list[str]:
    """Return a cell's rows without the last statement, with which marimo returns the names that the cell defines."""
    for number in range(len(rows) - 1, -1, -1):
        row = rows[number]
        if row.startswith("return") and row[6:7] in ("", " ", "("):
            return rows[:number]
        if row.strip() and not row.startswith((" ", ")")):
            break
    return rows


def _unparsable(block: str) -> str:
    """Return the source of a cell that is not Python, which marimo keeps as a string."""
    tree = code.parse(block)
    call = tree.body[0] if tree is not None and tree.body else None
    if isinstance(call, ast.Expr) and isinstance(call.value, ast.Call) and call.value.args:
        text = call.value.args[0]
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            return "\n".join(row.removeprefix(INDENT) for row in text.value.split("\n"))
    return ""


def become_text(cell: SubmittedCell) -> None:
    """Make a text cell of a code cell that only shows a text, as marimo's scripts have them, too."""
    if cell.kind == "code" and (text := _shown_text(cell)) is not None:
        cell.kind = "markdown"
        cell.become(text)


def _shown_text(cell: SubmittedCell) -> str | None:
    """Return the text of a cell that is nothing but `mo.md("...")`; None for any other cell."""
    body = cell.tree.body if cell.tree is not None else []
    if len(body) != 1 or not isinstance(body[0], ast.Expr | ast.Assign):
        return None
    call = body[0].value
    if (
        not isinstance(call, ast.Call)
        or len(call.args) != 1
        or not isinstance(call.func, ast.Attribute)
        or (call.func.attr, getattr(call.func.value, "id", "")) != ("md", "mo")
    ):
        return None
    text = call.args[0]
    if isinstance(text, ast.Constant) and isinstance(text.value, str):
        return text.value.strip()
    if isinstance(text, ast.JoinedStr) and (source := ast.get_source_segment(cell.source, text)):
        return re.sub(r"\A[a-zA-Z]{1,2}(\"{3}|'{3}|\"|')|(\"{3}|'{3}|\"|')\Z", "", source).strip()
    return None


def _rename_local_names(cells: list[SubmittedCell]) -> None:
    """Rename names that begin with an underscore, which are local to a cell in marimo, where two cells share one.

    Only what functions use matters: they run when all cells have run.
    """
    local = [_local_names(cell) for cell in cells]
    shared = {name for name, count in Counter(name for names in local for name in names).items() if count > 1}
    for number, (cell, names) in enumerate(zip(cells, local, strict=True)):
        renamed = {name: f"{name}_{number}" for name in names & shared & _used_later(cell)}
        if renamed and cell.tree is not None:
            try:
                cell.become(ast.unparse(_Renaming(renamed).visit(cell.tree)))
            except RecursionError:
                continue


def _local_names(cell: SubmittedCell) -> set[str]:
    if cell.kind != "code":
        return set()
    return {name for name in code.bound(cell.tree) if name.startswith("_") and not name.startswith("__")}


def _used_later(cell: SubmittedCell) -> set[str]:
    tree = cell.tree
    functions = (
        [node for node in ast.walk(tree) if isinstance(node, code.FUNCTION_OR_CLASS | ast.Lambda)]
        if tree
        else []
    )
    return {node.id for function in functions for node in ast.walk(function) if isinstance(node, ast.Name)}


class _Renaming(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]):
        self._names = names

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Name):
            node.id = self._names.get(node.id, node.id)
        elif isinstance(node, code.FUNCTION_OR_CLASS):
            node.name = self._names.get(node.name, node.name)
        elif isinstance(node, ast.Global):
            node.names = [self._names.get(name, name) for name in node.names]
        return self.generic_visit(node)
