"""The form of a lesson, on which students may rely in every week. Each check returns its problems as sentences."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

from coursekit.authoring.lesson.reading import EXPERIMENTS, READING, stated_minutes
from coursekit.course.bank import read_bank
from coursekit.course.config import Course, Week
from coursekit.engine.coordinator.compiling import compile_test
from coursekit.engine.shared.master import GIVEN, SOLUTION_CELL, TEST, WRITTEN, Master, Question
from coursekit.engine.shared.program import HIDDEN_SEED

MAX_BYTES = 340_000
MIN_HINTS = 3
MIN_POINTS, MAX_POINTS = 20, 40
MIN_VISIBLE_SHARE = 0.4
MIN_RIGHT, MIN_WRONG = 4, 8  # answers to a question in the bank
CELL_KEYS = {"nbgrader", "tags", "cellView", "jupyter", "course"}
NOTEBOOK_KEYS = {"accelerator", "colab", "course", "kernelspec", "language_info"}
# Functions of torch that make a tensor on the CPU by default.
FACTORIES = {"tensor", "from_numpy", "zeros", "ones", "full", "empty", "eye", "arange", "linspace"}
FACTORIES |= {"rand", "randn", "randint", "randperm"}
# Calls that move a tensor, or make it part of a module, so that it moves when the module does.
MOVES = {"to", "register_buffer", "Parameter"}
QUESTION_LINE = re.compile(r"^\*(\d+) minutes, difficulty ([1-5]) of 5, (\d+) points\*$", re.MULTILINE)
TABLE_ROW = re.compile(r"^\|\s*(\d+)\s*\|.*\|\s*(\d+)\s*\|\s*(\d+)\s*\|\s*$", re.MULTILINE)
# UTF-8 read as Latin-1 or Windows-1252, and the character that replaces unreadable bytes.
MOJIBAKE = re.compile("[\u00c2\u00c3][\u0080-\u00bf]|\u00e2\u20ac|\u00e2\u0080|\ufffd")


def check_title(course: Course, week: Week, master: Master) -> Iterator[str]:
    """Yield the problems of the first cell: missing badge, title, time or objectives, wrong numbers in its table."""
    cell = master.cells[0]
    for required in (
        course.repository.colab(week.name, week.notebook),
        f"# Week {master.number}: {week.title}\n",
        f"**Time:** about {week.minutes} minutes",
        "**Difficulty:**",
        "**What you will build:**",
        "**You will be able to**",
    ):
        if required not in cell.source:
            yield f"the first cell lacks {required.strip()!r}"
    rows = [tuple(map(int, row)) for row in TABLE_ROW.findall(cell.source)]
    expected_rows = [
        (number, int(line[1]) if (line := _question_line(master, question)) else 0, question.max_score)
        for number, question in enumerate(master.questions, 1)
    ]
    if rows != expected_rows:
        yield f"the first cell's table has the rows {rows}; the questions give {expected_rows}"
    stated = stated_minutes(master)  # in the table's rows that belong to no question
    core = sum(minutes for _, minutes, _ in rows) + stated[READING] + stated[EXPERIMENTS]
    if core != week.minutes:
        yield (f"the first cell's minutes, without what is optional, add up to {core}, not {week.minutes}")


def check_questions(master: Master) -> Iterator[str]:
    """Yield the problems of each question's heading, line, hints or rubric, and one if there is no written question."""
    for number, question in enumerate(master.questions, 1):
        text = _text_above(master, question)
        line = _question_line(master, question)
        if not re.match(rf"Question {number}\. \S", question.title):
            yield (f"question {question.id} has the heading {question.title!r}, not `Question {number}. …`")
        if not line:
            yield f"question {question.id} has no line `*N minutes, difficulty N of 5, N points*`"
        elif int(line[3]) != question.max_score:
            yield (f"question {question.id} says {line[3]} points; its cells have {question.max_score:g}")
        if question.written:
            if not re.search(r"^\| points \| for \|$", text, re.MULTILINE):
                yield f"written question {question.id} has no rubric (`| points | for |`)"
        elif text.count("<details><summary>Hint ") < MIN_HINTS:
            yield f"question {question.id} has fewer than {MIN_HINTS} hints"
    if not any(question.written for question in master.questions):
        yield "the week has no written question"


def check_points(master: Master) -> Iterator[str]:
    """Yield a sentence if the week's points are out of range, and if too few of them are on visible tests."""
    total = master.total_points
    if not MIN_POINTS <= total <= MAX_POINTS:
        yield f"the week has {total:g} points; it should be {MIN_POINTS} to {MAX_POINTS}"
    visible = sum(cell.points for cell in master.cells if cell.role == TEST and not cell.hidden)
    if visible < MIN_VISIBLE_SHARE * total:
        yield f"only {visible:g} of {total:g} points are on visible tests: at least 40 % should be"


def check_bank(course: Course, week: Week, master: Master) -> Iterator[str]:
    """Yield a sentence for each question with a solution cell but too few right or wrong answers in the bank."""
    if not course.answers(week).is_dir():
        return  # another check reports that
    answers = read_bank(course, week)
    for question in master.questions:
        are_right = [answer.right for answer in answers if answer.question == question.id]
        right = sum(are_right)
        if not question.written and (right < MIN_RIGHT or len(are_right) - right < MIN_WRONG):
            yield (
                f"question {question.id} has {right} right and {len(are_right) - right} wrong answers in the bank; "
                f"it needs {MIN_RIGHT} and {MIN_WRONG}"
            )


def check_hidden(master: Master) -> Iterator[str]:
    """Yield a sentence for each hidden test that asks the same of every hand-in: a student could learn what it asks."""
    for cell in master.cells:
        if not (cell.role == TEST and cell.hidden):
            continue
        if not compile_test(cell.source, master.solution_names).seeded:
            yield (
                f"hidden test {cell.grade_id} asks the same of every hand-in: draw its inputs from {HIDDEN_SEED}, "
                f"as in torch.Generator().manual_seed({HIDDEN_SEED} + 1)"
            )


def check_refused(master: Master) -> Iterator[str]:
    """Yield a sentence for each refused function that a question does not name, or that its visible tests accept."""
    for question in master.questions:
        visible = [cell for cell in master.cells if cell.grade_id in question.tests and not cell.hidden]
        refused = {
            argument.value
            for cell in visible
            for node in ast.walk(ast.parse(cell.source))
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "refusing"
            for argument in node.args
            if isinstance(argument, ast.Constant)
        }
        for name in question.from_scratch:
            if f"`{name}`" not in _text_above(master, question):
                yield f"question {question.id} does not say in its text that `{name}` may not be used"
            if name not in refused:
                yield f'no visible test of {question.id} has `with refusing({question.names[0]}, "{name}")`'


def check_costs(course: Course, week: Week) -> Iterator[str]:
    """Yield the name of each wrong answer in the bank that does not say what is wrong and what it deserves."""
    if course.answers(week).is_dir():
        for answer in read_bank(course, week):
            if not answer.right and not answer.mistakes:
                yield f"{answer.name} has no lines Mistakes and Deserves"


def check_headings(master: Master) -> Iterator[str]:
    """Yield a sentence for each second title, heading that skips a level, and section with a wrong number."""
    level = sections = 0
    for cell in master.cells:
        if cell.kind != "markdown" or cell.role == WRITTEN:
            continue
        for marks, text in re.findall(r"^(#{1,6})\s+(.*)$", _without_code(cell.source), re.MULTILINE):
            if len(marks) > level + 1 or (len(marks) == 1 and level):
                yield f"heading {text!r} does not fit below a heading of level {level}"
            level = len(marks)
            if level == 2:
                sections += 1
                if not text.startswith(f"{sections}. "):
                    yield f"section {text!r} should be number {sections}"


def check_stubs(master: Master) -> Iterator[str]:
    """Yield a sentence for each stub without a message that begins with the week and the question."""
    for cell in master.cells:
        if cell.role != SOLUTION_CELL:
            continue
        raised = re.findall(r"raise NotImplementedError\(\s*[\"'](.*)[\"']", master.stub(cell))
        if not raised:
            yield f"solution cell {cell.grade_id} raises no NotImplementedError with a message"
        for message in raised:
            if not re.match(rf"week {master.number}, {cell.grade_id}: \S", message):
                yield (
                    f"solution cell {cell.grade_id} raises {message!r}, not `week {master.number}, {cell.grade_id}: …`"
                )


def check_tests_end(master: Master) -> list[str]:
    """Return a sentence for each test cell that does not end by printing that it passed."""
    return [
        f'test {cell.grade_id} does not end with print("{cell.grade_id}: passed")'
        for cell in master.cells
        if cell.role == TEST
        and not re.sub(r"\n### END HIDDEN TESTS\s*$", "", cell.source.rstrip()).endswith(
            f'print("{cell.grade_id}: passed")'
        )
    ]


def check_device(master: Master) -> Iterator[str]:
    """Yield a sentence for each tensor that a simple statement, not in tests or setup cells, leaves on the CPU."""
    for cell in master.cells:
        if cell.kind != "code" or cell.role not in (GIVEN, SOLUTION_CELL) or "setup" in cell.tags:
            continue
        try:
            tree = ast.parse(cell.source)
        except SyntaxError as error:
            yield f"cell {cell.cell_id} is not plain Python (line {error.lineno}: {error.msg})"
            continue
        for statement in ast.walk(tree):
            if isinstance(statement, ast.stmt) and not hasattr(statement, "body"):
                for line, name in _made_on_cpu(statement):
                    yield (
                        f"cell {cell.cell_id}, line {line}: torch.{name} makes a tensor on the CPU: give it a device"
                    )


def _made_on_cpu(statement: ast.stmt) -> list[tuple[int, str]]:
    """Return (line, torch's function) of each tensor made without `device=`; [] if the statement calls one of MOVES."""
    calls = []
    for node in ast.walk(statement):
        match node:
            case ast.Call(ast.Attribute(attr=name)) if name in MOVES:
                return []
            case ast.Call(ast.Attribute(ast.Name("torch"), name), _, keywords) if name in FACTORIES:
                if not any(keyword.arg == "device" for keyword in keywords):
                    calls.append((node.lineno, name))
    return calls


def check_shared(course: Course, week: Week) -> Iterator[str]:
    """Yield a sentence for each helper that differs from the one of this name in the earliest week that has one."""
    known: dict[str, tuple[str, str]] = {}
    for other in course.weeks:
        for name, source in _helpers(course.master(other)).items():
            where, first = known.setdefault(name, (other.name, source))
            if other == week and source != first:
                yield f"helper {name} differs from that of {where}"


def _helpers(master: Master) -> dict[str, str]:
    """Return {name: source} of the functions in setup cells and in cells whose id ends in `helper`."""
    sources = {}
    for cell in master.cells:
        if cell.kind == "code" and ("setup" in cell.tags or cell.cell_id.endswith("helper")):
            for node in ast.parse(cell.source).body:
                if isinstance(node, ast.FunctionDef):
                    sources[node.name] = ast.get_source_segment(cell.source, node) or ""
    return sources


def check_file(course: Course, week: Week, master: Master) -> Iterator[str]:
    """Yield a sentence if the notebook is too large, and for unknown metadata and broken characters."""
    size = course.source(week).stat().st_size
    if size > MAX_BYTES:
        yield f"the notebook has {size // 1000} kB; at most {MAX_BYTES // 1000} kB are allowed"
    if unknown := sorted(master.notebook.metadata.keys() - NOTEBOOK_KEYS):
        yield f"the notebook's metadata holds {', '.join(unknown)}"
    for cell, node in zip(master.cells, master.notebook.cells, strict=True):
        if unknown := sorted(node.metadata.keys() - CELL_KEYS):
            yield f"cell {cell.cell_id}'s metadata holds {', '.join(unknown)}"
    for path in _authors_files(course, week):
        if match := MOJIBAKE.search(path.read_text(encoding="utf-8", errors="replace")):
            yield f"{path.relative_to(course.root)} holds broken characters: {match[0]!r}"


MISSPELLED = 65  # codespell's exit code after it found mistakes; any other but 0 means that it could not look


def check_spelling(course: Course, week: Week, master: Master) -> list[str]:
    """Return the mistakes that codespell found, or why it could not look; its settings are in pyproject.toml.

    It gets the text of the notebook's cells: in JSON the end of a line sticks to the next word.
    """
    text = "\n".join(f"cell {cell.cell_id}:\n{cell.source}" for cell in master.cells)
    files = [str(path) for path in _authors_files(course, week) if path.suffix != ".ipynb"]
    command = [sys.executable, "-m", "codespell_lib", "-", *files]
    process = subprocess.run(command, cwd=course.root, input=text, capture_output=True, text=True)
    if process.returncode not in (0, MISSPELLED):
        reason = (process.stderr.strip().splitlines() or [f"exit code {process.returncode}"])[0]
        return [
            f"codespell could not check the spelling: {reason}. Install what requirements.txt lists, or correct "
            "[tool.codespell] in pyproject.toml"
        ]
    return [f"spelling: {' '.join(line.split())}" for line in process.stdout.splitlines()]


def _authors_files(course: Course, week: Week) -> Iterator[Path]:
    """Yield the files that the week's author wrote."""
    yield course.source(week)
    yield from sorted((course.root / "narration" / week.name).glob("*.md"))
    yield from sorted(course.answers(week).glob("*/*.py"))


def _text_above(master: Master, question: Question) -> str:
    """Return the markdown directly above this question's answer cell, from the last `###` heading on."""
    index = next(cell.index for cell in master.cells if cell.grade_id == question.id)
    above = takewhile(
        lambda cell: cell.kind == "markdown" and cell.role != WRITTEN, reversed(master.cells[:index])
    )
    text = "\n\n".join(reversed([cell.source for cell in above]))
    return text[text.rfind("\n### ") + 1 :]


def _question_line(master: Master, question: Question) -> re.Match[str] | None:
    """Return the match with the question's minutes, difficulty and points; None if there is no such line."""
    return QUESTION_LINE.search(_text_above(master, question))


def _without_code(markdown: str) -> str:
    return re.sub(r"^```.*?^```$", "", markdown, flags=re.DOTALL | re.MULTILINE)
