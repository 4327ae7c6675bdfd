"""An import that fails does not end its cell: the grader may lack a package that the student had and never used."""

import ast
import sys
from types import TracebackType

IMPORTS = ast.Import | ast.ImportFrom
CONTEXT_NAME = "__tolerate_failed_import__"  # of `TolerateFailedImport()`, among Python's builtins
_CONTINUED = "This import failed while the notebook was graded. The rest of the cell was run."


def split_imports(tree: ast.Module) -> ast.Module:
    """Return the tree with one name per import statement, so that one that is missing takes no other with it.

    >>> ast.unparse(split_imports(ast.parse("import os, numba as nb; from math import (pi, tau)")))
    'import os\\nimport numba as nb\\nfrom math import pi\\nfrom math import tau'
    """
    tree.body = [part for node in tree.body for part in _one_name_each(node)]
    return tree


def tolerate_failed_imports(tree: ast.Module) -> ast.Module:
    """Return the tree of a cell in which an import that fails does not end the cell.

    This holds for imports at the top level of the cell and in an `if` there; elsewhere the student's own code decides
    what follows. The tree has as many statements at the top level as `split_imports` returns, since those are counted.
    """
    tree = split_imports(tree)
    tree.body = [_tolerant(node) for node in tree.body]
    return tree


class TolerateFailedImport:
    """A context for one import: if it fails, a message is printed, and the code below goes on."""

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        # An import that uses up memory or the stack may do so on this machine alone, so it ends the cell, as any other
        # statement would that does so.
        if kind is None or not issubclass(kind, Exception) or issubclass(kind, MemoryError | RecursionError):
            return False
        print(f"{kind.__name__}: {error}\n{_CONTINUED}", file=sys.stderr)
        return True


def _one_name_each(node: ast.stmt) -> list[ast.stmt]:
    if not isinstance(node, IMPORTS) or len(node.names) == 1:
        return [node]
    parts: list[ast.stmt] = []
    for name in node.names:
        if isinstance(node, ast.Import):
            parts.append(ast.copy_location(ast.Import([name]), node))
        else:
            parts.append(ast.copy_location(ast.ImportFrom(node.module, [name], node.level), node))
    return parts


def _tolerant(node: ast.stmt) -> ast.stmt:
    if isinstance(node, ast.If):
        node.body = [_tolerant(part) for inner in node.body for part in _one_name_each(inner)]
        node.orelse = [_tolerant(part) for inner in node.orelse for part in _one_name_each(inner)]
    if not isinstance(node, IMPORTS) or isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return node
    context = ast.withitem(ast.Name(CONTEXT_NAME, ast.Load()))
    return ast.fix_missing_locations(ast.copy_location(ast.With([context], [node]), node))
