"""A test cell, made ready for the examiner once, however many submissions it will judge."""

import ast
import marshal
from dataclasses import dataclass
from functools import lru_cache

from coursekit.errors import CourseError
from coursekit.syntax import ONE_AT_A_TIME


@dataclass(frozen=True)
class Program:
    """What the examiner needs of a test cell. Made by `compile_test`, in the engine; travels to the examiner."""

    names: list[str]  # the student's names that it uses, sorted
    # Name and source of each function that runs beside the student's code, and the student's names that it uses.
    probes: list[tuple[str, str, list[str]]]
    code: bytes  # the rest, compiled and marshalled


@lru_cache(maxsize=1000)
def compile_test(source: str, names: tuple[str, ...]) -> Program:
    """Take a test cell apart.

    Args:
        source: the cell.
        names: what the master's solution cells define.

    Raises:
        CourseError: it is not Python.

    >>> program = compile_test("def probe_twice(x):\\n    return f(f(x))\\nassert probe_twice(2) == f(4)", ("f", "g"))
    >>> program.names, program.probes
    (['f'], [('probe_twice', 'def probe_twice(x):\\n    return f(f(x))', ['f'])])
    """
    try:
        with ONE_AT_A_TIME:
            tree = ast.parse(source)
            probes = [node for node in tree.body if is_probe(node)]
            tree.body = [node for node in tree.body if not is_probe(node)]
            code = compile(tree, "<test>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line = source.partition("\n")[0]
        raise CourseError(
            f"The test cell that begins with {line!r} is not Python: {error}. Mend it in the source."
        ) from error
    return Program(
        _used(tree, names),
        [(probe.name, ast.get_source_segment(source, probe), _used(probe, names)) for probe in probes],
        marshal.dumps(code),
    )


def _used(tree: ast.AST, names: tuple[str, ...]) -> list[str]:
    """Those of the names that occur in code, sorted."""
    return sorted({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} & set(names))


def is_probe(node: ast.stmt) -> bool:
    """Whether a statement of a test cell is a function that must run beside the student's code."""
    return isinstance(node, ast.FunctionDef) and node.name.startswith("probe_")
