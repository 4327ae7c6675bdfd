"""What can be seen from a master's text alone. Each check gives its problems as sentences, [] when it holds."""

import ast
import builtins
import difflib
import importlib
import importlib.util
import re
import sys

from coursekit.authoring.todo import TODO, places_to_do
from coursekit.course.addresses import path_in_course
from coursekit.course.config import Course, Week
from coursekit.engine.coordinator.compiling import compile_reference_definitions
from coursekit.engine.shared.master import SOLUTION_CELL, TEST, Cell, Master, defined_names

TAGS = ("setup", "training", "skip-grading", "raises-exception")  # those that do something
COURSE_KEYS = ("from_scratch", "narration")


def check_cells(master: Master) -> list[str]:
    """Ids are there, unique and readable by repair; the source carries no outputs."""
    problems = []
    seen: set[str] = set()
    for cell, node in zip(master.cells, master.notebook.cells, strict=True):
        name = cell.cell_id or f"number {cell.index}"
        if not cell.cell_id or cell.cell_id in seen:
            problems.append(f"cell {name} has no id of its own: repair finds cells by their ids")
        seen.add(cell.cell_id)
        if node.get("outputs") or node.get("execution_count"):
            problems.append(f"cell {name} has outputs: clear them (nbstripout) before committing")
        if cell.role in (SOLUTION_CELL, TEST) and cell.kind != "code":
            problems.append(f"cell {cell.grade_id} is a {cell.role} cell but not a code cell")
        if cell.role == SOLUTION_CELL and "### BEGIN SOLUTION" not in cell.source:
            problems.append(
                f"solution cell {cell.grade_id} has no solution region: the release would be empty"
            )
    return problems


def check_points(master: Master) -> list[str]:
    """Each question has tests, and each test gives points."""
    problems = []
    for cell in master.cells:
        if cell.role == TEST and cell.points <= 0:
            problems.append(f"test {cell.grade_id} has no points")
    for question in master.questions:
        if not question.written and not question.tests:
            problems.append(f"question {question.id} has no tests")
    return problems


def check_words(master: Master) -> list[str]:
    """No tag and no key of `metadata.course` is one that we know with a typo: it would be without effect."""
    problems = []
    nodes = [("the notebook", master.notebook)]
    nodes += [
        (f"cell {cell.cell_id or cell.index}", node)
        for cell, node in zip(master.cells, master.notebook.cells, strict=True)
    ]
    for name, node in nodes:
        own = node.metadata.get("course", {})
        for key in own if isinstance(own, dict) else ():
            if key not in COURSE_KEYS:
                problems.append(
                    f"{name} has {key!r} in its metadata under course, where there is only {' and '.join(COURSE_KEYS)}"
                )
        for tag in node.metadata.get("tags", ()):
            meant = difflib.get_close_matches(str(tag), TAGS, 1, 0.75)
            if meant and tag not in TAGS:
                problems.append(f"{name} has the tag {tag!r}, which does nothing: did you mean {meant[0]!r}?")
    return problems


def check_nothing_to_do(course: Course, week: Week, master: Master, question: str = "") -> list[str]:
    """No cell, and no answer of the bank, still contains something for its author to fill in.

    Args:
        question: only what an answer to this question is judged with.
    """
    return [f"{place} still contains {TODO}" for place in places_to_do(course, week, master, question)]


def check_tests(master: Master) -> list[str]:
    """A test uses names of the setup cells, its question and the reference definitions, and what it defines itself."""
    problems = []
    setup = set(defined_names(master.setup_source))
    if not master.setup:
        problems.append("no cell is tagged `setup`")
    judges = _judges(master)
    of_question = {question.id: set(question.names) for question in master.questions}
    for cell in master.cells:
        if cell.role == TEST:
            references = set(compile_reference_definitions(master, cell.question).names)
            problems += _check_test(cell, setup | references, judges, of_question)
    return problems


def check_from_scratch(master: Master) -> list[str]:
    """What is refused exists: a name with a typo refuses nothing.

    Packages that are not installed here cannot be asked, and no answer can use them here either. But a name that only
    the notebook gives a module (`np`), or that is nearly a module's, is not meant as such a package.
    """
    problems = []
    for question, names in master.from_scratch.items():
        for name in names:
            if said := _refuses_nothing(name, master):
                problems.append(f"question {question}: from_scratch lists {name}{said}")
    return problems


def _refuses_nothing(name: str, master: Master) -> str:
    """What is wrong with a name in `from_scratch`: the end of a sentence; "" if it is refused."""
    module, _, last = name.rpartition(".")
    package = name.partition(".")[0]
    if not module:
        whole = f"builtins.{name}" if hasattr(builtins, name) else f"module.{name}"
        return f", which has no module before its name: write {whole}"
    if importlib.util.find_spec(package) is None:
        own = _imported(master.setup_source)
        if package in own:
            return f", but {package} is a name of this notebook alone: write {own[package]}{name[len(package) :]}"
        known = {*sys.stdlib_module_names, *(whole.partition(".")[0] for whole in own.values())}
        meant = difflib.get_close_matches(package, known, 1, 0.75)
        return f", and there is no module {package}: did you mean {meant[0]}?" if meant else ""
    try:
        found = hasattr(importlib.import_module(module), last)
    except (ImportError, ValueError):
        found = False
    if found:
        return ""
    return (
        f", which is no function or class of a module of {package}; methods of an object, such as an array's, cannot "
        "be refused"
    )


def _imported(source: str) -> dict[str, str]:
    """{name: the dotted name of what it means} for all that a program imports; {} when it is not Python."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return {}
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.asname or alias.name.partition(".")[0]: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return found


def check_modules(modules: tuple[str, ...]) -> list[str]:
    """What course.toml has the servers import is installed: with a typo, each kernel would import it again."""
    problems = []
    for name in modules:
        try:
            there = importlib.util.find_spec(name) is not None
        except ImportError:  # of the package that it is said to be in
            there = False
        if not there:
            problems.append(
                f"course.toml lists {name} under [kernels] modules, but no such module is installed: install it, or "
                "correct its name"
            )
    return problems


def _can_fail(tree: ast.AST) -> bool:
    return any(isinstance(node, ast.Assert | ast.Raise) for node in ast.walk(tree))


def _judges(master: Master) -> set[str]:
    """Functions of the setup cells that assert something: a test that calls one can fail."""
    if check_setup(master):
        return set()
    body = ast.parse(master.setup_source).body
    return {node.name for node in body if isinstance(node, ast.FunctionDef) and _can_fail(node)}


def _check_test(cell: Cell, setup: set[str], judges: set[str], of_question: dict[str, set[str]]) -> list[str]:
    try:
        tree = ast.parse(cell.source)
    except SyntaxError as error:
        return [f"test {cell.grade_id} is not plain Python (line {error.lineno}: {error.msg})"]
    problems = []
    own = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            own.add(node.name)
        elif isinstance(node, ast.arg):
            own.add(node.arg)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            own.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            problems.append(f"test {cell.grade_id} imports something: imports belong in a setup cell")
    used = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    allowed = own | setup | of_question[cell.question] | set(dir(builtins))
    for name in sorted(used - allowed):
        whose = [question for question, names in of_question.items() if name in names]
        where = f"belongs to question {whose[0]}" if whose else "is defined nowhere that the examiner knows"
        problems.append(f"test {cell.grade_id} uses {name!r}, which {where}")
    if not _can_fail(tree) and not used & judges:
        problems.append(f"test {cell.grade_id} asserts nothing")
    if not used & of_question[cell.question]:
        problems.append(f"test {cell.grade_id} uses nothing that the student defines")
    if not re.match(r"#\s*(?:@title\s+)?Test:\s*\S", cell.source):
        problems.append(
            f"test {cell.grade_id} does not begin with `# Test: …`, its name on the student's page"
        )
    return problems


def check_setup(master: Master) -> list[str]:
    """The setup cells are plain Python: the examiner is no notebook."""
    problems = []
    for cell in master.setup:
        try:
            ast.parse(cell.source)
        except SyntaxError as error:
            problems.append(f"cell {cell.cell_id} is not plain Python (line {error.lineno}: {error.msg})")
    return problems


def check_links(course: Course, master: Master) -> list[str]:
    """Links to this repository lead to files that exist; there are no relative ones, which Colab cannot follow."""
    problems = []
    base = course.repository.files()
    for cell in master.cells:
        if cell.kind != "markdown":
            continue
        for target in re.findall(r"\]\(([^)\s]+)\)|(?:href|src)=\"([^\"]+)\"", cell.source):
            link = "".join(target)
            if base in link:
                path = re.split(r"[?#]", link.split(base, 1)[1])[0]
                if not (course.root / path_in_course(path)).is_file():
                    problems.append(f"cell {cell.cell_id} links to {path}, which is not in the repository")
            elif not re.match(r"(https?|mailto):|#|data:", link):
                problems.append(
                    f"cell {cell.cell_id} links to {link}: on Colab no other file is next to the notebook"
                )
    return problems


def check_paths(master: Master) -> list[str]:
    """No absolute paths of somebody's machine."""
    return [
        f"cell {cell.cell_id or cell.index} contains a path that exists on one machine only"
        for cell in master.cells
        if re.search(r"/(home|Users|root)/\w+/", cell.source)
    ]
