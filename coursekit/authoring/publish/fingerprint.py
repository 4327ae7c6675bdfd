"""Fingerprints of Python code that do not depend on how it is written.

Two statements have the same fingerprint if they differ only in layout, comments, quotes or the names of their
variables, or in whether the value is returned, assigned, tested or looped over:

    >>> one, other = "return x / np.sum(x, axis=-1)", "p = (scores /\\n     np.sum(scores,axis = -1))  # done"
    >>> fingerprints(one).keys() == fingerprints(other).keys()
    True
"""

import ast
import builtins
import itertools
import re
import textwrap
from collections.abc import Iterator
from functools import lru_cache

MIN_NODES = 5  # in the syntax tree of a value that is compared: anybody may write `x + x`
MAX_LINES = 12  # of one statement in a text that is not Python as a whole
MAX_LINE = 5000  # characters of a line that are read
# Names that a fingerprint keeps, since they say what is done.
MODULES = {"np", "numpy", "torch", "nn", "F", "functional", "math", "plt", "sns", "re"}
KEPT = MODULES.union(dir(builtins))
DEFINITIONS = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef
FENCE = re.compile(r"^[ \t]*(?:```|~~~).*$", re.MULTILINE)
MAGIC = re.compile(r"^[ \t]*[%!].*$", re.MULTILINE)
LEADING = re.compile(r"^(?:[ \t]|#|>|[-*+] |\d+[.)] |`|\||\"|')+")  # marks that prose puts before code

# A value of a statement, or several statements together.
Code = ast.AST | list[ast.stmt]


def fingerprints(text: str) -> dict[str, Code]:
    """Return {fingerprint: the code that has it} for all code in a text: a cell, a page, a line of prose."""
    pieces: dict[str, Code] = {}
    for part in FENCE.split(text):
        pieces |= _of_part(part)
    return pieces


@lru_cache(maxsize=20_000)  # `decoding` tries a text in several forms, which have most parts in common
def _of_part(part: str) -> dict[str, Code]:
    """Return the fingerprints of one part of a text, inside fences or between them."""
    tree = _parse(textwrap.dedent(MAGIC.sub("", part)))
    # All lines of a part that is not Python as a whole, but only the comments of one that is.
    lines = [line if tree is None else line.partition("#")[2] for line in part.split("\n")]
    pieces: dict[str, Code] = {}
    for program in [*([tree] if tree else []), *_statements(lines)]:
        pieces |= {_fingerprint(code): code for code in _pieces(program)}
        for node in ast.walk(program):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) > 8:
                pieces |= fingerprints(node.value)
    return pieces


def shown(code: Code) -> str:
    """Return a value as Python, or the first of several statements."""
    return ast.unparse(code[0]) + " …" if isinstance(code, list) else ast.unparse(code)


def _statements(lines: list[str]) -> Iterator[ast.Module]:
    """Yield the statements among lines, each of at most MAX_LINES."""
    start = 0
    while start < len(lines):
        for end in range(start + 1, min(len(lines), start + MAX_LINES) + 1):
            source = _without_marks(lines[start:end])
            if (tree := _parse(source)) is not None:
                yield tree
                start = end - 1
                break
            opened, closed = (sum(map(source.count, brackets)) for brackets in ("([{", ")]}"))
            if opened <= closed and not source.endswith("\\"):
                break
        start += 1


def _without_marks(lines: list[str]) -> str:
    """Return lines as one statement, without the marks that prose puts around code."""
    text = "\n".join(LEADING.sub("", line[:MAX_LINE]) for line in lines).strip().rstrip("`|")
    text = re.sub(r"^elif\b", "if", text)
    if re.match(r"(?:else|except|finally)\b", text):
        return ""
    return text + " pass" if text.endswith(":") else text


def _parse(source: str) -> ast.Module | None:
    """Return the syntax tree of a program; None if it is empty or not Python."""
    try:
        return ast.parse(source) if source.strip() else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _pieces(tree: ast.Module) -> Iterator[Code]:
    """Yield the parts of a program to compare: bodies of several statements, and larger values in statements."""
    for node in ast.walk(tree):
        if isinstance(node, DEFINITIONS):
            body = [part for part in node.body if not isinstance(part, ast.Raise) and not _is_literal(part)]
            if len(body) > 1:
                yield body
        if isinstance(node, ast.stmt | ast.withitem):
            values = [getattr(node, name, None) for name in ("value", "iter", "test", "context_expr")]
            if isinstance(node, ast.Assign):  # x[mask] = 0 says what it does on its left
                values += [target for target in node.targets if not isinstance(target, ast.Name)]
            yield from (value for value in values if value is not None and _is_large(value))


def _is_large(tree: ast.AST) -> bool:
    nodes = (part for part in ast.walk(tree) if not isinstance(part, ast.expr_context))
    return len([*itertools.islice(nodes, MIN_NODES)]) == MIN_NODES


def _is_literal(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _fingerprint(code: Code) -> str:
    """Return the tree as text, with variables numbered in the order in which they appear."""
    names: dict[str, str] = {}

    def as_text(node: object) -> str:
        if isinstance(node, list):
            return f"[{','.join(map(as_text, node))}]"
        if isinstance(node, ast.Name | ast.arg):
            name = node.id if isinstance(node, ast.Name) else node.arg
            return name if name in KEPT else names.setdefault(name, f"${len(names)}")
        if isinstance(node, ast.expr_context):
            return ""
        if isinstance(node, ast.AST):
            parts = (as_text(getattr(node, field, None)) for field in node._fields)
            return f"{type(node).__name__}({','.join(parts)})"
        return " ".join(node.split()) if isinstance(node, str) else repr(node)

    return as_text(code)
