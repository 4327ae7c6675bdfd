"""The form of a lesson: what a student may rely on in every week. Each check gives its problems as sentences."""

import ast
import re
import subprocess
import sys

from coursekit.authoring.lesson.reading import stated_time
from coursekit.course.bank import read_bank
from coursekit.course.config import Course, Week
from coursekit.engine.shared.master import GIVEN, SOLUTION_CELL, TEST, WRITTEN, Cell, Master, Question

MAX_BYTES = 300_000
MIN_HINTS = 3
MIN_POINTS, MAX_POINTS = 20, 40
MIN_VISIBLE_SHARE = 0.4
MIN_RIGHT, MIN_WRONG = 4, 8  # answers to a question in the bank
CELL_KEYS = {"nbgrader", "tags", "cellView", "jupyter", "course"}
NOTEBOOK_KEYS = {"accelerator", "colab", "course", "kernelspec", "language_info"}
# They make a tensor on the CPU unless told otherwise.
FACTORIES = {
    "tensor",
    "from_numpy",
    "zeros",
    "ones",
    "full",
    "empty",
    "eye",
    "arange",
    "linspace",
    "rand",
    "randn",
}
FACTORIES |= {"randint", "randperm"}
# What a module holds moves with the module.
MOVED = {"to", "register_buffer", "Parameter"}
QUESTION_LINE = re.compile(r"^\*(\d+) minutes, difficulty ([1-5]) of 5, (\d+) points\*$", re.MULTILINE)
TABLE_ROW = re.compile(r"^\|\s*(\d+)\s*\|.*\|\s*(\d+)\s*\|\s*(\d+)\s*\|\s*$", re.MULTILINE)
# UTF-8 read as Latin-1 or Windows-1252, and the character that replaces what could not be read.
MOJIBAKE = re.compile("[\u00c2\u00c3][\u0080-\u00bf]|\u00e2\u20ac|\u00e2\u0080|\ufffd")


def check_title(course: Course, week: Week, master: Master) -> list[str]:
    """The first cell: badge, the week's title and time, objectives, and a table that agrees with the questions."""
    problems = []
    cell = master.cells[0]
    for wanted in (
        course.repository.colab(week.name, week.notebook),
        f"# Week {master.number}: {week.title}\n",
        f"**Time:** about {week.minutes} minutes",
        "**Difficulty:**",
        "**What you will build:**",
        "**You will be able to**",
    ):
        if wanted not in cell.source:
            problems.append(f"the first cell lacks {wanted.strip()!r}")
    rows = [tuple(map(int, row)) for row in TABLE_ROW.findall(cell.source)]
    wanted_rows = [
        (place, _minutes(master, question), question.max_score)
        for place, question in enumerate(master.questions, 1)
    ]
    if rows != wanted_rows:
        problems.append(f"the first cell's table has the rows {rows}; the questions give {wanted_rows}")
    stated = stated_time(master)
    core = sum(minutes for _, minutes, _ in rows) + stated["reading and listening"] + stated["experiments"]
    if core != week.minutes:
        problems.append(
            f"the first cell's minutes, without what is optional, add up to {core}, not {week.minutes}"
        )
    return problems


def check_questions(master: Master) -> list[str]:
    """Each question says its number, time, difficulty and points, and gives hints or a rubric."""
    problems = []
    for place, question in enumerate(master.questions, 1):
        text = _text_above(master, question)
        line = QUESTION_LINE.search(text)
        if not re.match(rf"Question {place}\. \S", question.title):
            problems.append(
                f"question {question.id} has the heading {question.title!r}, not `Question {place}. …`"
            )
        if not line:
            problems.append(f"question {question.id} has no line `*N minutes, difficulty N of 5, N points*`")
        elif int(line[3]) != question.max_score:
            problems.append(
                f"question {question.id} says {line[3]} points; its cells have {question.max_score:g}"
            )
        if question.written:
            if not re.search(r"^\| points \| for \|$", text, re.MULTILINE):
                problems.append(f"written question {question.id} has no rubric (`| points | for |`)")
        elif text.count("<details><summary>Hint ") < MIN_HINTS:
            problems.append(f"question {question.id} has fewer than {MIN_HINTS} hints")
    if not any(question.written for question in master.questions):
        problems.append("the week has no written question")
    return problems


def check_points(master: Master) -> list[str]:
    """The week's points are in range, and enough of them can be seen."""
    problems = []
    total = master.points
    if not MIN_POINTS <= total <= MAX_POINTS:
        problems.append(f"the week has {total:g} points; it should be {MIN_POINTS} to {MAX_POINTS}")
    visible = sum(cell.points for cell in master.cells if cell.role == TEST and not cell.hidden)
    if visible < MIN_VISIBLE_SHARE * total:
        problems.append(f"only {visible:g} of {total:g} points are on visible tests: at least 40 % should be")
    return problems


def check_bank(course: Course, week: Week, master: Master) -> list[str]:
    """Each question has many answers to try its tests on."""
    if not course.answers(week).is_dir():
        return []  # that is told already
    answers = read_bank(course, week)
    problems = []
    for question in master.questions:
        found = [answer.right for answer in answers if answer.question == question.id]
        right = sum(found)
        if not question.written and (right < MIN_RIGHT or len(found) - right < MIN_WRONG):
            problems.append(
                f"question {question.id} has {right} right and {len(found) - right} wrong answers in the bank; "
                f"it needs {MIN_RIGHT} and {MIN_WRONG}"
            )
    return problems


def check_headings(master: Master) -> list[str]:
    """One title; levels go down one at a time; sections are numbered 1, 2, 3, ..."""
    problems = []
    level = sections = 0
    for cell in master.cells:
        if cell.kind != "markdown" or cell.role == WRITTEN:
            continue
        for marks, text in re.findall(r"^(#{1,6})\s+(.*)$", _without_code(cell.source), re.MULTILINE):
            if len(marks) > level + 1 or (len(marks) == 1 and level):
                problems.append(f"heading {text!r} does not fit below a heading of level {level}")
            level = len(marks)
            if level == 2:
                sections += 1
                if not text.startswith(f"{sections}. "):
                    problems.append(f"section {text!r} should be number {sections}")
    return problems


def check_stubs(master: Master) -> list[str]:
    """What a student meets in an unanswered cell says the week, the question and what to do."""
    problems = []
    for cell in master.cells:
        if cell.role != SOLUTION_CELL:
            continue
        raised = re.findall(r"raise NotImplementedError\(\s*[\"'](.*)[\"']", master.stub(cell))
        if not raised:
            problems.append(f"solution cell {cell.grade_id} raises no NotImplementedError with a message")
        for message in raised:
            if not re.match(rf"week {master.number}, {cell.grade_id}: \S", message):
                problems.append(
                    f"solution cell {cell.grade_id} raises {message!r}, not `week {master.number}, {cell.grade_id}: …`"
                )
    return problems


def check_tests_end(master: Master) -> list[str]:
    """Each test cell ends with the same closing line, by which the last cell finds it."""
    return [
        f'test {cell.grade_id} does not end with print("{cell.grade_id}: passed")'
        for cell in master.cells
        if cell.role == TEST
        and not re.sub(r"\n### END HIDDEN TESTS\s*$", "", cell.source.rstrip()).endswith(
            f'print("{cell.grade_id}: passed")'
        )
    ]


def check_device(master: Master) -> list[str]:
    """Outside tests no tensor is made on the CPU by default: `device=` or `.to(...)` in the same statement."""
    problems = []
    for cell in master.cells:
        if cell.kind != "code" or cell.role not in (GIVEN, SOLUTION_CELL) or "setup" in cell.tags:
            continue
        try:
            tree = ast.parse(cell.source)
        except SyntaxError as error:
            problems.append(f"cell {cell.cell_id} is not plain Python (line {error.lineno}: {error.msg})")
            continue
        for statement in ast.walk(tree):
            if isinstance(statement, ast.stmt) and not hasattr(statement, "body"):
                problems += [f"cell {cell.cell_id}, line {line}: {why}" for line, why in _on_cpu(statement)]
    return problems


def _on_cpu(statement: ast.stmt):
    calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
    if any(isinstance(call.func, ast.Attribute) and call.func.attr in MOVED for call in calls):
        return
    for call in calls:
        made = call.func
        if not isinstance(made, ast.Attribute) or made.attr not in FACTORIES:
            continue
        of_torch = isinstance(made.value, ast.Name) and made.value.id == "torch"
        if of_torch and not any(word.arg == "device" for word in call.keywords):
            yield call.lineno, f"torch.{made.attr} makes a tensor on the CPU: give it a device"


def check_shared(course: Course, week: Week) -> list[str]:
    """A helper that an earlier week has under the same name is the same here."""
    known: dict[str, tuple[str, str]] = {}
    problems = []
    for other in course.weeks:
        for name, source in _helpers(course.master(other)).items():
            where, first = known.setdefault(name, (other.name, source))
            if other == week and source != first:
                problems.append(f"helper {name} differs from that of {where}")
    return problems


def _helpers(master: Master) -> dict[str, str]:
    """Functions of the setup cells and of cells whose id ends in `helper`: {name: source}."""
    found = {}
    for cell in master.cells:
        if cell.kind == "code" and ("setup" in cell.tags or cell.cell_id.endswith("helper")):
            lines = cell.source.split("\n")
            for node in ast.parse(cell.source).body:
                if isinstance(node, ast.FunctionDef):
                    found[node.name] = "\n".join(lines[node.lineno - 1 : node.end_lineno])
    return found


def check_file(course: Course, week: Week, master: Master) -> list[str]:
    """The file itself: small, without times, machines' traces or broken characters."""
    problems = []
    data = course.source(week).read_bytes()
    if len(data) > MAX_BYTES:
        problems.append(
            f"the notebook has {len(data) // 1000} kB; at most {MAX_BYTES // 1000} kB are allowed"
        )
    if strange := sorted(set(master.notebook.metadata) - NOTEBOOK_KEYS):
        problems.append(f"the notebook's metadata holds {', '.join(strange)}")
    for cell, node in zip(master.cells, master.notebook.cells, strict=True):
        if strange := sorted(set(node.metadata) - CELL_KEYS):
            problems.append(f"cell {cell.cell_id}'s metadata holds {', '.join(strange)}")
    for path in _texts(course, week):
        if found := MOJIBAKE.search(path.read_text(encoding="utf-8")):
            problems.append(f"{path.relative_to(course.root)} holds broken characters: {found[0]!r}")
    return problems


MISSPELLED = 65  # codespell's exit code where it found something; any other but 0 says that it did not look


def check_spelling(course: Course, week: Week, master: Master) -> list[str]:
    """codespell finds nothing, and has looked; its settings are in pyproject.toml.

    A notebook is given as its cells' text: in JSON a line's end sticks to the next word.
    """
    text = "\n".join(f"cell {cell.cell_id}:\n{cell.source}" for cell in master.cells)
    files = [str(path) for path in _texts(course, week) if path.suffix != ".ipynb"]
    command = [sys.executable, "-m", "codespell_lib", "-", *files]
    done = subprocess.run(command, cwd=course.root, input=text, capture_output=True, text=True)
    if done.returncode not in (0, MISSPELLED):
        reason = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[0]
        return [
            f"codespell could not check the spelling: {reason}. Install what requirements.txt lists, or mend "
            "[tool.codespell] in pyproject.toml"
        ]
    return [f"spelling: {' '.join(line.split())}" for line in done.stdout.splitlines()]


def _texts(course: Course, week: Week):
    """What the week's author wrote."""
    yield course.source(week)
    yield from sorted((course.root / "narration" / week.name).glob("*.md"))
    yield from sorted(course.answers(week).glob("*/*.py"))


def _text_above(master: Master, question: Question) -> str:
    """Markdown between the last code or written cell and this question's first cell, below its heading."""
    place = next(cell.index for cell in master.cells if cell.grade_id == question.id)
    above: list[Cell] = []
    for cell in reversed(master.cells[:place]):
        if cell.kind != "markdown" or cell.role == WRITTEN:
            break
        above.insert(0, cell)
    text = "\n\n".join(cell.source for cell in above)
    return text[text.rfind("\n### ") + 1 :] if "\n### " in text else text


def _minutes(master: Master, question: Question) -> int:
    line = QUESTION_LINE.search(_text_above(master, question))
    return int(line[1]) if line else 0


def _without_code(markdown: str) -> str:
    return re.sub(r"^```.*?^```$", "", markdown, flags=re.DOTALL | re.MULTILINE)
