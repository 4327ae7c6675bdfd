"""The student's page: one HTML file for a submission, readable on its own, from a result, its notebook and its marks.

The page shows the student's own text escaped, and only PNG pictures. Of a hidden test it shows the name, the outcome
and the message. Flags are for TAs and are left out, except what the grader lacks and the reason why a file could not be
read.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from nbformat import NotebookNode

from coursekit.course.config import ALL, NOTHING, Course, Shown, Week
from coursekit.deliver.feedback import messages
from coursekit.deliver.feedback.comparison import ComparisonView, view_of
from coursekit.deliver.feedback.notebook import (
    ANSWER_CHARACTERS,
    Block,
    CellView,
    PageBudget,
    cell_views,
    cells_by_question,
    error_line,
    read_notebook,
)
from coursekit.deliver.feedback.regrades import regrade_paragraphs
from coursekit.deliver.feedback.steps import Step, next_steps, unmet_requirements, was_looked_at
from coursekit.deliver.feedback.withheld import withhold, without_outputs
from coursekit.deliver.templates import Templates, count, write_page
from coursekit.deliver.text import is_blank, terminal_text
from coursekit.engine.coordinator.sentences import sentence
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import HIDDEN_BEGIN, Master
from coursekit.engine.shared.reasons import Flag, Repair, TestReason
from coursekit.engine.shared.result import (
    ERROR,
    FAILED,
    FAULT,
    PASSED,
    UNREADABLE,
    QuestionResult,
    Result,
    TestResult,
)
from coursekit.gradebook.marks import Marks
from coursekit.grading.diagnosis import Diagnosis, Mistake, diagnose
from coursekit.grading.regrades import Regrade, read_regrades

MESSAGE_CHARACTERS = 4_000
MAX_QUOTED = 400  # characters of a message under "What to look at"
FOUND = (Repair.CONVERTED, Repair.NOTHING_RECOGNISED)  # repairs that say what a file without answers is
SUMMARY_LINES = 28  # that "What to look at" may take in a printed summary
LINE_CHARACTERS = 100  # of one printed line
MAX_LISTED = 30  # cells, or sentences, under one kind of repair


@dataclass
class TestView:
    __test__ = False  # not a class for pytest to collect

    result: TestResult
    anchor: str
    name: str
    outcome: str
    by_person: float | None  # the points that a person gave instead
    message: Block | None
    source: str  # of a visible test
    comparison: ComparisonView | None  # of a visible test


@dataclass
class QuestionView:
    result: QuestionResult
    anchor: str
    title: str
    score: float | None
    written: bool
    state: str
    tests: list[TestView]
    comment: Block | None  # a person's, on the answer
    causes: tuple[str, ...]  # probable causes of the failures; if there are several, only one of them applies
    most_precise: TestView | None  # of the tests with a message that were not passed, where no cause is known
    cells: list[CellView]
    step: Step | None  # the next thing to do in the notebook

    @property
    def missed(self) -> list[TestView]:
        """The tests that were not passed."""
        return [test for test in self.tests if test.outcome != PASSED]

    @property
    def summary_lines(self) -> int:
        """The question's printed lines under "What to look at", without its tests."""
        texts = [*self.causes, *([self.step.sentence] if self.step else [])]
        if self.most_precise and self.most_precise.message:
            texts.append(self.most_precise.message.text[:MAX_QUOTED])
        return (
            1
            + (len(self.causes) > 1)
            + sum(1 + len(line) // LINE_CHARACTERS for text in texts for line in text.splitlines())
        )


def render(
    master: Master,
    result: Result,
    notebook: NotebookNode | None,
    title: str = "",
    marks: Marks | None = None,
    mistakes: Sequence[Mistake] = (),
    times: Sequence[str] = (),
    regrades: Sequence[Regrade] = (),
    hidden_tests: Shown = ALL,
) -> str:
    """Return a submission's page as HTML that can be encoded in UTF-8.

    Args:
        master: the week's master, from which the source of the visible tests comes.
        result: the submission's result.
        notebook: the graded notebook; None when there is none.
        title: the week's title; if empty, the page shows the week's name.
        marks: the submission's row of the gradebook, with people's marks and comments and the late penalty. Without
            it, the page shows only the points in the result.
        mistakes: the bank's known ones; the page says which of them an answer makes.
        times: the page's first line: course, week, when it was handed in and graded.
        regrades: the submission's regrades, the oldest first.
        hidden_tests: what the page says of them. Unless it is ALL, it shows neither what cells printed while grading,
            nor regrades, nor a cause where only hidden tests failed; with NOTHING, no marks either.
    """
    found = diagnose(result, mistakes)
    if hidden_tests != ALL:
        visible = {test.question for test in result.tests if test.outcome != PASSED and not test.hidden}
        found = {question: diagnosis for question, diagnosis in found.items() if question in visible}
        result, notebook, regrades = (
            withhold(result, hidden_tests),
            notebook and without_outputs(notebook),
            (),
        )
        marks = None if hidden_tests == NOTHING else marks
    builder = _PageBuilder(master, result, notebook, marks, mistakes, found)
    questions = [builder.question(question, number) for number, question in enumerate(result.questions, 1)]
    # Those with most points lost first; then those to which a person gave all points although a test failed.
    unsolved = sorted(
        (view for view in questions if view.step or view.missed),
        key=lambda view: -view.step.left if view.step else 0.0,
    )
    nothing_found = all(question.score is not None for question in result.questions) and any(
        note.kind == Repair.NOTHING_RECOGNISED for note in result.repairs
    )
    status = (
        messages.NOTHING_FOUND
        if nothing_found
        else messages.STATUS[FAULT if result.faulty else result.status]
    )
    return _TEMPLATES.render(
        "page.html",
        master=master,
        result=result,
        title=title or master.week,
        status=status,
        found=[sentence(note) for note in result.repairs if note.kind in FOUND] if nothing_found else [],
        unreadable=result.status == UNREADABLE,
        reasons=[sentence(flag) for flag in result.flags if flag.kind == Flag.UNREADABLE],
        repairs=_repairs(result),
        questions=questions,
        tests=sum(len(question.tests) for question in questions),
        missed=sum(len(question.missed) for question in questions),
        waiting=[question for question in questions if question.score is None],
        open=unsolved,
        max_quoted=MAX_QUOTED,
        crowded=sum(view.summary_lines for view in unsolved) > SUMMARY_LINES,
        commented=[question for question in questions if question.comment],
        marks=marks,
        times=times,
        regraded=regrade_paragraphs(regrades, result, marks.by_people if marks else {}),
        before=cell_views(builder.cells, "", builder.budget),
        withheld=messages.WITHHELD.get(hidden_tests, ""),
        no_notebook=notebook is None and result.status != UNREADABLE,
    )


def feedback_page(
    course: Course,
    week: Week,
    student: str,
    marks: Marks | None = None,
    mistakes: Sequence[Mistake] = (),
    hidden_tests: Shown = ALL,
) -> str:
    """Return the page of a student's stored result, as HTML.

    Args:
        marks: the student's row of `coursekit.gradebook.marks.marks`, if there is one.
        mistakes: as `coursekit.grading.diagnosis.known_mistakes` returns them.
        hidden_tests: what the page says of them.

    Raises:
        CourseError: there is no readable result.
    """
    folder = course.autograded(student, week)
    result = Result.read(folder / "result.json")
    if result is None:
        raise CourseError(f"{folder / 'result.json'} is missing or damaged. Run `course grade {week.name}`.")
    return render(
        course.master(week),
        replace(result, student=student),  # the folder says whose page this is
        read_notebook(folder / f"{week.notebook}.ipynb", result.hashes.get("notebook")),
        week.title,
        marks,
        mistakes,
        _times(course, week, folder / "result.json", marks),
        read_regrades(folder, result),
        hidden_tests,
    )


def write_feedback(
    course: Course,
    week: Week,
    student: str,
    marks: Marks | None = None,
    mistakes: Sequence[Mistake] = (),
    hidden_tests: Shown = ALL,
) -> Path:
    """Write `feedback/<student>/<week>/<notebook>.html` and return its path.

    Args: those of `feedback_page`.

    Raises:
        CourseError: there is no readable result, the id cannot name a folder, or the page cannot be written.
    """
    if student in ("", ".", "..") or "/" in student or "\\" in student or "\x00" in student:
        raise CourseError(f"{student!r} cannot be a student's folder. Use a name without slashes.")
    page = feedback_page(course, week, student, marks, mistakes, hidden_tests)
    return write_page(course.feedback(student, week) / f"{week.notebook}.html", page)


def _times(course: Course, week: Week, result: Path, marks: Marks | None) -> list[str]:
    """Return course, week, when it was handed in (if known; in the due time's zone), and when it was graded."""
    times = [course.title, week.name]
    if marks is not None and marks.handed_in_at is not None:
        handed_in_at = marks.handed_in_at.replace(tzinfo=UTC).astimezone(week.due.tzinfo if week.due else UTC)
        times.append(f"handed in {handed_in_at:%Y-%m-%d %H:%M %Z}")
    graded = datetime.fromtimestamp(result.stat().st_mtime, UTC)
    return [*times, f"graded {graded:%Y-%m-%d}"]


class _PageBuilder:
    """Builds the page's questions, in the notebook's order: each takes its share of the page's budget."""

    def __init__(
        self,
        master: Master,
        result: Result,
        notebook: NotebookNode | None,
        marks: Marks | None,
        mistakes: Sequence[Mistake],
        diagnoses: dict[str, Diagnosis],
    ):
        self.cells, self.budget = cells_by_question(master, notebook), PageBudget()
        self._result, self._marks = result, marks
        self._by_people = marks.by_people if marks else {}
        self._unmet_requirements, self._looked_at = unmet_requirements(result), was_looked_at(marks)
        self._diagnoses, self._steps = diagnoses, next_steps(master, result, marks)
        # How many known mistakes each test refuses: one that refuses few says more about an answer that fails it.
        self._mistakes_refused_by = Counter(test for mistake in mistakes for test in mistake.traces)
        self._written = {question.id: question.written for question in master.questions}
        # The source of each cell that is not hidden: tests are looked up in it.
        self._sources = {
            cell.grade_id: cell.source
            for cell in master.cells
            if not cell.hidden and HIDDEN_BEGIN not in cell.source
        }

    def question(self, question: QuestionResult, number: int) -> QuestionView:
        anchor, marks = f"question-{number}", self._marks
        results = [test for test in self._result.tests if test.question == question.id]
        tests = [self._test(test, f"{anchor}-test-{position}") for position, test in enumerate(results, 1)]
        score = marks.questions.get(question.id, question.score) if marks else question.score
        written = self._written.get(question.id, not results)
        comment = marks.comments.get(question.id, "") if marks else ""
        causes = self._causes(question.id, results)
        not_passed = [
            test
            for test in tests
            if test.outcome != PASSED and test.message and test.result.reason != TestReason.NOT_ANSWERED
        ]
        most_precise = min(
            not_passed,
            key=lambda test: (test.outcome != FAILED, self._mistakes_refused_by[test.result.id]),
            default=None,
        )
        return QuestionView(
            result=question,
            anchor=anchor,
            title=question.title.replace("`", "") or question.id,
            score=score,
            written=written,
            state=self._state(question.id, score, written, tests),
            tests=tests,
            comment=_text_block(comment, ANSWER_CHARACTERS),
            causes=causes,
            most_precise=None if causes else most_precise,
            cells=cell_views(self.cells, question.id, self.budget),
            step=self._steps.get(question.id),
        )

    def _test(self, test: TestResult, anchor: str) -> TestView:
        source = "" if test.hidden else self._sources.get(test.id, "")
        return TestView(
            result=test,
            anchor=anchor,
            name=test.name.replace("`", ""),
            outcome=test.outcome if test.outcome in messages.OUTCOME else ERROR,
            by_person=self._by_people.get(test.id),
            message=_text_block(test.message, MESSAGE_CHARACTERS),
            source=source,
            comparison=view_of(test.comparison) if source and test.comparison else None,
        )

    def _state(self, question: str, score: float | None, written: bool, tests: list[TestView]) -> str:
        """Return the state of an answer in a few words."""
        passed = sum(test.outcome == PASSED for test in tests)
        if score is None:
            return "Waiting to be graded by hand"
        # The engine decides only one thing about a written answer: if nothing was written, it gets no points.
        if question in self._by_people or (written and score):
            return "Graded by hand"
        if self._result.status == UNREADABLE:
            return "Not graded"
        if written:
            return "Nothing was written"
        if question in self._unmet_requirements and not self._looked_at and passed < len(tests):
            return "A person will look at it"
        if passed == len(tests) > 1:
            return f"All {len(tests)} tests passed"
        return f"{passed} of {count(len(tests), 'test')} passed"

    def _causes(self, question: str, tests: list[TestResult]) -> tuple[str, ...]:
        """Return why an answer fails: what grading lacks; its cell's error if a name is undefined; the bank's words."""
        if flag := self._unmet_requirements.get(question):
            return (messages.unmet_requirement(flag, self._looked_at)[0],)
        undefined = any(test.reason == TestReason.UNDEFINED for test in tests)
        for kind, node in self.cells.get(question, ()) if undefined else ():
            for output in node.get("outputs", []) if kind == "answer" else ():
                if isinstance(output, dict) and output.get("output_type") == "error":
                    error_text = terminal_text(error_line(output))[:300]
                    return (
                        f"Your cell stopped with {error_text}, before it had defined a name that the tests use.",
                    )
        diagnosis = self._diagnoses.get(question)
        return tuple(tell.replace("`", "") for tell in diagnosis.tells) if diagnosis else ()


def _text_block(text: str, limit: int) -> Block | None:
    """Return a message or a comment as a terminal shows it; None if there is nothing to see."""
    text = terminal_text(text).strip("\n")
    return None if is_blank(text) else Block.of_text(text, limit)


def _repairs(result: Result) -> list[tuple[str, int, list[str]]]:
    """Return (sentence, how many, details) for each kind of repair, in the order of their first occurrence."""
    kinds: dict[str, dict[str, list[str]]] = {}  # {kind: {sentence: cells}}
    for note in result.repairs:
        kinds.setdefault(note.kind, {}).setdefault(sentence(note), []).append(note.cell)
    repairs = []
    for kind, details in kinds.items():
        lines = []
        for detail, cells in details.items():
            names = _first([name[:100] for name in dict.fromkeys(cells) if name])
            lines.append(": ".join(part for part in (", ".join(names), detail[:500]) if part))
        summary = messages.REPAIR.get(kind, kind.replace("_", " ").capitalize() + ".")
        repairs.append((summary, sum(map(len, details.values())), _first(list(filter(None, lines)))))
    return repairs


def _first(texts: list[str]) -> list[str]:
    """Return the first MAX_LISTED texts and, if there are more, their number."""
    return [*texts[:MAX_LISTED], f"and {len(texts) - MAX_LISTED} more"] if len(texts) > MAX_LISTED else texts


_TEMPLATES = Templates("feedback", skip_link_to="feedback", outcomes=messages.OUTCOME)
