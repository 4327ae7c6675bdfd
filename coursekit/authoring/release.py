"""source -> release: the students' notebook, made by nbgrader's own converter and then checked.

    python -m coursekit.authoring.release

in the course folder says in three seconds whether the releases are up to date, for a git hook.
"""

import ast
import json
import sys
import textwrap
from collections.abc import Iterator
from contextlib import suppress
from operator import attrgetter
from pathlib import Path

import nbformat

from coursekit.authoring import readme
from coursekit.course.bank import is_of_another_question
from coursekit.course.config import Course, Week, open_course
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import SOLUTION_CELL, TEST, WRITTEN, WRITTEN_STUB, Cell, Master, secrets
from coursekit.files import write_atomically
from coursekit.gradebook.convert import convert

TODO = "TODO(author)"  # marks each place that an author still has to fill in
MAX_SHOWN = 5  # places in a message
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
SECRETS = {SOLUTION_CELL: "the solution", TEST: "the hidden test", WRITTEN: "the model answer"}
MARKERS = ("BEGIN SOLUTION", "END SOLUTION", "BEGIN HIDDEN TESTS", "END HIDDEN TESTS", "MARK SCHEME")


class Unfinished(CourseError):
    """The week's author has something left to fill in."""


def generate(course: Course, week: Week) -> bytes:
    """Return the students' notebook as it would be released now, checked, as bytes; nothing is written.

    Raises:
        CourseError: course.toml's repository is a placeholder, the master is missing, broken or Unfinished, a cell
            has no id, or `check` finds a problem.
    """
    course.repository.refuse_placeholder()
    master = course.master(week)
    if places := places_to_do(course, week, master):
        more = [f"{len(places) - MAX_SHOWN} more"] if len(places) > MAX_SHOWN else []
        raise Unfinished(
            f"{week.name} cannot be released while {TODO} is still in {', '.join([*places[:MAX_SHOWN], *more])}."
        )
    converted = convert(course, master)
    problems = _check_ids(course.source(week).read_bytes(), master) + check(master, converted.released)
    if problems:
        where = f"source/{week.name}/{week.notebook}.ipynb"
        raise CourseError(
            f"{where} cannot be released:\n" + "\n".join(f"- {problem}" for problem in problems)
        )
    return converted.data


def release(course: Course, week: Week, *, gradebook: bool = True, drop_marks: bool = False) -> Path:
    """Write release/<week>/<notebook>.ipynb, enter the week's cells in nbgrader's gradebook, and return the path.

    Files beside the source notebook (such as data) are copied too; on Colab, the notebook fetches them from the
    students' repository. The README's table of weeks is updated.

    Args:
        gradebook: False leaves gradebook.db alone (CI, where there is no class).
        drop_marks: remove cells that the master no longer has, even if TAs marked them; if False, raise CourseError.
    """
    data = generate(course, week)
    if gradebook:
        from coursekit.gradebook.cells import write_cells

        write_cells(course, week, drop_marks=drop_marks)
    path = course.release(week)
    write_atomically(path, data)
    for file in course.data_files(week):
        write_atomically(path.parent / file.name, Path(file.path).read_bytes())
    readme.write(course)
    return path


def stale(course: Course, week: Week) -> str:
    """Return a sentence if `release` would change the committed files or the README's table; "" if not."""
    data = generate(course, week)
    where = f"release/{week.name}/{week.notebook}.ipynb"
    advice = f"Run `course release {week.name}`."
    try:
        old = course.release(week).read_bytes()
    except OSError:
        return f"{where} is missing. {advice}"
    for file in course.data_files(week):
        copy = course.release(week).parent / file.name
        if not copy.is_file() or copy.read_bytes() != Path(file.path).read_bytes():
            return f"release/{week.name}/{file.name} differs from the file in source/{week.name}. {advice}"
    if old == data:
        return readme.stale(course)
    try:
        before, now = (json.loads(text)["cells"] for text in (old, data))
        changed = [cell.get("id", "?") for cell in now if cell not in before]
    except (ValueError, KeyError, TypeError):
        changed = []
    cells = f" Cells that differ: {', '.join(changed)}." if changed else ""
    return f"{where} is not up to date with source/{week.name}.{cells} {advice}"


def places_to_do(course: Course, week: Week, master: Master, question: str = "") -> list[str]:
    """Return the cells of a week, and the files of its bank, that contain TODO.

    Args:
        question: look only at its solution, its tests, the setup cells, and its answers in the bank.
    """
    searched = [
        cell for cell in master.cells if not question or cell in master.setup or cell.question == question
    ]
    cells = [f"cell {cell.cell_id or cell.index}" for cell in searched if TODO in cell.source]
    files = [
        str(path.relative_to(course.root))
        for path in sorted(course.answers(week).glob("*/*.py"))
        if TODO in path.read_text(encoding="utf-8", errors="replace")
        and not (question and is_of_another_question(path, question, master))
    ]
    return cells + files


def check(master: Master, released: nbformat.NotebookNode) -> list[str]:
    """Return a sentence for each problem of a released notebook; [] when students may have it."""
    if [node.get("id") for node in released.cells] != [cell.cell_id for cell in master.cells]:
        return ["the release's cells are not the master's, in the master's order"]
    cells = [
        (cell.grade_id or cell.cell_id or f"cell {cell.index}", cell, node)
        for cell, node in zip(master.cells, released.cells, strict=True)
    ]
    problems = [f"{name}: {problem}" for name, cell, node in cells for problem in _check_cell(cell, node)]
    texts = {name: _with_single_spaces(node.source) for name, _, node in cells}
    for owner, cell, _ in cells:
        for secret in map(_with_single_spaces, map(textwrap.dedent, secrets(cell))):
            if len(secret) >= (40 if cell.role == WRITTEN else 20):  # a shorter one may be there by chance
                problems += [
                    f"{name} shows {SECRETS[cell.role]} of {owner}"
                    for name, text in texts.items()
                    if secret in text
                ]
    return problems


def _check_ids(data: bytes, master: Master) -> list[str]:
    """Return a sentence for each cell without an id of its own: nbformat gives it a random one at each reading."""
    ids = [cell.get("id") for cell in json.loads(data)["cells"]]
    return [
        f"cell {cell.index} has no id, or the id of another cell: write one of its own into the file"
        for cell, key in zip(master.cells, ids, strict=True)
        if cell.cell_id != key
    ]


def _check_cell(cell: Cell, node: nbformat.NotebookNode) -> Iterator[str]:
    """Yield the problems of a released cell, each as the end of a sentence."""
    if node.get("outputs") or node.get("execution_count") is not None:
        yield "has outputs"
    yield from (f"still holds a line with {marker}" for marker in MARKERS if marker in node.source)
    if cell.role == SOLUTION_CELL:
        if not secrets(cell):
            yield "has no region between ### BEGIN SOLUTION and ### END SOLUTION"
        elif _has_stub_outside_functions(cell.source):
            yield (
                "has its line `raise NotImplementedError(...)` outside a function, where it stops the reference answer "
                "too. In a class, give each method a solution region and such a line"
            )
        elif not _ends_with_stubs(node.source):
            yield "has no `raise NotImplementedError(...)` line after the solution region, in the same function"
    elif cell.role == WRITTEN and node.source != WRITTEN_STUB:
        yield f"is a written answer but is not replaced by {WRITTEN_STUB}"
    elif cell.role == TEST and cell.hidden:
        tree = _parse(node.source)
        if tree is None or tree.body:
            yield "is a hidden test with code outside its hidden region: put that into a test of its own"


def _ends_with_stubs(source: str) -> bool:
    """Return whether `raise NotImplementedError(...)` ends each body that a student fills in."""
    if (tree := _parse(source)) is None:
        return False
    functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
    for number, line in enumerate(source.splitlines(), 1):
        if line.strip() == "# YOUR CODE HERE":
            around = [node for node in functions if node.lineno < number < (node.end_lineno or 0)]
            body = max(around, key=attrgetter("lineno"), default=tree).body
            if not body or not _is_stub(body[-1]):
                return False
    return True


def _has_stub_outside_functions(source: str) -> bool:
    """Return whether a `raise NotImplementedError(...)` is outside functions, where it stops the solution, too."""
    outside: list[ast.AST] = [ast.parse(source)]
    for node in outside:
        outside += [child for child in ast.iter_child_nodes(node) if not isinstance(child, FUNCTIONS)]
    return any(map(_is_stub, outside))


def _is_stub(node: ast.AST) -> bool:
    """Return whether a statement is `raise NotImplementedError(...)`."""
    return isinstance(node, ast.Raise) and ast.unparse(node).startswith("raise NotImplementedError(")


def _parse(source: str) -> ast.Module | None:
    with suppress(SyntaxError):
        return ast.parse(source)
    return None


def _with_single_spaces(text: str) -> str:
    """Return a text in which all white space is a single space."""
    return " ".join(text.split())


if __name__ == "__main__":
    try:
        course = open_course(Path.cwd())
        # The README's table is the same for all weeks: a problem with it is shown once.
        problems = dict.fromkeys(filter(None, [stale(course, week) for week in course.weeks]))
    except CourseError as error:
        sys.exit(str(error))
    sys.exit("\n".join(problems) or None)
