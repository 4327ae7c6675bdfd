"""Helpers that a student wrote further down than the answer that uses them.

In the student's session they were run first; in the order of the notebook they would come too late. Their
definitions alone are run before the answer; where they stand nothing changes.
"""

import ast
import builtins
from collections.abc import Iterable

DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom


def definitions_for(source: str, known: Iterable[str], later: Iterable[str]) -> tuple[list[str], str]:
    """What an answer needs of later cells, and those of the needs' own needs.

    Args:
        source: the answer, with all that runs before its tests.
        known: names that are defined by then.
        later: cells that come too late, in order.

    Returns:
        (names, source): the names that were missing and found, sorted, and the code that defines them.

    >>> definitions_for("def f(x): return g(x)", [], ["g(1)", "def g(x): return x + ONE", "ONE = 1"])
    (['ONE', 'g'], 'def g(x): return x + ONE\\nONE = 1')
    """
    known = {*known, *dir(builtins)}
    found: dict[tuple[int, int], str] = {}
    names: set[str] = set()
    candidates = [
        ((place, node.lineno), node, text)
        for place, text in enumerate(later)
        for node in _body(text)
        if _only_defines(node)
    ]
    missing = _missing(_body(source)) - known
    while missing:
        taken = {}
        for place, node, text in candidates:  # of several definitions the last one counts, as in a session
            for name in _defines(node) & missing:
                taken[name] = (place, node, text)
        names |= set(taken)
        missing = set()
        for place, node, text in taken.values():
            found[place] = _text(node, text)
            missing |= _missing([node]) - known - names
    return sorted(names), "\n".join(found[place] for place in sorted(found))


def _body(source: str) -> list[ast.stmt]:
    try:
        return ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _missing(body: list[ast.stmt]) -> set[str]:
    """Names that code reads and defines nowhere itself."""
    read, written = set(), set()
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                (read if isinstance(node.ctx, ast.Load) else written).add(node.id)
            elif isinstance(node, ast.arg):
                written.add(node.arg)
            elif isinstance(node, DEFINITIONS):
                written |= _defines(node)
    return read - written


def _defines(node: ast.stmt) -> set[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return {node.name}
        case ast.Import() | ast.ImportFrom():
            return {alias.asname or alias.name.split(".")[0] for alias in node.names}
        case ast.Assign():
            return {target.id for target in node.targets if isinstance(target, ast.Name)}
    return set()


def _only_defines(node: ast.stmt) -> bool:
    """Whether running a statement once more, and earlier, does nothing but give a name its meaning."""
    return isinstance(node, DEFINITIONS) or _is_value(node)


def _is_value(node: ast.stmt) -> bool:
    """NAME = a lambda, or a value that calls nothing."""
    if not isinstance(node, ast.Assign) or not all(isinstance(item, ast.Name) for item in node.targets):
        return False
    value = node.value
    return isinstance(value, ast.Lambda) or not any(isinstance(part, ast.Call) for part in ast.walk(value))


def _text(node: ast.stmt, text: str) -> str:
    lines = [node.lineno, *(item.lineno for item in getattr(node, "decorator_list", []))]
    return "\n".join(text.split("\n")[min(lines) - 1 : node.end_lineno])
