"""What a piece of Python says, whatever it looks like.

Two statements have one fingerprint when they differ in layout, comments, quotes or the names of their variables only,
or in whether the value is returned, assigned or passed on:

    >>> one, other = "return x / np.sum(x, axis=-1)", "p = (scores /\\n     np.sum(scores,axis = -1))  # done"
    >>> {found.print for found in prints(one)} == {found.print for found in prints(other)}
    True
"""

import ast
import builtins
import itertools
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

MIN_NODES = 5  # of a syntax tree: `x + x` is everybody's
MAX_LINES = 12  # of one statement in a text that is not Python as a whole
MAX_LINE = 5000  # characters
# Names that say what is done, and so are kept.
KEPT = frozenset(dir(builtins)) | {
    "np",
    "numpy",
    "torch",
    "nn",
    "F",
    "functional",
    "math",
    "plt",
    "sns",
    "re",
}
FENCE = re.compile(r"^[ \t]*(?:```|~~~).*$", re.MULTILINE)
MAGIC = re.compile(r"^[ \t]*[%!].*$", re.MULTILINE)
LEADING = re.compile(r"^(?:[ \t]|#|>|[-*+] |\d+[.)] |`|\||\"|')+")


@dataclass(frozen=True)
class Print:
    """The fingerprint of a value, or of several statements together, and what it was taken of."""

    print: str
    tree: ast.AST | list[ast.stmt]

    @property
    def text(self) -> str:
        """The value as Python, or the first of the statements."""
        return ast.unparse(self.tree[0]) + " …" if isinstance(self.tree, list) else ast.unparse(self.tree)


def prints(text: str) -> Iterator[Print]:
    """The fingerprints of every statement in a text: a cell, a page, a line of prose with code in it."""
    for part in parts(text):
        yield from prints_of_part(part)


def parts(text: str) -> list[str]:
    """What is inside and between the fences of a page; a text without fences is one part."""
    return FENCE.split(text) if "```" in text or "~~~" in text else [text]


def prints_of_part(part: str) -> Iterator[Print]:
    """The fingerprints of every statement in one of `parts`."""
    tree = _tree(textwrap.dedent(MAGIC.sub("", part)))
    if tree is not None:
        yield from _of_tree(tree)
        lines = [line.partition("#")[2] for line in part.split("\n") if "#" in line]  # code in comments
    else:
        lines = part.split("\n")
    yield from _of_lines(lines)


def _of_lines(lines: list[str]) -> Iterator[Print]:
    place = 0
    while place < len(lines):
        for end in range(place + 1, min(len(lines), place + MAX_LINES) + 1):
            piece = _bare(lines[place:end])
            if (tree := _tree(piece)) is not None:
                yield from _of_tree(tree)
                place = end - 1
                break
            if piece.count("(") + piece.count("[") + piece.count("{") <= sum(
                map(piece.count, ")]}")
            ) and not (piece.endswith("\\")):
                break
        place += 1


def _bare(lines: list[str]) -> str:
    """Lines without what prose puts around code, as one statement."""
    first, *others = (line[:MAX_LINE] for line in lines)
    text = "\n".join([LEADING.sub("", first), *(LEADING.sub("", other) for other in others)])
    text = text.strip().rstrip("`|")
    if re.match(r"(?:elif|else|except|finally)\b", text):
        text = text.replace("elif", "if", 1) if text.startswith("elif") else ""
    return text + " pass" if text.endswith(":") else text


def _tree(source: str) -> ast.Module | None:
    if not source.strip():
        return None
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _of_tree(tree: ast.Module) -> Iterator[Print]:
    for node in ast.walk(tree):
        if isinstance(
            node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef
        ):  # small lines are much together
            body = [part for part in node.body if not isinstance(part, ast.Raise) and not _is_text(part)]
            if len(body) > 1:
                yield Print(_dump(body), body)
        if isinstance(node, ast.stmt):
            for value in _values(node):
                if _is_large(value):
                    yield Print(_dump(value), value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) > 8:
            yield from prints(node.value)


def _values(node: ast.stmt) -> list[ast.AST]:
    """What a statement works out: of a compound one, what is in its first line."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom):
        return []
    if isinstance(node, ast.For | ast.AsyncFor):
        return [node.iter]
    if isinstance(node, ast.If | ast.While):
        return [node.test]
    if isinstance(node, ast.With | ast.AsyncWith):
        return [item.context_expr for item in node.items]
    if isinstance(node, ast.Assert):
        return [node.test]
    if isinstance(node, ast.Raise):
        return []
    values = [getattr(node, "value", None)]
    if isinstance(node, ast.Assign):  # x[mask] = 0 says what it does on its left
        values += [target for target in node.targets if not isinstance(target, ast.Name)]
    return [value for value in values if value is not None]


def _is_large(tree: ast.AST) -> bool:
    """Whether it has at least MIN_NODES."""
    nodes = (part for part in ast.walk(tree) if not isinstance(part, ast.expr_context))
    return len([*itertools.islice(nodes, MIN_NODES)]) == MIN_NODES


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _dump(value: ast.AST | list[ast.stmt]) -> str:
    """The tree as text, its variables numbered in the order in which they come."""
    names: dict[str, str] = {}

    def plain(node: ast.AST | list | object) -> str:
        if isinstance(node, list):
            return f"[{','.join(map(plain, node))}]"
        if isinstance(node, ast.Name | ast.arg):
            name = node.id if isinstance(node, ast.Name) else node.arg
            return name if name in KEPT else names.setdefault(name, f"${len(names)}")
        if isinstance(node, ast.expr_context):
            return ""
        if isinstance(node, ast.AST):
            parts = (plain(getattr(node, field, None)) for field in node._fields)
            return f"{type(node).__name__}({','.join(parts)})"
        return " ".join(node.split()) if isinstance(node, str) else repr(node)

    return plain(value)
