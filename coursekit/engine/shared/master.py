"""The master: an instructor's notebook as the grader reads it.

The authoring format is nbgrader's cell metadata. A *question* is one solution cell and the test cells that
follow it, up to the next solution cell; a written question is one markdown cell that a person grades.
"""

import ast
import copy
import hashlib
import json
import math
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from textwrap import indent
from typing import Any

from coursekit.engine.shared.data_files import DataFile
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.notebook_format import malformed
from coursekit.engine.shared.syntax import PARSER_LOCK

NOT_REPEATED = "skip-grading"  # the tag of a cell that is not run again when a submission is graded
HIDDEN_BEGIN = "### BEGIN HIDDEN TESTS"
HIDDEN_END = "### END HIDDEN TESTS"
SOLUTION_REGION = re.compile(
    r"^([ \t]*)### BEGIN SOLUTION\n(?P<text>.*?)^[ \t]*### END SOLUTION$", re.DOTALL | re.MULTILINE
)

# nbgrader's ClearSolutions.text_stub and code_stub, if a course sets no others.
WRITTEN_STUB = "YOUR ANSWER HERE"
DEFAULT_STUB = "# YOUR CODE HERE\nraise NotImplementedError()"

HIDDEN_REGION = re.compile(rf"{HIDDEN_BEGIN}(?P<text>.*?){HIDDEN_END}", re.DOTALL)

# The roles of cells: who writes a cell, and who runs it.
GIVEN = "given"  # the instructor's; the student kernel runs it
SOLUTION_CELL = "solution"  # the student's; the student kernel runs it
TEST = "test"  # the instructor's; only the examiner runs it
WRITTEN = "written"  # the student's words; a person grades it


@dataclass(frozen=True)
class Cell:
    """One cell of the master."""

    index: int
    role: str
    kind: str  # nbformat's cell_type: code, markdown or raw
    cell_id: str
    grade_id: str  # "" where the cell has none
    source: str
    points: float = 0.0
    question: str = ""  # id of the question that the cell belongs to, for solution, test and written cells
    hidden: bool = False  # a test with a part that students do not see, often all of it
    tags: tuple[str, ...] = ()

    @property
    def repeated(self) -> bool:
        """Whether the cell is run again when a submission is graded."""
        return NOT_REPEATED not in self.tags

    @property
    def test_name(self) -> str:
        """The text after `# Test:` or `# @title Test:` in the first lines of a test; without one, its id."""
        for line in self.source.splitlines()[:3]:
            if match := re.match(r"#\s*(?:@title\s+)?Test:\s*(.*\S)", line):
                return match[1]
        return self.grade_id


@dataclass(frozen=True)
class Question:
    """A solution cell with its tests, or a written cell; `id` is the grade_id of its first cell."""

    id: str
    title: str
    written: bool
    max_score: float
    tests: tuple[str, ...]  # grade_ids, in order
    names: tuple[str, ...]  # that the reference solution defines; they become stand-ins
    from_scratch: tuple[str, ...] = ()  # dotted names that raise in the student kernel while it is tested


@dataclass(frozen=True)
class Master:
    """An instructor's notebook, read once and shared by every submission of its week."""

    week: str
    name: str  # the notebook's file name without .ipynb
    cells: tuple[Cell, ...]
    questions: tuple[Question, ...]
    digest: str  # sha256 of the notebook's bytes and, if there are data files, of their names and hashes
    # nbformat's NotebookNode; {} in the reader, which is small and needs only the cells.
    notebook: Any = field(repr=False, compare=False)
    data_files: tuple[DataFile, ...] = ()

    def __hash__(self) -> int:
        # Caches compute it at each test: the week and the hash are enough.
        return hash((self.week, self.digest))

    @property
    def total_points(self) -> float:
        """The points of all tests and written answers."""
        return sum(question.max_score for question in self.questions)

    @property
    def solutions(self) -> dict[str, str]:
        """{question: the source of its reference answer}."""
        return {cell.grade_id: cell.source for cell in self.cells if cell.role == SOLUTION_CELL}

    @property
    def test_points(self) -> float:
        """The points of all tests, without the written questions, which a person grades."""
        return sum((cell.points for cell in self.cells if cell.role == TEST), 0.0)

    @property
    def number(self) -> str:
        """The number in the week's name: "3" for week3_positional_encoding, "" for a name without one."""
        match = re.match(r"week(\d+)_", self.week)
        return match[1] if match else ""

    @cached_property
    def solution_names(self) -> tuple[str, ...]:
        """Every name that a solution cell of the reference defines."""
        return tuple(dict.fromkeys(name for question in self.questions for name in question.names))

    @cached_property
    def from_scratch(self) -> dict[str, tuple[str, ...]]:
        """{question: dotted names that raise in the student kernel while it is tested}."""
        return {question.id: question.from_scratch for question in self.questions}

    @cached_property
    def setup(self) -> tuple[Cell, ...]:
        """The cells tagged `setup`: imports, seed, device, functions that tests call. The examiner runs them too."""
        return tuple(cell for cell in self.cells if "setup" in cell.tags)

    @property
    def setup_source(self) -> str:
        """The setup cells as one program."""
        return "\n\n".join(cell.source for cell in self.setup)

    def released_source(self, cell: Cell) -> str:
        """Return the source of this cell in the released notebook: without solutions and hidden tests."""
        if cell.role == SOLUTION_CELL:
            return self.stub(cell)
        if cell.role == WRITTEN:
            return WRITTEN_STUB
        if cell.role == TEST and cell.hidden:
            return HIDDEN_REGION.sub("", cell.source)
        return cell.source

    def stub(self, cell: Cell) -> str:
        """Return a solution cell as students see it: with the author's own line that raises, or nbgrader's.

        An untouched answer is recognised by it; the comparison ignores white space and comments.
        """
        return self.stubs(cell)[0]

    def stubs(self, cell: Cell) -> tuple[str, str]:
        """Return the two forms that a released solution cell may have, the likelier one first.

        nbgrader replaces a solution region by its stub: by default one that raises, in this course a comment above the
        author's own line that raises. The master does not contain the setting.
        """
        bare = SOLUTION_REGION.sub("", cell.source)
        raising = SOLUTION_REGION.sub(lambda region: indent(DEFAULT_STUB, region[1]), cell.source)
        has_own_line = "raise NotImplementedError" in bare or raising == bare
        return (bare, raising) if has_own_line else (raising, bare)


def secrets(cell: Cell) -> list[str]:
    """Return the texts of a cell that students must not see: its solution, its hidden test, its model answer."""
    if cell.role == WRITTEN:
        return [cell.source]
    marked = {SOLUTION_CELL: SOLUTION_REGION, TEST: HIDDEN_REGION}.get(cell.role)
    return [match["text"] for match in marked.finditer(cell.source)] if marked else []


def read_master(data: bytes, week: str, name: str, data_files: tuple[DataFile, ...] = ()) -> Master:
    """Return the master from the bytes of an instructor's notebook, and the files beside it.

    Raises:
        CourseError: the notebook is malformed, a code cell is not Python, or nbgrader metadata is wrong.
    """
    master = read_notebook(data, week, name)
    if not data_files:
        return master
    lines = [f"{file.digest} {file.name}\n" for file in data_files]
    digest = hashlib.sha256("".join([master.digest, *lines]).encode()).hexdigest()
    return replace(master, digest=digest, data_files=data_files)


@lru_cache(maxsize=16)
def read_notebook(data: bytes, week: str, name: str) -> Master:
    """Return the master without files beside it, from the bytes of an instructor's notebook, which are read once.

    Raises:
        CourseError: the notebook is malformed, a code cell is not Python, or nbgrader metadata is wrong.
    """
    import nbformat  # not at the top: the reader, which has to be small, does not need it

    where = f"source/{week}/{name}.ipynb"
    try:
        notebook = nbformat.reads(data.decode("utf-8"), as_version=nbformat.NO_CONVERT)
        if notebook.nbformat != 4:
            raise ValueError(f"version {notebook.nbformat} of the format, not 4")
        problems = list(malformed(notebook))
    except Exception as error:
        raise CourseError(
            f"{where} is not a notebook ({error}). Open it in JupyterLab and save it again."
        ) from error
    if problems:
        raise CourseError(f"{where}: {' '.join(problems)}")
    cells: list[Cell] = []
    question = ""
    grade_ids: set[str] = set()
    notebook_list = _from_scratch(notebook.metadata, where)
    from_scratch: dict[str, tuple[str, ...]] = {}
    for index, node in enumerate(notebook.cells):
        nbgrader = node.metadata.get("nbgrader", {})
        grade, solution = nbgrader.get("grade", False), nbgrader.get("solution", False)
        grade_id = nbgrader.get("grade_id", "") if nbgrader else ""
        if solution and grade:
            role = WRITTEN
        elif solution:
            role = SOLUTION_CELL
        elif grade:
            role = TEST
        else:
            role = GIVEN
        if role != GIVEN:
            if not grade_id:
                raise CourseError(
                    f"{where}: cell {index} has nbgrader metadata but no grade_id. Give it one."
                )
            if role == WRITTEN and node.cell_type != "markdown":
                raise CourseError(
                    f"{where}: cell {grade_id!r} is a {node.cell_type} cell that is graded by hand. Only words are "
                    "graded by hand here: make it a markdown cell or, for code, an autograded answer with a test "
                    "cell below it."
                )
            if role == WRITTEN and node.get("attachments"):
                raise CourseError(
                    f"{where}: the model answer in cell {grade_id!r} has a pasted picture, which nbgrader would leave "
                    "in the students' notebook. Take it out of the cell."
                )
            if grade_id in grade_ids:
                raise CourseError(f"{where}: grade_id {grade_id!r} is used twice. Each cell needs its own.")
            grade_ids.add(grade_id)
        if role in (SOLUTION_CELL, WRITTEN):
            question = grade_id
            cell_list = _from_scratch(node.metadata, f"{where}, cell {grade_id}")
            from_scratch[grade_id] = tuple(dict.fromkeys((*notebook_list, *cell_list)))
        if role == TEST and not question:
            raise CourseError(f"{where}: test {grade_id!r} comes before the first solution cell.")
        points = nbgrader.get("points", 0) if grade else 0
        if not isinstance(points, int | float) or not 0 <= points < math.inf:
            raise CourseError(
                f"{where}: cell {grade_id!r} has {points!r} for its points. Give it a number, 0 or more."
            )
        cells.append(
            Cell(
                index=index,
                role=role,
                kind=node.cell_type,
                cell_id=node.get("id", ""),
                grade_id=grade_id,
                source=node.source,
                points=float(points),
                question=question if role != GIVEN else "",
                hidden=HIDDEN_BEGIN in node.source,
                tags=tuple(node.metadata.get("tags", ())),
            )
        )
    if problems := [problem for cell in cells for problem in _cell_problems(cell)]:
        raise CourseError(f"{where}: {' '.join(problems)} Correct the source and run the same command again.")
    return Master(
        week=week,
        name=name,
        cells=tuple(cells),
        questions=tuple(_questions(cells, from_scratch)),
        digest=hashlib.sha256(data).hexdigest(),
        notebook=notebook,
    )


def _cell_problems(cell: Cell) -> Iterator[str]:
    """Yield a sentence for each unbalanced or misplaced region, and for code that is not Python."""
    name = cell.grade_id or cell.cell_id or cell.index
    regions = {SOLUTION_CELL: ("SOLUTION",), WRITTEN: ("SOLUTION",), TEST: ("HIDDEN TESTS",)}.get(
        cell.role, ()
    )
    for region in regions:
        begins, ends = (
            len(re.findall(rf"^\s*### {word} {region}\b", cell.source, re.MULTILINE))
            for word in ("BEGIN", "END")
        )
        if begins != ends:
            yield f"Cell {name} has unequal numbers of `### BEGIN {region}` ({begins}) and `### END {region}` ({ends})."
    for region in {"SOLUTION", "HIDDEN TESTS"}.difference(regions) if cell.kind == "code" else ():
        if re.search(rf"^\s*### (?:BEGIN|END) {region}\b", cell.source, re.MULTILINE):
            owner = "a test" if region == "HIDDEN TESTS" else "a solution"
            yield f"Cell {name} has a line of `### {region}` but is not {owner}: nbgrader obeys it only there."
    if cell.kind != "code":
        return
    source = cell.source
    with PARSER_LOCK:
        try:
            ast.parse(source)
            return
        except (SyntaxError, ValueError) as error:
            first = error
        if cell.role == GIVEN:  # a kernel runs it, so it may have lines such as `%matplotlib inline`
            from IPython.core.inputtransformer2 import TransformerManager

            with suppress(SyntaxError, ValueError):
                ast.parse(TransformerManager().transform_cell(source))
                return
    line_text = ""
    if isinstance(first, SyntaxError) and first.lineno:
        line = source.splitlines()[min(first.lineno, len(source.splitlines())) - 1].strip()
        line_text = f", line {first.lineno} (`{line}`)"
    yield f"Cell {name}{line_text} is not Python: {getattr(first, 'msg', first)}."


def _from_scratch(metadata: dict[str, Any], where: str) -> tuple[str, ...]:
    """Return the list `course.from_scratch` of a notebook's or a cell's metadata; raise CourseError if malformed."""
    settings = metadata.get("course", {})
    names = settings.get("from_scratch", []) if isinstance(settings, dict) else None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise CourseError(f"{where}: metadata.course.from_scratch is not a list of dotted names.")
    return tuple(names)


def _questions(cells: list[Cell], from_scratch: dict[str, tuple[str, ...]]) -> Iterator[Question]:
    """Yield the questions, each with the nearest heading above as its title.

    Args:
        from_scratch: {question: dotted names that it refuses}.
    """
    heading = ""
    for cell in cells:
        if cell.kind == "markdown" and cell.role == GIVEN:
            for line in cell.source.splitlines():
                if match := re.match(r"#{1,4}\s+(.*\S)", line):
                    heading = match[1]
        if cell.role == WRITTEN:
            yield Question(cell.grade_id, heading, True, cell.points, (), ())
        elif cell.role == SOLUTION_CELL:
            tests = [other for other in cells if other.role == TEST and other.question == cell.grade_id]
            yield Question(
                id=cell.grade_id,
                title=heading,
                written=False,
                max_score=sum((test.points for test in tests), 0.0),
                tests=tuple(test.grade_id for test in tests),
                names=defined_names(cell.source),
                from_scratch=from_scratch[cell.grade_id],
            )


@lru_cache
def defined_names(source: str) -> tuple[str, ...]:
    """Return the names that a code cell binds at its top level, in order; () if it is not Python.

    Inside `if`, `for`, `with` and `try`, only assigned names are found, not definitions or imports.

    >>> defined_names("import math\\ndef f(x):\\n    y = x\\nz = 1")
    ('math', 'f', 'z')
    """
    try:
        with PARSER_LOCK:
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    names: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names.extend((alias.asname or alias.name.split(".")[0]) for alias in node.names)
        else:
            names.extend(
                child.id
                for child in ast.walk(node)
                if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store)
            )
    return tuple(dict.fromkeys(names))


def fill(master: Master, answers: dict[str, str]) -> bytes:
    """Return the bytes of a student's notebook with these answers: {question id: source}.

    A question without an entry keeps the stub.
    """
    notebook = copy.deepcopy(master.notebook)
    for cell, node in zip(master.cells, notebook.cells, strict=True):
        answer = answers.get(cell.grade_id) if cell.role in (SOLUTION_CELL, WRITTEN) else None
        node.source = master.released_source(cell) if answer is None else answer
    return json.dumps(notebook, ensure_ascii=False, indent=1).encode()
