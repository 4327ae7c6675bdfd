"""source -> release: the students' notebook, made by nbgrader's own converter and then checked.

    python -m coursekit.authoring.release

in the course folder says in three seconds whether the releases are current, for a hook of git's to ask.
"""

import ast
import json
import sys
import textwrap
from pathlib import Path

import nbformat

from coursekit.authoring import readme
from coursekit.authoring.todo import TODO, places_to_do
from coursekit.course.config import Course, Week, open_course
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import SOLUTION_CELL, TEST, WRITTEN, Cell, Master, secrets
from coursekit.files import write_atomically
from coursekit.gradebook.convert import convert

SHOWN = 5
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
_MARKERS = ("BEGIN SOLUTION", "END SOLUTION", "BEGIN HIDDEN TESTS", "END HIDDEN TESTS", "MARK SCHEME")


class Unfinished(CourseError):
    """The week's author has something left to fill in."""


def generate(course: Course, week: Week) -> bytes:
    """The bytes of the students' notebook as it would be released now, checked; nothing is written.

    Raises:
        Unfinished: something is left to fill in.
        CourseError: the master is missing or broken, or the release would show what students must not see.
    """
    course.repository.refuse_placeholder()
    master = course.master(week)
    if places := places_to_do(course, week, master):
        more = [f"{len(places) - SHOWN} more"] if len(places) > SHOWN else []
        raise Unfinished(
            f"{week.name} cannot be released while {TODO} is still in {', '.join([*places[:SHOWN], *more])}."
        )
    made = convert(course, master)
    problems = _check_ids(course.source(week).read_bytes(), master) + check(master, made.released)
    if problems:
        where = f"source/{week.name}/{week.notebook}.ipynb"
        raise CourseError(
            f"{where} cannot be released:\n" + "\n".join(f"- {problem}" for problem in problems)
        )
    return made.data


def release(course: Course, week: Week, *, gradebook: bool = True, drop_marks: bool = False) -> Path:
    """Write release/<week>/<notebook>.ipynb and tell nbgrader's gradebook about the week's cells.

    Files beside the source notebook (a text to read) come along. On Colab they do not travel with the notebook: it
    fetches them from the students' repository. The README's table of weeks is made anew.

    Args:
        gradebook: False leaves gradebook.db alone (CI, where there is no class).
        drop_marks: a cell that is gone from the master is taken out of the gradebook even when TAs marked it.

    Raises:
        CourseError: as `generate`, or the gradebook holds marks for a cell that is gone.
    """
    data = generate(course, week)
    if gradebook:
        from coursekit.gradebook.cells import sync

        sync(course, week, drop_marks=drop_marks)
    path = course.release(week)
    write_atomically(path, data)
    for companion in companions(course, week):
        write_atomically(path.parent / companion.name, companion.read_bytes())
    readme.write(course)
    return path


def companions(course: Course, week: Week) -> list[Path]:
    """The files next to the source notebook."""
    folder = course.source(week).parent
    return sorted(path for path in folder.iterdir() if path.is_file() and path.suffix != ".ipynb")


def stale(course: Course, week: Week) -> str:
    """Why the committed release is not what would be generated now, in a sentence; "" when it is.

    Raises:
        CourseError: as `generate`.
    """
    data = generate(course, week)
    where = f"release/{week.name}/{week.notebook}.ipynb"
    todo = f"Run `course release {week.name}`."
    try:
        old = course.release(week).read_bytes()
    except OSError:
        return f"{where} is missing. {todo}"
    for companion in companions(course, week):
        copy = course.release(week).parent / companion.name
        if not copy.is_file() or copy.read_bytes() != companion.read_bytes():
            return f"release/{week.name}/{copy.name} differs from the file in source/{week.name}. {todo}"
    if old == data:
        return readme.stale(course)
    try:
        before, now = (json.loads(text)["cells"] for text in (old, data))
        changed = [cell.get("id", "?") for cell in now if cell not in before]
    except (ValueError, KeyError, TypeError):
        changed = []
    cells = f" Cells that differ: {', '.join(changed)}." if changed else ""
    return f"{where} is not up to date with source/{week.name}.{cells} {todo}"


def _check_ids(data: bytes, master: Master) -> list[str]:
    """nbformat gives a cell without an id of its own a random one, another one at each reading."""
    ids = [cell.get("id") for cell in json.loads(data)["cells"]]
    return [
        f"cell {cell.index} has no id, or the id of another cell: write one of its own into the file"
        for cell, key in zip(master.cells, ids, strict=True)
        if cell.cell_id != key
    ]


def check(master: Master, released: nbformat.NotebookNode) -> list[str]:
    """Everything that is wrong with a released notebook, in words; [] when students may have it."""
    if [node.get("id") for node in released.cells] != [cell.cell_id for cell in master.cells]:
        return ["the release's cells are not the master's, in the master's order"]
    problems = []
    for cell, node in zip(master.cells, released.cells, strict=True):
        name = cell.grade_id or cell.cell_id or f"cell {cell.index}"
        problems += [f"{name}: {problem}" for problem in _check_cell(cell, node)]
    everything = [
        (cell, _plain(node.source)) for cell, node in zip(master.cells, released.cells, strict=True)
    ]
    for cell in master.cells:
        for secret, what in _secrets(cell):
            for other, text in everything:
                if secret in text:
                    name = other.grade_id or other.cell_id
                    problems.append(f"{name} shows {what} of {cell.grade_id}")
    return problems


def _check_cell(cell: Cell, node):
    if node.get("outputs") or node.get("execution_count") is not None:
        yield "has outputs"
    for marker in _MARKERS:
        if marker in node.source:
            yield f"still holds a line with {marker}"
    if cell.role == SOLUTION_CELL:
        if not secrets(cell):
            yield "has no region between ### BEGIN SOLUTION and ### END SOLUTION"
        elif _stops_the_reference(cell.source):
            yield (
                "has its line `raise NotImplementedError(...)` outside a function, where it stops the reference answer "
                "too. In a class, give each method a solution region and such a line"
            )
        elif not _raises(node.source):
            yield "has no `raise NotImplementedError(...)` line after the solution region, in the same function"
    elif cell.role == WRITTEN and node.source != "YOUR ANSWER HERE":
        yield "is a written answer but is not replaced by YOUR ANSWER HERE"
    elif cell.role == TEST and cell.hidden:
        try:
            left = ast.parse(node.source).body
        except SyntaxError:
            left = True
        if left:
            yield "is a hidden test with code outside its hidden region: put that into a test of its own"


def _raises(source: str) -> bool:
    """Whether `raise NotImplementedError(...)` ends each function that a student fills in."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return False
    functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
    for number, line in enumerate(source.splitlines(), 1):
        if line.strip() != "# YOUR CODE HERE":
            continue
        around = [node for node in functions if node.lineno < number < _end(node)]
        body = min(around, key=lambda node: _end(node) - node.lineno).body if around else tree.body
        last = body[-1] if body else None
        if not _is_stub(last):
            return False
    return True


def _stops_the_reference(source: str) -> bool:
    """Whether the author's line that raises runs whenever the cell does, the reference included."""
    try:
        outside: list[ast.AST] = [ast.parse(source)]
    except SyntaxError:
        return False
    for node in outside:
        outside += [child for child in ast.iter_child_nodes(node) if not isinstance(child, FUNCTIONS)]
    return any(_is_stub(node) for node in outside)


def _is_stub(node: ast.AST | None) -> bool:
    """Whether a statement is `raise NotImplementedError(...)`."""
    call = node.exc if isinstance(node, ast.Raise) else None
    return isinstance(call, ast.Call) and getattr(call.func, "id", "") == "NotImplementedError"


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _secrets(cell: Cell):
    """(text, what it is) for what no released cell may hold, white space aside; short ones prove nothing."""
    names = {SOLUTION_CELL: "the solution", TEST: "the hidden test", WRITTEN: "the model answer"}
    for text in secrets(cell):
        plain = _plain(textwrap.dedent(text))
        if len(plain) >= (40 if cell.role == WRITTEN else 20):
            yield plain, names[cell.role]


def _plain(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    try:
        course = open_course(Path.cwd())
        # The README's table is the same for all weeks: what is wrong with it is said once.
        found = dict.fromkeys(filter(None, [stale(course, week) for week in course.weeks]))
    except CourseError as error:
        sys.exit(str(error))
    sys.exit("\n".join(found) or None)
