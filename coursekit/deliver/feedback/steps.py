"""What to do next in the notebook: for each question with points left, the section to read and how to go on."""

import re
from dataclasses import dataclass

from coursekit.deliver.feedback import messages
from coursekit.engine.shared.master import GIVEN, Master
from coursekit.engine.shared.reasons import LACKING, TestReason
from coursekit.engine.shared.result import PASSED, Note, QuestionResult, Result, TestResult
from coursekit.gradebook.marks import Marks

HEADING = re.compile(r"(#{1,4})\s+(.*\S)")
MIN_LOST = 1e-6  # points; fewer count as none


@dataclass(frozen=True)
class Step:
    """The next step for a question."""

    left: float  # points that the student has not got
    sentence: str


def next_steps(master: Master, result: Result, marks: Marks | None) -> dict[str, Step]:
    """Return {question: next step} for the questions that have points left.

    Left out are questions still to be graded by hand, and those with no heading above them.
    """
    headings = sections(master)
    written = {question.id for question in master.questions if question.written}
    flags = unmet_requirements(result)
    steps = {}
    for question in result.questions:
        score = marks.questions.get(question.id, question.score) if marks else question.score
        if score is None or question.max_score - score < MIN_LOST or question.id not in headings:
            continue
        lost = [test for test in result.tests if test.question == question.id and test.outcome != PASSED]
        if question.id in written:
            advice = _advice_on_words(question, score, marks)
        elif flag := flags.get(question.id):
            advice = messages.unmet_requirement(flag, was_looked_at(marks))[1]
        elif not lost:  # a person took points off
            advice = "Read {section} again, with the comment on your answer beside it."
        else:
            advice = _advice_on_code(lost, score)
        sentence = advice.replace("{section}", f"section “{headings[question.id]}”")
        steps[question.id] = Step(question.max_score - score, sentence)
    return steps


def unmet_requirements(result: Result) -> dict[str, Note]:
    """Return {question: its flag} of answers that lost points and need something that grading does not have."""
    return {flag.cell: flag for flag in result.flags if flag.kind in LACKING}


def was_looked_at(marks: Marks | None) -> bool:
    """Return whether a TA has cleared the submission's flags."""
    return marks is not None and not marks.flagged


def _advice_on_words(question: QuestionResult, score: float, marks: Marks | None) -> str:
    if marks and marks.comments.get(question.id):
        return "Read the comment on your answer, then {section} again."
    if score:
        return "Read {section} again, and compare your answer with what the question asks for."
    return "There are no points for this answer yet. Read {section}, then write an answer below the question."


def _advice_on_code(lost: list[TestResult], score: float) -> str:
    """Return advice on the first visible test that was not passed; on hidden ones if there is no such test."""
    if all(test.reason == TestReason.NOT_ANSWERED for test in lost):
        missing = "A part is not answered yet." if score else "Not answered yet."
        return f"{missing} Read {{section}}, then fill in the question's cell."
    visible = [test for test in lost if not test.hidden]
    if not visible:
        found = any(test.message for test in lost)
        return "All visible tests of this question pass, but not all hidden ones do. Read {section} again" + (
            ", with their messages beside it." if found else ", word by word."
        )
    name = visible[0].name.replace("`", "") or visible[0].id
    return f"Read {{section}} again, then run the test “{name}” in your notebook until it passes."


def sections(master: Master) -> dict[str, str]:
    """Return {question: the heading of its section, or its own heading if it is in none}.

    The notebook's title does not count as a section.
    """
    headings: dict[str, str] = {}
    above: list[tuple[int, str]] = []  # the headings in force, outermost first
    for cell in master.cells:
        if cell.kind == "markdown" and cell.role == GIVEN:
            fenced = False
            for line in cell.source.splitlines():
                fenced ^= line.lstrip().startswith(("```", "~~~"))
                if not fenced and (match := HEADING.match(line)):
                    level = len(match[1])
                    above = [heading for heading in above if heading[0] < level] + [(level, match[2])]
        if cell.question == cell.grade_id and cell.question not in ("", *headings) and above:
            outer = [text for level, text in above[:-1] if level > 1]
            headings[cell.question] = (outer[-1] if outer else above[-1][1]).replace("`", "")
    return headings
