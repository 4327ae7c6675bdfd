"""Parse cells as Python: find the names that they define, and compare them as programs. Nothing is run."""

import ast
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from coursekit.engine.shared import cell_magics
from coursekit.engine.shared.syntax import PARSER_LOCK

MAX_PARSED = 200_000  # characters; no cell that is written by hand is as large
MAX_NAME = 200  # characters of an identifier or of a cell's id
FUNCTION_OR_CLASS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
IMPORT = ast.Import | ast.ImportFrom

DEFINITION = re.compile(
    r"^(?:(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*[(\[]|class[ \t]+(\w+)[ \t]*[:(\[])", re.MULTILINE
)
ASSIGNMENT = re.compile(r"^(?:type[ \t]+)?(\w++)(?:\[.*\])?[ \t]*(?::[^=\n]*)?=(?!=)", re.MULTILINE)
# A line for IPython and not for Python: %matplotlib inline, !pip install x, ?help; files = !ls; help?.
MAGIC = re.compile(r"^([ \t]*+)[%!?].*$", re.MULTILINE)
ASSIGNED = re.compile(r"^([ \t]*+[A-Za-z_]\w*+[ \t]*+=[ \t]*+)[%!].*$", re.MULTILINE)
HELP = re.compile(r"^([ \t]*+)[\w.%]++\?{1,2}[ \t]*$", re.MULTILINE)

# Characters of word processors, web pages and chat programs, and those of a keyboard that take their place.
PLAIN = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"')
    | dict.fromkeys(
        "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
        " ",
    )
    | dict.fromkeys("\u2028\u2029\u0085\u000b", "\n")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | dict.fromkeys("\u0000\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufeff")
    | {"\u2026": "..."}
)


@cache
def _many_accents() -> re.Pattern[str]:
    """Return a pattern for a hundred accents on one letter: for twice as many, Python takes four times as long."""
    numbers = {number for number in range(0x300, 0x1F000) if unicodedata.combining(chr(number))}
    starts = sorted(number for number in numbers if number - 1 not in numbers)
    ends = sorted(number for number in numbers if number + 1 not in numbers)
    ranges = "".join(f"{chr(start)}-{chr(end)}" for start, end in zip(starts, ends, strict=True))
    return re.compile(f"[{ranges}]{{100,}}")


def without_many_accents(source: str) -> str:
    """Return the source without the accents of letters that carry a hundred or more."""
    return source if source.isascii() else _many_accents().sub("", source)


def single_spaced(source: str) -> str:
    """Return a source with single spaces as its only whitespace, by which cells are compared."""
    return " ".join(source.split())


def parse(source: str) -> ast.Module | None:
    """Return the syntax tree of a cell, with `pass` for IPython's own lines; None if it is too long or not Python."""
    return next(filter(None, map(_tree, python_of(source))), None)


def python_of(source: str) -> Iterator[str]:
    """Yield the texts that a cell may be as Python: as it is, and with `pass` for IPython's own lines.

    Of a cell in another language, such as `%%bash`, that is `pass` alone.
    """
    if is_other_language(source):
        yield "pass"
        return
    yield source
    if "%" in source or "!" in source or "?" in source:
        plain = ASSIGNED.sub(r"\1None", MAGIC.sub(r"\1pass", source))
        yield plain
        yield HELP.sub(r"\1pass", plain)


def is_other_language(source: str) -> bool:
    """Return whether a cell's magic says that its lines are not run as Python in the notebook."""
    return cell_magics.first_magic(source) in cell_magics.OTHER_LANGUAGES


def _tree(source: str) -> ast.Module | None:
    if len(source) > MAX_PARSED or not source.isascii() and _many_accents().search(source):
        return None
    try:
        with PARSER_LOCK:
            tree = compile(source, "cell", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None
    assert isinstance(tree, ast.Module)
    return tree


def dump(node: ast.AST) -> str:
    """Return a syntax tree as text, without comments and layout; "" if nested too deeply. The tree caches it."""
    dumped: str | None = getattr(node, "dumped", None)
    if dumped is None:
        try:
            dumped = ast.dump(node)
        except RecursionError:
            dumped = ""
        node.dumped = dumped  # type: ignore[attr-defined]  # a syntax tree takes attributes that it does not know
    return dumped


def same_tree(one: ast.AST, other: ast.AST) -> bool:
    """Return whether two syntax trees are equal; the comparison ends at the first difference."""
    pairs: list[tuple[Any, Any]] = [(one, other)]
    while pairs:
        first, second = pairs.pop()
        if type(first) is not type(second):
            return False
        if isinstance(first, ast.AST):
            pairs += ((getattr(first, name, None), getattr(second, name, None)) for name in first._fields)
        elif isinstance(first, list):
            if len(first) != len(second):
                return False
            pairs += zip(first, second, strict=True)
        elif first != second:
            return False
    return True


def same_code(one: str, other: str) -> bool:
    """Return whether two cells are the same program apart from comments and layout."""
    if single_spaced(one) == single_spaced(other):
        return True
    first, second = _tree(one), _tree(other)
    return first is not None and second is not None and same_tree(first, second)


def defined_names(source: str) -> set[str]:
    """Return the names of functions and classes defined at a cell's left margin, even if it has a syntax error."""
    if is_other_language(source):
        return set()
    names = {name for pair in DEFINITION.findall(source) for name in pair if 0 < len(name) <= MAX_NAME}
    return names if all(map(str.isascii, names)) else {unicodedata.normalize("NFKC", name) for name in names}


def names_at_margin(source: str) -> set[str]:
    """Return the names that a cell defines or assigns at its left margin, even if it has a syntax error."""
    assigned = ASSIGNMENT.findall(source) if not is_other_language(source) else ()
    return defined_names(source) | {name for name in assigned if len(name) <= MAX_NAME}


def definitions(tree: ast.Module | None) -> dict[str, ast.stmt]:
    """Return {name: statement} of a cell's functions, classes and aliases (`f = g`)."""
    statements: dict[str, ast.stmt] = {}
    for node in tree.body if tree is not None else ():
        if isinstance(node, FUNCTION_OR_CLASS):
            statements[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Name | ast.Attribute | ast.Lambda):
            statements |= {target.id: node for target in node.targets if isinstance(target, ast.Name)}
    return statements


def helpers(tree: ast.Module | None) -> set[str]:
    """Return the names of a cell's functions, classes and imports, which code elsewhere may need."""
    names = set()
    for node in tree.body if tree is not None else ():
        if isinstance(node, FUNCTION_OR_CLASS):
            names.add(node.name)
        elif isinstance(node, IMPORT):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    return names


def bound(tree: ast.Module | None) -> set[str]:
    """Return the names of a cell's functions, classes and imports, and all names that it assigns."""
    names = helpers(tree)
    for node in _walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


def used(tree: ast.Module | None) -> set[str]:
    """Return every name that a cell reads."""
    return {node.id for node in _walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def parameters(tree: ast.Module | None) -> set[str]:
    """Return the names of the parameters of all functions in a cell."""
    return {node.arg for node in _walk(tree) if isinstance(node, ast.arg)}


def _walk(tree: ast.Module | None) -> Iterable[ast.AST]:
    return ast.walk(tree) if tree is not None else ()


def fenced(source: str) -> str:
    """Return the lines between the fences of a Markdown text."""
    inside, kept = False, []
    for line in source.split("\n"):
        if line.lstrip().startswith("```"):
            inside = not inside
        elif inside:
            kept.append(line)
    return "\n".join(kept)


def in_plain_characters(source: str) -> str | None:
    """Return the source with plain quotes and spaces and without fences; None if that does not make it Python."""
    if len(source) > MAX_PARSED:
        return None
    plain = source.translate(PLAIN)
    if plain.lstrip().startswith("```"):
        plain = fenced(plain)
    for attempt in (plain, plain.expandtabs(4), plain.expandtabs(8)):
        if attempt != source and attempt.strip() and parse(attempt) is not None:
            return attempt
    return None


def with_unix_lines(source: str) -> str:
    """Return the source with Unix line ends, and with lone surrogates replaced, so that UTF-8 can encode it."""
    return source.encode("utf-8", "replace").decode().replace("\r\n", "\n").replace("\r", "\n")
