"""Compile each test cell for the examiner, once for all submissions."""

import ast
import marshal
import symtable
from functools import lru_cache
from typing import TypeGuard

from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import GIVEN, SOLUTION_CELL, Master, defined_names
from coursekit.engine.shared.program import (
    COMPARED_NAMES,
    HIDDEN_SEED,
    TEST_FILENAME,
    CompiledTest,
    ReferenceDefinitions,
)
from coursekit.engine.shared.syntax import PARSER_LOCK


@lru_cache(maxsize=1000)
def compile_test(source: str, names: tuple[str, ...]) -> CompiledTest:
    """Return a test cell, compiled for the examiner, with its probes as source.

    Args:
        source: of the cell.
        names: that the master's solution cells define.

    Raises:
        CourseError: it is not Python.

    >>> program = compile_test("def probe_twice(x):\\n    return f(f(x))\\nassert probe_twice(2) == f(4)", ("f", "g"))
    >>> program.names, program.probes
    (['f'], [('probe_twice', 'def probe_twice(x):\\n    return f(f(x))', ['f'])])
    """
    try:
        with PARSER_LOCK:
            tree = ast.parse(source)
            probes = [node for node in tree.body if is_probe(node)]
            tree.body = [node for node in tree.body if not is_probe(node)]
            code = compile(tree, TEST_FILENAME, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line = source.partition("\n")[0]
        raise CourseError(
            f"The test cell that begins with {line!r} is not Python: {error}. Correct it in the source."
        ) from error
    return CompiledTest(
        _used(tree, names),
        [(probe.name, ast.get_source_segment(source, probe) or "", _used(probe, names)) for probe in probes],
        marshal.dumps(code),
        _asserts(tree),
        bool(_used(tree, (HIDDEN_SEED,))),
    )


def _asserts(tree: ast.Module) -> list[tuple[int, int, str, str]]:
    """Return (first line, last line, name, name) of each assert that uses a pair of names such as `got` and `want`."""
    asserts = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            names = {inner.id for inner in ast.walk(node.test) if isinstance(inner, ast.Name)}
            lines = node.lineno, node.end_lineno or node.lineno
            asserts += [(*lines, *pair) for pair in COMPARED_NAMES if names.issuperset(pair)]
    return asserts


@lru_cache(maxsize=100)
def compile_reference_definitions(master: Master, question: str) -> ReferenceDefinitions:
    """Return the reference definitions of a question.

    They are the functions, classes, imports and assignments above it on which its answer in the master depends. Other
    statements, which train or draw, are left out, and so are setup cells, which the examiner runs.
    """
    cells = [cell for cell in master.cells if cell.kind == "code" and cell.role in (GIVEN, SOLUTION_CELL)]
    (position,) = (index for index, cell in enumerate(cells) if cell.grade_id == question)
    earlier = {
        name for cell in cells[:position] if cell.role == SOLUTION_CELL for name in defined_names(cell.source)
    }
    with PARSER_LOCK:
        used = _used(ast.parse(cells[position].source), tuple(earlier))
        if not used:
            return ReferenceDefinitions([], b"")
        above = [
            node for cell in cells[:position] if cell not in master.setup for node in _statements(cell.source)
        ]
        definitions = [(node, _defines(node)) for node in above]
        names = [name for name in used if any(name in defined for _, defined in definitions)]
        needed, kept = set(names), set()
        while added := [node for node, defined in definitions if defined & needed and node not in kept]:
            kept.update(added)
            for node in added:
                needed |= _globals(symtable.symtable(ast.unparse(node), "<reference>", "exec"))
        tree = ast.Module([node for node in above if node in kept], [])
        return ReferenceDefinitions(
            names, marshal.dumps(compile(tree, "<reference>", "exec", dont_inherit=True))
        )


def _statements(source: str) -> list[ast.stmt]:
    """Return the statements of a cell; none if it is not Python, since a given cell may hold a magic."""
    try:
        return ast.parse(source).body
    except SyntaxError:
        return []


def _defines(node: ast.stmt) -> set[str]:
    """Return the names that a function, class, import or assignment defines; none of other statements."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.split(".")[0] for alias in node.names}
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if node.value else []
        nodes = (node for target in targets for node in ast.walk(target))
        return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return set()


def _globals(table: symtable.SymbolTable) -> set[str]:
    """Return the global names that code uses, when it runs or when its functions are called."""
    names = {
        symbol.get_name() for symbol in table.get_symbols() if symbol.is_global() and symbol.is_referenced()
    }
    return names.union(*map(_globals, table.get_children()))


def _used(tree: ast.AST, names: tuple[str, ...]) -> list[str]:
    """Return those of the names that occur in code, sorted."""
    return sorted({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} & set(names))


def is_probe(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    """Return whether a statement of a test cell is a probe, which runs in the student kernel."""
    return isinstance(node, ast.FunctionDef) and node.name.startswith("probe_")
