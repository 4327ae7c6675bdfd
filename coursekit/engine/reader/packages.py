"""Find the packages that an answer uses and that grading does not have, or has instead of a file of the student's.

Nothing is imported or run.

An answer uses a package if what it defines leads to an import of it: from a name to the statement of the student's that
binds it, to the names in there, and so on, up to the names of other questions, which are tested by themselves.
"""

import ast
import builtins
import importlib.util
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from coursekit.engine.reader.repair import DraftCell
from coursekit.engine.reader.repair.code import FUNCTION_OR_CLASS, IMPORT, MAX_PARSED, parse
from coursekit.engine.reader.repair.release import release_of
from coursekit.engine.shared import file_names
from coursekit.engine.shared.master import Master
from coursekit.engine.shared.reasons import Flag
from coursekit.engine.shared.result import Note

MAX_LOOKED_UP = 200  # packages of one submission
MAX_MODULES = 20  # files of the student's own that are read
MAX_NAMED = 5  # packages in one flag
MAX_NAME = 40  # characters of each
BUILTINS = frozenset(dir(builtins))
# Exceptions: a `try` that catches one of these may import what is missing.
CATCHES = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}
IN_KERNEL = {"google"}  # the student kernel has replacements for Colab's modules
WRITTEN_MODULE = re.compile(r"\A\s*%%(?:writefile|file)[ \t]+(?:-a[ \t]+)?(\w+)\.py\b")


@dataclass
class _Statement:
    """A statement at the margin of a student's cell.

    Attributes:
        imported: (name, package) of each import that binds a name of the notebook; the name is "*" for all of them.
        inside: packages that its functions import, but for those that the function can do without.
        bound: names that it binds in the notebook other than by an import and to a constant.
        used: names that it reads.
        local: names that its functions bind.
    """

    imported: list[tuple[str, str]] = field(default_factory=list)
    inside: set[str] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    local: set[str] = field(default_factory=set)


def missing_package_flags(
    master: Master, cells: Iterable[DraftCell], beside: Mapping[str, Callable[[], bytes]]
) -> list[Note]:
    """Return a flag for each question whose answer uses packages that grading does not have.

    Args:
        beside: {path in the notebook's folder: function that reads it} of the files that its code finds there.
    """
    cells = list(cells)
    trees = [(item.source, item.tree) for item in cells if item.run and item.tree is not None]
    packages = {
        package
        for source, tree in trees
        if "import" in source
        for node in ast.walk(tree)
        for package, _ in _imports(node)
    }
    own = set(file_names.importable_modules(beside))
    of_modules = {name: _needed_by_module(name, beside) for name in sorted(own & packages)[:MAX_MODULES]}
    own |= {match[1] for item in cells if (match := WRITTEN_MODULE.match(item.source))}
    packages = packages.union(*of_modules.values()) - own
    missing = {name for name in sorted(packages)[:MAX_LOOKED_UP] if not _exists(name)}
    if not missing:
        return []
    lacked_by = {name: {name} for name in missing} | {
        name: needed & missing for name, needed in of_modules.items() if needed & missing
    }
    statements = [_read(node) for _, tree in trees for node in tree.body]
    given = BUILTINS.union(*release_of(master).bound)
    notes = []
    for question in master.questions:
        others = set(master.solution_names) - set(question.names)
        if used := sorted(_used_by(question.names, others, statements, lacked_by, given)):
            names = ", ".join(name[:MAX_NAME] for name in used[:MAX_NAMED])
            notes.append(Note(Flag.MISSING_PACKAGE, cell=question.id, values={"packages": names}))
    return notes


def taken_name_flags(cells: Iterable[DraftCell], beside: Iterable[str]) -> list[Note]:
    """Return a flag for each module beside the notebook that the notebook imports, if another has the same name."""
    code = "\n".join(item.source for item in cells if item.kind == "code" and item.run)
    return [
        Note(Flag.MODULE_NAME_TAKEN, values={"name": name[:200]})
        for name in file_names.importable_modules(beside)
        if re.search(rf"^[ \t]*(?:import|from)[ \t].*\b{re.escape(name)}\b", code, re.MULTILINE)
        and _exists(name)
    ]


def _needed_by_module(name: str, beside: Mapping[str, Callable[[], bytes]]) -> set[str]:
    """Return the packages that a module of the student's own needs, in all of its files."""
    needed: set[str] = set()
    paths = [
        path
        for path in beside
        if path == f"{name}.py" or path.startswith(f"{name}/") and path.endswith(".py")
    ]
    for path in paths[:MAX_MODULES]:
        tree = parse(beside[path]()[: 4 * MAX_PARSED].decode("utf-8", "replace"))
        needed = needed.union(*(_read(node, in_function=True).inside for node in (tree.body if tree else ())))
    return needed


def _exists(package: str) -> bool:
    """Return whether a package is installed here, or is a module of Python's own."""
    if package in IN_KERNEL:
        return True
    try:
        return importlib.util.find_spec(package) is not None
    except (ValueError, ImportError):  # it is here, but is no ordinary package
        return True


def _used_by(
    names: Iterable[str],
    others: set[str],
    statements: list[_Statement],
    lacked_by: dict[str, set[str]],
    given: frozenset[str],
) -> set[str]:
    """Return the missing packages that the definitions of these names lead to.

    Args:
        others: names of other questions, which are not followed.
        lacked_by: {missing package, or module of the student's own: missing packages that importing it needs}.
        given: names that the notebook has without the student's cells.
    """
    binding: dict[str, list[_Statement]] = defaultdict(list)
    imported: dict[str, set[str]] = defaultdict(set)
    for statement in statements:
        for name in statement.bound:
            binding[name].append(statement)
        for name, package in statement.imported:
            imported[name].add(package)
    # Of a name that is bound in another way, too, the import can be done without.
    lacking = {
        name: set().union(*map(lacked_by.__getitem__, packages))
        for name, packages in imported.items()
        if packages <= lacked_by.keys() and name not in binding
    }
    from_stars = lacking.pop("*", set())
    used: set[str] = set()
    waiting, seen = list(names), set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        used |= lacking.get(name, set())
        for statement in binding.pop(name, ()):
            used = used.union(*map(lacked_by.__getitem__, statement.inside & lacked_by.keys()))
            read = statement.used - statement.local
            waiting += read - others
            if from_stars and not read <= given | binding.keys() | imported.keys() | seen | others:
                used |= from_stars
    return used


def _imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield (package, name that is bound) for each name of an import; none for other nodes and for own modules."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            package = alias.name.partition(".")[0]
            yield package, alias.asname or package
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        for alias in node.names:
            yield node.module.partition(".")[0], alias.asname or alias.name


def _read(statement: ast.stmt, in_function: bool = False) -> _Statement:
    """Return what a statement imports, binds and uses; `in_function`: as if it stood in a function."""
    found = _Statement()
    # (node, whether it is in a function, whether it is in a `try` that catches a missing import)
    waiting = [(cast(ast.AST, statement), in_function, False)]
    while waiting:
        node, in_function, is_guarded = waiting.pop()
        if isinstance(node, IMPORT):
            for package, name in _imports(node):
                if not in_function:
                    found.imported.append((name, package))
                elif not is_guarded:
                    found.inside.add(package)
        elif isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                found.used.add(node.id)
            else:
                (found.local if in_function else found.bound).add(node.id)
        elif isinstance(node, ast.arg):
            found.local.add(node.arg)
        elif isinstance(node, ast.Assign) and not in_function and isinstance(node.value, ast.Constant):
            continue  # "numba = None" is no replacement
        if isinstance(node, FUNCTION_OR_CLASS):
            (found.local if in_function else found.bound).add(node.name)
            in_function = True
        if isinstance(node, ast.Try) and any(map(_catches_import_error, node.handlers)):
            waiting += ((child, in_function, True) for child in node.body)
            rest = (*node.handlers, *node.orelse, *node.finalbody)
        else:
            rest = tuple(ast.iter_child_nodes(node))
        waiting += ((child, in_function, is_guarded) for child in rest)
    return found


def _catches_import_error(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or isinstance(kind, ast.Name) and kind.id in CATCHES for kind in kinds)
