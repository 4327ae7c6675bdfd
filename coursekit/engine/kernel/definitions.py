"""Run only the definitions of a cell: of one that was stopped, and of the cells before it."""

import ast
import inspect
from collections.abc import Collection
from typing import Any

from coursekit.engine.kernel.imports import IMPORTS, split_imports
from coursekit.engine.shared import cell_magics
from coursekit.engine.shared.progress import Reporter

DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | IMPORTS
LITERALS = (
    ast.Constant
    | ast.List
    | ast.Tuple
    | ast.Set
    | ast.Dict
    | ast.UnaryOp
    | ast.USub
    | ast.UAdd
    | ast.expr_context
)


def define(
    shell: Any, source: str, before: int, skip: Collection[int], reporter: Reporter | None = None
) -> None:
    """Run the definitions of a cell.

    This keeps an answer that the student tried out in the same cell for longer than a cell may take.

    Args:
        shell: IPython's, with the names of the notebook.
        source: the cell.
        before: all statements before this index are run; of the others only what `defines` accepts.
        skip: indexes of statements that are not run. Neither is a statement that awaits something.
        reporter: notes each statement that begins.

    Raises:
        Exception: of a statement before `before` that is no import.
        SyntaxError: the cell is not Python.
        MemoryError, RecursionError: of any statement, since the machine may be the cause. Other errors of definitions
            are ignored.
    """
    if reporter is not None:
        reporter.begin_cell()
    tree = ast.parse(shell.transform_cell(cell_magics.without_magic(source)))
    for index, node in enumerate(split_imports(tree).body):
        if index in skip or not (index < before or defines(node)):
            continue
        try:
            code = compile(
                ast.Module([node], []), "<what a cell defines>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            )
            if code.co_flags & inspect.CO_COROUTINE:
                continue
            if reporter is not None:
                reporter.begin_statement(node.lineno, index)
            exec(code, shell.user_ns)
        except (MemoryError, RecursionError):
            raise
        except Exception:
            if index < before and not isinstance(node, IMPORTS):
                raise


def defines(node: ast.stmt) -> bool:
    """Return whether a statement defines a function or class, imports something, or assigns a literal or a lambda.

    >>> [defines(node) for node in ast.parse("import os; x = [1, -2]; y = f(1); f(2)").body]
    [True, True, False, False]
    """
    if isinstance(node, DEFINITIONS):
        return True
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return False
    if isinstance(node.value, ast.Lambda):
        return True
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    targets_are_simple = all(
        isinstance(inner, ast.Name | LITERALS) for target in targets for inner in ast.walk(target)
    )
    return targets_are_simple and all(isinstance(inner, LITERALS) for inner in ast.walk(node.value))
