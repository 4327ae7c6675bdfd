"""Checks that run no cell of a master. Each returns its problems as sentences, [] if there are none.

They look at the master's text, and at the files, modules and packages that it or course.toml names.
"""

import ast
import builtins
import difflib
import importlib
import importlib.util
import re
import sys
from collections.abc import Iterator
from contextlib import suppress

from coursekit.course.addresses import DRAWING, path_in_course
from coursekit.course.config import Course
from coursekit.engine.coordinator.compiling import compile_reference_definitions
from coursekit.engine.shared.master import TEST, Cell, Master, defined_names

TAGS = ("setup", "training", "skip-grading", "raises-exception")  # those that do something
COURSE_KEYS = ("from_scratch", "narration")


def check_outputs(master: Master) -> list[str]:
    """Return a sentence for each cell of the source that has outputs or an execution count."""
    return [
        f"cell {cell.cell_id} has outputs: clear them (nbstripout) before committing"
        for cell, node in zip(master.cells, master.notebook.cells, strict=True)
        if node.get("outputs") or node.get("execution_count")
    ]


def check_points(master: Master) -> list[str]:
    """Return a sentence for each test without points, and each question with a solution cell but no tests."""
    return [
        *(
            f"test {cell.grade_id} has no points"
            for cell in master.cells
            if cell.role == TEST and cell.points <= 0
        ),
        *(
            f"question {question.id} has no tests"
            for question in master.questions
            if not question.written and not question.tests
        ),
    ]


def check_words(master: Master) -> list[str]:
    """Return a sentence for each unknown key of `metadata.course`, and each tag that is one of TAGS with a typo."""
    problems = []
    names = ["the notebook", *(f"cell {cell.cell_id or cell.index}" for cell in master.cells)]
    for name, node in zip(names, [master.notebook, *master.notebook.cells], strict=True):
        course_metadata = node.metadata.get("course", {})
        problems += [
            f"{name} has {key!r} in its metadata under course, where there is only {' and '.join(COURSE_KEYS)}"
            for key in (course_metadata if isinstance(course_metadata, dict) else ())
            if key not in COURSE_KEYS
        ]
        problems += [
            f"{name} has the tag {tag!r}, which does nothing: did you mean {meant!r}?"
            for tag in node.metadata.get("tags", ())
            for meant in difflib.get_close_matches(str(tag), TAGS, 1, 0.75)
            if tag not in TAGS
        ]
    return problems


def check_tests(master: Master) -> list[str]:
    """Return the problems of each test, see `_check_test`, and a sentence if no cell is tagged `setup`."""
    problems = [] if master.setup else ["no cell is tagged `setup`"]
    setup = set(defined_names(master.setup_source))
    asserting = {
        node.name
        for node in _setup(master)
        if isinstance(node, ast.FunctionDef) and _can_fail(node)  # a test that calls one can fail
    }
    names_by_question = {question.id: set(question.names) for question in master.questions}
    for cell in master.cells:
        if cell.role == TEST:
            available = setup | set(compile_reference_definitions(master, cell.question).names)
            problems += [
                f"test {cell.grade_id} {problem}"
                for problem in _check_test(cell, available, asserting, names_by_question)
            ]
    return problems


def check_from_scratch(master: Master) -> list[str]:
    """Return a sentence for each name in `from_scratch` that refuses nothing, such as one with a typo."""
    return [
        f"question {question}: from_scratch lists {name}{problem}"
        for question, names in master.from_scratch.items()
        for name in names
        if (problem := _problem_with_name(name, master))
    ]


def _problem_with_name(name: str, master: Master) -> str:
    """Return the problem of a name in `from_scratch`, as the end of a sentence; "" if it has none.

    A name in a package that is not installed passes: it cannot be checked here, and no answer can use it here. But a
    package name that only the notebook gives a module (`np`), or that is nearly a module's, is a mistake.
    """
    module, _, last = name.rpartition(".")
    package = name.partition(".")[0]
    if not module:
        full_name = f"builtins.{name}" if hasattr(builtins, name) else f"module.{name}"
        return f", which has no module before its name: write {full_name}"
    if not _is_installed(package):
        imported = _names_imported(master)
        if package in imported:
            return f", but {package} is a name of this notebook alone: write {imported[package]}{name[len(package) :]}"
        known = {*sys.stdlib_module_names, *(full_name.partition(".")[0] for full_name in imported.values())}
        meant = difflib.get_close_matches(package, known, 1, 0.75)
        return f", and there is no module {package}: did you mean {meant[0]}?" if meant else ""
    with suppress(ImportError, ValueError):
        if hasattr(importlib.import_module(module), last):
            return ""
    return (
        f", which is no function or class of a module of {package}; methods of an object, such as an array's, cannot "
        "be refused"
    )


def _names_imported(master: Master) -> dict[str, str]:
    """Return {name that the setup cells import: the dotted name of the module or object in its import}."""
    imported: dict[str, str] = {}
    for node in [inner for outer in _setup(master) for inner in ast.walk(outer)]:
        if isinstance(node, ast.Import):
            imported |= {alias.asname or alias.name.partition(".")[0]: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return imported


def _setup(master: Master) -> list[ast.stmt]:
    """Return the statements of the setup cells; [] if these are not plain Python."""
    return [] if check_setup(master) else ast.parse(master.setup_source).body


def check_modules(modules: tuple[str, ...]) -> list[str]:
    """Return a sentence for each module that course.toml has the servers import and that is not installed."""
    problems = []
    for name in modules:
        if not _is_installed(name):
            problems.append(
                f"course.toml lists {name} under [kernels] modules, but no such module is installed: install it, or "
                "correct its name"
            )
    return problems


def _is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ImportError:  # of the package before its dot
        return False
    except ValueError:  # a module without a specification, such as `__main__`
        return True


def _can_fail(tree: ast.AST) -> bool:
    return any(isinstance(node, ast.Assert | ast.Raise) for node in ast.walk(tree))


def _check_test(
    cell: Cell, available: set[str], asserting: set[str], names_by_question: dict[str, set[str]]
) -> Iterator[str]:
    """Yield the problems of a test, each as the end of a sentence."""
    nodes = [*ast.walk(ast.parse(cell.source))]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    used = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    defined = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    defined |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    defined |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    defined |= {node.name for node in nodes if isinstance(node, ast.ExceptHandler) and node.name}
    if any(isinstance(node, ast.Import | ast.ImportFrom) for node in nodes):
        yield "imports something: imports belong in a setup cell"
    for name in sorted(used - defined - available - names_by_question[cell.question] - set(dir(builtins))):
        owners = [question for question, names in names_by_question.items() if name in names]
        where = f"belongs to question {owners[0]}" if owners else "is defined nowhere that the examiner knows"
        yield f"uses {name!r}, which {where}"
    if not _can_fail(nodes[0]) and not used & asserting:
        yield "asserts nothing"
    if not used & names_by_question[cell.question]:
        yield "uses nothing that the student defines"
    if not re.match(r"#\s*(?:@title\s+)?Test:\s*\S", cell.source):
        yield "does not begin with `# Test: …`, its name on the student's page"


def check_setup(master: Master) -> list[str]:
    """Return a sentence for each setup cell that is not plain Python, as the examiner needs it."""
    problems = []
    for cell in master.setup:
        try:
            ast.parse(cell.source)
        except SyntaxError as error:
            problems.append(f"cell {cell.cell_id} is not plain Python (line {error.lineno}: {error.msg})")
    return problems


def check_links(course: Course, master: Master) -> list[str]:
    """Return a sentence for each link to a missing file of this repository, or to a relative path."""
    problems = []
    base, weeks = course.repository.files(), [week.name for week in course.weeks]
    for cell in master.cells:
        if cell.kind != "markdown":
            continue
        for target in re.findall(r"\]\(([^)\s]+)\)|(?:href|src)=\"([^\"]+)\"", cell.source):
            link = "".join(target)
            if base in link:
                path = re.split(r"[?#]", link.split(base, 1)[1])[0]
                if not (course.root / path_in_course(path, weeks)).is_file():
                    problems.append(f"cell {cell.cell_id} links to {path}, which is not in the repository")
            elif match := DRAWING.fullmatch(link):
                problems.append(
                    f"cell {cell.cell_id} shows assets/drawings/{match[1]}.svg, which does not exist"
                )
            elif not re.match(r"(https?|mailto):|#|data:", link):
                problems.append(
                    f"cell {cell.cell_id} links to {link}: on Colab no other file is next to the notebook"
                )
    return problems


def check_paths(master: Master) -> list[str]:
    """Return a sentence for each cell with an absolute path that exists on one machine only."""
    return [
        f"cell {cell.cell_id or cell.index} contains a path that exists on one machine only"
        for cell in master.cells
        if re.search(r"/(home|Users|root)/\w+/", cell.source)
    ]
