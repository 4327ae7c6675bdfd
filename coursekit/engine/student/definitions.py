"""What a cell defines, without what it does: for a cell that did not end, or ended its kernel."""

import ast

KEPT = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom


def define(source: str) -> None:
    """Called by the engine in place of such a cell: make its functions, classes, imports and plain numbers.

    A student who tried an answer out below it, for longer than a cell may take, still has the answer.

        define("def f(x):\\n    return x\\n\\nwhile True:\\n    f(1)")  # defines f, and ends
    """
    from IPython import get_ipython

    shell = get_ipython()
    tree = ast.parse(shell.transform_cell(source))
    tree.body = [node for node in tree.body if isinstance(node, KEPT) or _is_plain(node)]
    exec(compile(tree, "<what a cell defines>", "exec"), shell.user_ns)


def _is_plain(node: ast.stmt) -> bool:
    """Whether it gives a name to a number, a text or a lambda."""
    return isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant | ast.Lambda)
