"""Find the cells of a notebook that was saved as text: Markdown, a Python script, an app of marimo's.

jupytext reads most of these forms. Importing it takes 0.17 s and 13 MB, so a reader does that for such a form only.
"""

import re
import sys
from collections.abc import Iterator
from types import ModuleType

from coursekit.engine.reader.repair import code, marimo, scripts
from coursekit.engine.reader.repair.submitted import SubmittedCell, checked

FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[ \t]*(.*)$")
# What stands after a fence above Python code: ```python, ```{python}, ```{.python}, ```{code-cell} ipython3, ```py
PYTHON = re.compile(r"^(?:\{?\.?(?:python|ipython|py)\d?(?:$|[\s,}{])|\{code(?:-cell)?\})", re.IGNORECASE)
QUARTO = re.compile(r"^```+[ \t]*\{python\b", re.MULTILINE)
MYST = re.compile(r"^```+[ \t]*\{code(?:-cell)?\}", re.MULTILINE)
BETWEEN = "<!---->"  # between two text cells of marimo's
DIV = re.compile(r"^:::+[^\n]*\n?", re.MULTILINE)  # Quarto's, around what belongs together
# The first line of a cell of VS Code, Spyder, PyCharm, Kaggle and jupytext, but not a cell magic; of an old IPython.
PERCENT = re.compile(r"^[ \t]*#[ \t]?(?:%%+(?:[ \t].*)?|<codecell>[ \t]*)$", re.MULTILINE)
# The same above a text, as PyCharm and an old IPython have it.
PERCENT_TEXT = re.compile(r"^#[ \t]?(?:%%[ \t]*md|<markdowncell>)[ \t]*$", re.MULTILINE)
LIGHT = re.compile(r"^# \+(?:[ \t]*$|[ \t]+(?:\{|\[|\w+=))", re.MULTILINE)
SPHINX = re.compile(r"^# ?#{19,}[ \t]*$", re.MULTILINE)
# By the kind of file, the line with which a cell below ends or begins, and the rest.
BEGINNING = {
    "py": re.compile(r"^(?P<rest>[ \t]*# ?(?:%%|\+|-$|#{19}))", re.MULTILINE),
    "md": re.compile(r"^[`~]{3,}[ \t]*$(?P<rest>)", re.MULTILINE),
    "Rmd": re.compile(r"^[`~]{3,}[ \t]*$(?P<rest>)", re.MULTILINE),
}
HEADER = re.compile(r"\A(?:#!.*\n)?(# |)---\n(?:\1.*\n){0,200}?\1---\n")


# jupytext would import them for Jupyter's server, and jsonschema to check addresses and times: 1.3 s for nothing.
UNNEEDED = ("tornado", "jupyter_client", "rfc3987_syntax", "isoduration")


def read_text(text: str) -> tuple[str, list[SubmittedCell]] | None:
    """Return what a text is, and the cells that it holds; None if it is no notebook and no Python file."""
    if marimo.is_app(text):
        return "a marimo notebook", marimo.read(text)
    if text.startswith(scripts.DATABRICKS):
        return "a source file of Databricks", list(scripts.read_databricks(text))
    if text.startswith(scripts.FABRIC):
        return "a source file of Fabric", list(scripts.read_fabric(text))
    if _is_markdown(text):
        return _read_markdown(text)
    if (header := HEADER.match(text)) and "jupytext:" in header[0]:
        return "a Python script", _read_script(text, "py")
    if scripts.PROMPT.search(text):
        return "a Python script", list(scripts.read_jupyter(text))
    text = PERCENT_TEXT.sub("# %% [markdown]", text)
    for sign, form in ((PERCENT, "py:percent"), (LIGHT, "py:light"), (SPHINX, "py:sphinx")):
        if sign.search(text):
            return "a Python script", _read_script(text, form)
    if code.defined_names(text):
        return "a Python script", list(scripts.read_plain(text))
    return None


def _is_markdown(text: str) -> bool:
    """Return whether a text defines functions between fences, and none outside, unlike a script with texts in it."""
    inside: list[str] = []
    outside: list[str] = []
    for line, fence, opening in _lines(text):
        if not fence:
            (inside if opening else outside).append(line)
    return bool(code.defined_names("\n".join(inside))) and not code.defined_names("\n".join(outside))


def _lines(text: str) -> Iterator[tuple[str, bool, re.Match[str] | None]]:
    """Yield each line of a Markdown text, whether it is a fence, and the fence that opens the block that it is in."""
    opening: re.Match[str] | None = None
    for line in text.split("\n"):
        fence = FENCE.match(line)
        if opening is None and fence is not None:
            opening = fence
            yield line, True, opening
        elif (
            opening is not None
            and fence is not None
            and fence[1].startswith(opening[1])
            and not fence[2].strip()
        ):
            yield line, True, opening
            opening = None
        else:
            yield line, False, opening


def _read_markdown(text: str) -> tuple[str, list[SubmittedCell]]:
    if MYST.search(text):
        return "a MyST Markdown file", _by_jupytext(text, "md:myst")
    if QUARTO.search(text):
        return "a Quarto or R Markdown file", _by_jupytext(DIV.sub("", text), "Rmd")
    return "a Markdown file", _by_jupytext(_with_plain_fences(text), "md")


def _with_plain_fences(text: str) -> str:
    """Return a Markdown text with the fences around Python code as jupytext knows them.

    If no function is between fences that name Python, those that name nothing count as well.
    """
    named = [line for line, _, opening in _lines(text) if opening and PYTHON.match(opening[2])]
    unnamed_too = not code.defined_names("\n".join(named))
    rows = []
    closes = False
    for line, fence, opening in _lines(text):
        if fence and opening and (PYTHON.match(opening[2]) or unnamed_too and not opening[2].strip()):
            marks = "`" * len(opening[1])
            line = marks if closes else f"{marks}python"
            closes = not closes
        rows.append(line if line != BETWEEN else "")
    return "\n".join(rows)


def _read_script(text: str, form: str) -> list[SubmittedCell]:
    """Return the cells of a script by jupytext; strings that nothing uses, which some programs write, are texts."""
    cells: list[SubmittedCell] = []
    for cell in _by_jupytext(text, form):
        if cell.kind == "code" and not cell.grade_id:
            marimo.become_text(cell)
        cells += scripts.read_plain(cell.source) if cell.kind == "code" and not cell.grade_id else [cell]
    return cells


def _by_jupytext(text: str, form: str) -> list[SubmittedCell]:
    """Return the cells that jupytext finds.

    It passes over the beginning of a cell that seems to be inside a string. A cell that is not Python may hold a string
    without an end, and the cells below it: it is cut at the first beginning in it, and the rest is read again.
    """
    cells: list[SubmittedCell] = []
    waiting = _read_once(text, form)
    while waiting:
        cell = waiting.pop(0)
        cells.append(cell)
        if cell.kind != "code" or cell.tree is not None:
            continue
        if beginning := BEGINNING[form.partition(":")[0]].search(cell.source):
            below = cell.source[beginning.start("rest") :]
            cell.become(cell.source[: beginning.start()].rstrip())
            waiting = _read_once(below, form) + waiting
    return cells


def _read_once(text: str, form: str) -> list[SubmittedCell]:
    """Return the cells that jupytext finds, at the second try without the header, which may be malformed."""
    header = HEADER.match(text)
    for attempt in (text, text[header.end() :] if header else ""):
        try:
            notebook = _jupytext().reads(attempt, form)
        except (MemoryError, RecursionError):
            raise
        except Exception:  # whatever the library and its parsers raise for a text that they do not expect
            continue
        cells = list(checked([{**cell, "id": None} for cell in notebook.cells]))  # it makes up ids
        for cell in cells:
            cell.become(cell.source.strip("\n"))
        if cells and cells[0].kind == "raw" and header:
            del cells[0]  # the header
        return [cell for cell in cells if cell.source]
    return [SubmittedCell("code", text)]


def _jupytext() -> ModuleType:
    """Import jupytext, without what it needs for another purpose."""
    absent = [name for name in UNNEEDED if name not in sys.modules]
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]  # importing such a module fails
    try:
        import jupytext
    finally:
        for name in absent:
            del sys.modules[name]
    return jupytext  # type: ignore[no-any-return]  # it has no types
