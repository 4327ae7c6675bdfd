"""What a cell defines, without the rest of what it does: for a cell that stopped, and what comes before it."""

import ast
import inspect
from collections.abc import Collection
from typing import Any

from coursekit.engine.shared.progress import Reporter

DEFINES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
PLAIN = (
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
    shell: Any, source: str, before: int, without: Collection[int], reporter: Reporter | None = None
) -> None:
    """Run a cell in part.

    A student who tried an answer out below it, for longer than a cell may take, still has the answer.

    Args:
        shell: IPython's, with the names of the notebook.
        source: the cell.
        before: all statements before this one are run; of the others functions, classes, imports and plain values.
        without: statements that are not run. One that awaits something is not, either.
        reporter: told of each statement that begins.

        define(shell, "def f(x):\\n    return x\\n\\nwhile True:\\n    f(1)", 0, ())  # defines f, and ends

    Raises:
        Exception: of a statement before `before`. What raises when it only defines something is passed over, but for
            an error that may be the machine's.
    """
    if reporter is not None:
        reporter.begin()
    for index, node in enumerate(ast.parse(shell.transform_cell(source)).body):
        if index in without or not (index < before or defines(node)):
            continue
        try:
            code = compile(
                ast.Module([node], []), "<what a cell defines>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            )
            if code.co_flags & inspect.CO_COROUTINE:
                continue
            if reporter is not None:
                reporter.statement(node.lineno, index)
            exec(code, shell.user_ns)
        except (MemoryError, RecursionError):
            raise
        except Exception:
            if index < before:
                raise


def defines(node: ast.stmt) -> bool:
    """Whether a statement does nothing but to define something, or give a name to a number, a text or the like.

    >>> [defines(node) for node in ast.parse("import os; x = [1, -2]; y = f(1); f(2)").body]
    [True, True, False, False]
    """
    if isinstance(node, DEFINES):
        return True
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return False
    if isinstance(node.value, ast.Lambda):
        return True
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    named = all(isinstance(inner, ast.Name | PLAIN) for target in targets for inner in ast.walk(target))
    return named and all(isinstance(inner, PLAIN) for inner in ast.walk(node.value))
