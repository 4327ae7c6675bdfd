"""The student's page: one HTML file for a submission, readable on its own, from a result, its notebook and its marks.

Whatever the student wrote is shown as escaped text; of pictures only PNG. Of a hidden test the page has the
name, the outcome and the message. Flags are for TAs and stay out.
"""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from coursekit.course.config import Course, Week
from coursekit.deliver.feedback import words
from coursekit.deliver.feedback.compared import ComparisonView, view_of
from coursekit.deliver.feedback.png import read_png
from coursekit.deliver.feedback.regraded import sentences
from coursekit.deliver.feedback.steps import Step, next_steps
from coursekit.deliver.html import count, environment
from coursekit.deliver.plain import blank, cut, printed, traceback
from coursekit.engine.coordinator.sentences import sentence
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import GIVEN, HIDDEN_BEGIN, SOLUTION_CELL, WRITTEN, Master, Question
from coursekit.engine.shared.reasons import Flag, TestReason
from coursekit.engine.shared.result import (
    ERROR,
    FAULT,
    PASSED,
    UNREADABLE,
    QuestionResult,
    Result,
    TestResult,
)
from coursekit.files import write_atomically
from coursekit.gradebook.marks import Marks
from coursekit.grading.diagnosis import Diagnosis, Mistake, diagnose
from coursekit.grading.regrades import Regrade, read_regrades

# What one page may hold, in characters. The answers to the questions are always shown; the page's allowance
# is for the rest: outputs and the student's own cells.
ANSWER_CHARACTERS = 20_000
OUTPUT_CHARACTERS = 10_000
MESSAGE_CHARACTERS = 4_000
PAGE_CHARACTERS = 300_000
PAGE_PICTURE_BYTES = 2_000_000
PAGE_BLOCKS = 400
SUMMARY_LINES, LINE = 28, 100  # of a printed summary, for what to look at; characters of one
LISTED = 30  # cells named under one kind of repair


@dataclass
class Block:
    """One thing that a cell has to show: text, a picture or only a sentence about what is left out."""

    label: str = ""
    text: str = ""
    left_out: int = 0  # characters between text and tail
    tail: str = ""
    picture: str = ""  # base64 of a PNG
    note: str = ""


@dataclass
class CellView:
    kind: str  # "answer", "written", "own" or "given"
    code: Block | None
    blocks: list[Block] = field(default_factory=list)


@dataclass
class TestView:
    __test__ = False  # not a class for pytest to collect

    anchor: str
    name: str
    outcome: str
    word: str
    score: float
    points: float
    by_person: float | None  # the points that a person gave instead
    hidden: bool
    message: Block | None
    source: str
    comparison: ComparisonView | None  # of a visible test


@dataclass
class QuestionView:
    anchor: str
    title: str
    score: float | None
    max_score: float
    written: bool
    state: str
    tests: list[TestView]
    comment: Block | None  # what a person wrote about the answer
    causes: tuple[str, ...]  # why it fails, as far as that is known; of several, one
    answer: CellView | None
    own: list[CellView]
    given: list[CellView]
    step: Step | None = None  # what to look at next in the notebook

    @property
    def missed(self) -> list[TestView]:
        """The tests that were not passed."""
        return [test for test in self.tests if test.outcome != PASSED]


class _Allowance:
    """What is left of the page for outputs and for the student's own cells."""

    def __init__(self) -> None:
        self.characters = PAGE_CHARACTERS
        self.picture_bytes = PAGE_PICTURE_BYTES
        self.blocks = PAGE_BLOCKS

    def text(self, label: str, text: str, limit: int = OUTPUT_CHARACTERS) -> Block:
        """A block of at most `limit` characters, and of no more than the page still has."""
        limit = min(limit, self.characters)
        head, left_out, tail = cut(text, limit)
        self.characters -= len(head) + len(tail)
        return Block(label, head, left_out, tail)

    def picture(self, data: bytes) -> Block:
        if len(data) > self.picture_bytes:
            return Block(note="A picture is left out here: the page has no room for more pictures.")
        self.picture_bytes -= len(data)
        return Block(picture=base64.b64encode(data).decode("ascii"))


def render(
    master: Master,
    result: Result,
    notebook: NotebookNode | None,
    title: str = "",
    marks: Marks | None = None,
    mistakes: Sequence[Mistake] = (),
    times: Sequence[str] = (),
    regrades: Sequence[Regrade] = (),
) -> str:
    """A submission's page as HTML text that UTF-8 can hold.

    Args:
        master: the week's master; test names and the visible tests' source come from it alone.
        result: the submission's result.
        notebook: the graded notebook; None when there is none.
        title: the week's title; the week's name when empty.
        marks: what the gradebook has of it, with what people have marked and written, and what being late costs.
            Without them, the page tells what the tests gave.
        mistakes: of the bank; where an answer is one of them, the page says so.
        times: when what happened to it, in words.
        regrades: how it was graded again, the oldest first.
    """
    cells = _cells_by_question(master, notebook)
    diagnoses = diagnose(result, mistakes)
    allowance = _Allowance()
    questions = [
        _question(master, result, question, number, cells, allowance, marks, diagnoses.get(question.id))
        for number, question in enumerate(result.questions, 1)
    ]
    steps = next_steps(master, result, marks)
    for question, view in zip(result.questions, questions, strict=True):
        view.step = steps.get(question.id)
    # Those with most points lost first; then those to which a person gave all points although a test failed.
    unsolved = sorted(
        (view for view in questions if view.step or view.missed),
        key=lambda view: -view.step.left if view.step else 0.0,
    )
    before = [view for view in (_view(kind, node, allowance) for kind, node in cells.get("", [])) if view]
    return _TEMPLATE.render(
        master=master,
        result=result,
        title=title or master.week,
        status=words.STATUS[FAULT if result.faulty else result.status],
        unreadable=result.status == UNREADABLE,
        reasons=_reasons(result),
        repairs=_repairs(result),
        questions=questions,
        tests=sum(len(question.tests) for question in questions),
        missed=sum(len(question.missed) for question in questions),
        waiting=[question for question in questions if question.score is None],
        open=unsolved,
        crowded=sum(map(_printed_lines, unsolved)) > SUMMARY_LINES,
        commented=[question for question in questions if question.comment],
        marks=marks,
        times=times,
        regraded=sentences(regrades, result, marks.by_people if marks else {}),
        before=before,
        no_notebook=notebook is None and result.status != UNREADABLE,
    )


def write_feedback(
    course: Course,
    week: Week,
    student: str,
    marks: Marks | None = None,
    mistakes: Sequence[Mistake] = (),
) -> Path:
    """Write `feedback/<student>/<week>/<notebook>.html` and return its path.

    A reader never meets half a page: it is written beside and put in its place at the end.

    Args:
        marks: the student's row of `coursekit.gradebook.marks.marks`, if there is one.
        mistakes: what `coursekit.grading.diagnosis.known_mistakes` gives.

    Raises:
        CourseError: there is no result yet, the name is not one folder's, or the page cannot be written.
    """
    if student in ("", ".", "..") or "/" in student or "\\" in student or "\x00" in student:
        raise CourseError(f"{student!r} cannot be a student's folder. Use a name without slashes.")
    folder = course.autograded(student, week)
    result = Result.read(folder / "result.json")
    if result is None:
        raise CourseError(f"{folder / 'result.json'} is missing or damaged. Run `course grade {week.name}`.")
    notebook = _read_notebook(folder / f"{week.notebook}.ipynb", result.hashes.get("notebook"))
    # The folder says whose page this is.
    times = _times(course, week, folder / "result.json", marks)
    page = render(
        course.master(week),
        replace(result, student=student),
        notebook,
        week.title,
        marks,
        mistakes,
        times,
        read_regrades(folder, result),
    )
    path = course.feedback(student, week) / f"{week.notebook}.html"
    try:
        write_atomically(path, page.encode("utf-8"))
    except OSError as error:
        raise CourseError(f"{path} cannot be written ({error.strerror}).") from error
    return path


def _times(course: Course, week: Week, result: Path, marks: Marks | None) -> list[str]:
    """Course, week, when it was handed in (in the due time's zone, where there is one), and when it was graded."""
    said = [course.title, week.name]
    if marks is not None and marks.came is not None:
        came = marks.came.replace(tzinfo=UTC).astimezone(week.due.tzinfo if week.due else UTC)
        said.append(f"handed in {came:%Y-%m-%d %H:%M %Z}")
    graded = datetime.fromtimestamp(result.stat().st_mtime, UTC)
    return [*said, f"graded {graded:%Y-%m-%d}"]


def _read_notebook(path: Path, digest: str | None) -> NotebookNode | None:
    """The graded notebook; None when there is none, it is of another run than the result, or it cannot be read.

    The marks need no notebook.
    """
    try:
        data = path.read_bytes()
        if digest is not None and hashlib.sha256(data).hexdigest() != digest:
            return None
        return nbformat.reads(data.decode("utf-8"), as_version=4)
    except Exception:  # nbformat raises many kinds, and none of them may cost a student the page
        return None


def _visible_source(master: Master, test: TestResult) -> str:
    """The source of a test that students have in their notebook; "" for a hidden one."""
    for cell in master.cells:
        if cell.grade_id == test.id and not (cell.hidden or test.hidden or HIDDEN_BEGIN in cell.source):
            return cell.source
    return ""


def _cells_by_question(
    master: Master, notebook: NotebookNode | None
) -> dict[str, list[tuple[str, NotebookNode]]]:
    """{question id: [(kind, cell)]} in the notebook's order; "" for what comes before the first question.

    Cells that a test's metadata marks are passed over, with their outputs, and so is anything that looks
    like a hidden test, whatever its metadata say.
    """
    answers = {cell.grade_id: cell for cell in master.cells if cell.role in (SOLUTION_CELL, WRITTEN)}
    given = {cell.source for cell in master.cells if cell.role == GIVEN}
    here = ""
    found: dict[str, list[tuple[str, NotebookNode]]] = {}
    for node in notebook.cells if notebook is not None else ():
        grader = node.metadata.get("nbgrader")
        grader = grader if isinstance(grader, dict) else {}
        source = node.source if isinstance(node.source, str) else ""
        if HIDDEN_BEGIN in source or (grader.get("grade") and not grader.get("solution")):
            continue
        answer = answers.pop(str(grader.get("grade_id")), None) if grader.get("solution") else None
        if answer is not None:
            here, kind = answer.grade_id, "written" if answer.role == WRITTEN else "answer"
        else:
            kind = "given" if source in given else "own"
        found.setdefault(here, []).append((kind, node))
    return found


def _view(kind: str, node: NotebookNode, allowance: _Allowance) -> CellView | None:
    """What the page shows of a cell; None when it has nothing to show."""
    blocks = list(_outputs(node, allowance)) if node.cell_type == "code" else []
    if kind == "given":  # the student knows the course's own code; what it printed is news
        return CellView(kind, None, blocks) if blocks else None
    source = node.source if isinstance(node.source, str) else ""
    if kind in ("answer", "written"):
        return CellView(kind, Block("", *cut(source, ANSWER_CHARACTERS)), blocks)
    if (blank(source) and not blocks) or allowance.blocks <= 0:
        return None
    allowance.blocks -= 1
    return CellView(kind, allowance.text("", source, ANSWER_CHARACTERS), blocks)


def _outputs(node: NotebookNode, allowance: _Allowance) -> Iterator[Block]:
    """A code cell's outputs as blocks: text and PNG, and a sentence for what is neither."""
    for kind, content in _merged(node.get("outputs", [])):
        if allowance.blocks <= 0 or (kind != "picture" and allowance.characters <= 0):
            yield Block(note="More output is left out here: the page has no room for more.")
            return
        allowance.blocks -= 1
        if kind == "picture":
            yield allowance.picture(content)
        elif kind == "other":
            yield Block(note="An output is left out here: this page shows only text and PNG pictures.")
        elif text := printed(content).rstrip("\n"):
            yield allowance.text(kind, text)


def _merged(outputs: object) -> Iterator[tuple[str, Any]]:
    """(label, text), ("picture", PNG bytes) or ("other", None) for each output.

    A hundred `print`s arrive as up to a hundred outputs: neighbours on one stream become one.
    """
    stream = ""
    parts: list[str] = []
    for output in outputs if isinstance(outputs, list) else ():
        if not isinstance(output, dict):
            continue
        if output.get("output_type") == "stream":
            label = "Warnings and errors" if output.get("name") == "stderr" else "Output"
            if label != stream and parts:
                yield stream, "".join(parts)
                parts = []
            stream = label
            parts.append(_text(output.get("text")))
            continue
        if parts:
            yield stream, "".join(parts)
            stream, parts = "", []
        if output.get("output_type") == "error":
            trace = output.get("traceback")
            lines = [line for line in trace if isinstance(line, str)] if isinstance(trace, list) else []
            yield (
                "Error",
                traceback("\n".join(lines)) or f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}",
            )
        else:
            data = output.get("data")
            data = data if isinstance(data, dict) else {}
            if (picture := read_png(data.get("image/png"))) is not None:
                yield "picture", picture
            elif "text/plain" in data:
                yield "Output", _text(data["text/plain"])
            elif data:
                yield "other", None
    if parts:
        yield stream, "".join(parts)


def _text(value: object) -> str:
    """nbformat's multi-line string: a string or a list of them; "" for anything else."""
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _question(
    master: Master,
    result: Result,
    question: QuestionResult,
    number: int,
    cells: dict[str, list[tuple[str, NotebookNode]]],
    allowance: _Allowance,
    marks: Marks | None,
    diagnosis: Diagnosis | None,
) -> QuestionView:
    anchor = f"question-{number}"
    asked: Question | None = next((item for item in master.questions if item.id == question.id), None)
    results = [test for test in result.tests if test.question == question.id]
    written = asked.written if asked else not results
    by_people = marks.by_people if marks else {}
    tests = [
        _test(master, test, f"{anchor}-test-{i}", by_people.get(test.id)) for i, test in enumerate(results, 1)
    ]
    passed = sum(test.outcome == PASSED for test in tests)
    score = marks.questions.get(question.id, question.score) if marks else question.score
    comment = printed(marks.comments.get(question.id, "")).strip("\n") if marks else ""
    # The engine decides one thing about a written answer: where nothing was written there are no points.
    if score is None:
        state = "Waiting to be graded by hand"
    elif question.id in by_people or (written and score):
        state = "Graded by hand"
    elif result.status == UNREADABLE:
        state = "Not graded"
    elif written:
        state = "Nothing was written"
    elif passed == len(tests) > 1:
        state = f"All {len(tests)} tests passed"
    else:
        state = f"{passed} of {count(len(tests), 'test')} passed"
    views = [
        view for view in (_view(kind, node, allowance) for kind, node in cells.get(question.id, ())) if view
    ]
    return QuestionView(
        anchor=anchor,
        title=question.title.replace("`", "") or question.id,
        score=score,
        max_score=question.max_score,
        written=written,
        state=state,
        tests=tests,
        comment=Block("", *cut(comment, ANSWER_CHARACTERS)) if not blank(comment) else None,
        causes=_causes(question.id, results, cells, diagnosis),
        answer=next((view for view in views if view.kind in ("answer", "written")), None),
        own=[view for view in views if view.kind == "own"],
        given=[view for view in views if view.kind == "given"],
    )


def _causes(
    question: str,
    tests: list[TestResult],
    cells: dict[str, list[tuple[str, NotebookNode]]],
    diagnosis: Diagnosis | None,
) -> tuple[str, ...]:
    """Why an answer fails: its cell stopped, so that its names do not exist; else what the bank knows."""
    undefined = any(test.reason == TestReason.UNDEFINED for test in tests)
    for kind, node in cells.get(question, ()) if undefined else ():
        for output in node.get("outputs", []) if kind == "answer" else ():
            if isinstance(output, dict) and output.get("output_type") == "error":
                what = f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}"
                return (
                    f"Your cell stopped with {printed(what)[:300]}. So nothing below that line was defined.",
                )
    return tuple(tell.replace("`", "") for tell in diagnosis.tells) if diagnosis else ()


def _test(master: Master, test: TestResult, anchor: str, by_person: float | None) -> TestView:
    message = printed(test.message).strip("\n")
    source = _visible_source(master, test)
    return TestView(
        anchor=anchor,
        name=test.name.replace("`", ""),
        outcome=test.outcome if test.outcome in words.OUTCOME else ERROR,
        word=words.OUTCOME.get(test.outcome, words.OUTCOME[ERROR]),
        score=test.score,
        points=test.points,
        by_person=by_person,
        hidden=test.hidden,
        message=Block("", *cut(message, MESSAGE_CHARACTERS)) if not blank(message) else None,
        source=source,
        comparison=view_of(test.comparison) if source and test.comparison else None,
    )


def _printed_lines(question: QuestionView) -> int:
    """How many lines on paper a question takes under "What to look at", where its tests are not listed."""
    said = [*question.causes, *([question.step.sentence] if question.step else [])]
    return 1 + (len(question.causes) > 1) + sum(1 + len(text) // LINE for text in said)


def _reasons(result: Result) -> list[str]:
    """Why a submission could not be read, in the engine's words. Other flags stay with the TAs."""
    if result.status != UNREADABLE:
        return []
    return [sentence(flag) for flag in result.flags if flag.kind == Flag.UNREADABLE]


def _repairs(result: Result) -> list[tuple[str, int, list[str]]]:
    """(sentence, how many, what exactly) for each kind of repair, in the order of the first of each."""
    kinds: dict[str, dict[str, list[str]]] = {}  # {kind: {sentence: cells}}
    for note in result.repairs:
        kinds.setdefault(note.kind, {}).setdefault(sentence(note), []).append(note.cell)
    listed = []
    for kind, details in kinds.items():
        lines = [_with_cells(cells, detail) for detail, cells in details.items()]
        lines = [line for line in lines if line]
        if len(lines) > LISTED:
            lines = [*lines[:LISTED], f"and {len(lines) - LISTED} more"]
        what = words.REPAIR.get(kind, kind.replace("_", " ").capitalize() + ".")
        listed.append((what, sum(map(len, details.values())), lines))
    return listed


def _with_cells(cells: list[str], detail: str) -> str:
    """A repair's detail behind the names of the cells that it tells of."""
    names = [name[:100] for name in dict.fromkeys(cells) if name]
    if len(names) > LISTED:
        names = [*names[:LISTED], f"and {len(names) - LISTED} more"]
    return ": ".join(part for part in (", ".join(names), detail[:500]) if part)


_TEMPLATE = environment([Path(__file__).parent]).get_template("page.html")
