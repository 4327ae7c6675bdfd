"""What to look at next in the notebook: for each question that has points left, where what it needs is taught."""

import re
from dataclasses import dataclass

from coursekit.engine.shared.master import GIVEN, Master
from coursekit.engine.shared.reasons import TestReason
from coursekit.engine.shared.result import PASSED, QuestionResult, Result, TestResult
from coursekit.gradebook.marks import Marks

HEADING = re.compile(r"(#{1,4})\s+(.*\S)")
LEAST = 1e-6  # points; less is none


@dataclass(frozen=True)
class Step:
    """What to do about a question."""

    left: float  # points that may still be had
    sentence: str


def next_steps(master: Master, result: Result, marks: Marks | None) -> dict[str, Step]:
    """{question: what to do} for those that have points left.

    A question that is still to be graded by hand is left out: nobody knows yet what is missing.
    """
    places = sections(master)
    written = {question.id for question in master.questions if question.written}
    steps = {}
    for question in result.questions:
        score = marks.questions.get(question.id, question.score) if marks else question.score
        if score is None or question.max_score - score < LEAST or question.id not in places:
            continue
        lost = [test for test in result.tests if test.question == question.id and test.outcome != PASSED]
        if question.id in written:
            what = _of_words(question, score, marks)
        elif not lost:  # a person took points off
            what = "Read {section} again, with the comment on your answer beside it."
        else:
            what = _of_code(lost)
        sentence = what.replace("{section}", f"section “{places[question.id]}”")
        steps[question.id] = Step(question.max_score - score, sentence)
    return steps


def _of_words(question: QuestionResult, score: float, marks: Marks | None) -> str:
    if marks and marks.comments.get(question.id):
        return "Read the comment on your answer, then {section} again."
    if score:
        return "Read {section} again, and compare your answer with what the question asks for."
    return "There are no points for this answer yet. Read {section}, then write an answer below the question."


def _of_code(lost: list[TestResult]) -> str:
    """What to do about tests that were not passed: first those that a student can run."""
    if all(test.reason == TestReason.NOT_ANSWERED for test in lost):
        return "Not answered yet. Read {section}, then fill in the question's cell."
    visible = [test for test in lost if not test.hidden]
    if not visible:
        return (
            "All tests that you can run pass, but hidden ones do not. Read the question in {section} again, word by "
            "word: is there a case in it that your code leaves out?"
        )
    name = visible[0].name.replace("`", "") or visible[0].id
    return f"Read {{section}} again, then run the test “{name}” in your notebook until it passes."


def sections(master: Master) -> dict[str, str]:
    """{question: the heading of the section that it is in}; where there is none, the question's own heading.

    A notebook's title is no section.
    """
    found: dict[str, str] = {}
    above: list[tuple[int, str]] = []  # the headings in force, outermost first
    for cell in master.cells:
        if cell.kind == "markdown" and cell.role == GIVEN:
            for line in cell.source.splitlines():
                if match := HEADING.match(line):
                    level = len(match[1])
                    above = [heading for heading in above if heading[0] < level] + [(level, match[2])]
        if cell.question == cell.grade_id and cell.question not in ("", *found) and above:
            outer = [text for level, text in above[:-1] if level > 1]
            found[cell.question] = (outer[-1] if outer else above[-1][1]).replace("`", "")
    return found
