"""The bank of answers: for each question, answers that must get full marks and answers that must not.

One file is one answer: `<question>_<slug>.py` in `answers/<week>/right/` or `answers/<week>/wrong/`. The code
below its docstring is the whole solution cell as a student would leave it. A wrong one's docstring is

    '''softmax: divides by the sum of everything.

    Question: softmax
    Fails: softmax_rows, softmax_hidden_axis
    Tell: The weights sum to 1 over the whole array: give the sum axis=axis and keepdims=True.
    '''

The first line says what the answer does differently. `Fails` lists exactly the tests that this answer fails:
every other test of the question passes. `Tell` is the one sentence that a student with this answer should
read. A right answer has neither. A field may run on over several lines.
"""

import ast
import difflib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from coursekit.course.config import Course, Week
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import Master

FORMAT = "docs/authoring.md in the tool's repository shows the format"
SIDES = ("right", "wrong")  # the folders of a week's bank
FIELD = re.compile(r"^(Question|Fails|Tell):[ \t]*", re.MULTILINE)


@dataclass(frozen=True)
class Answer:
    """One answer to one question."""

    question: str  # the question's id
    path: Path
    source: str  # of the solution cell, without the file's docstring
    summary: str  # what it does differently, one sentence
    right: bool
    fails: tuple[str, ...]  # grade_ids of exactly the tests that it fails, in the file's order; () when right
    tell: str  # what to tell a student who gave this answer; "" when right

    @property
    def name(self) -> str:
        """Its name in a message: `wrong/softmax_whole_array`."""
        return f"{self.path.parent.name}/{self.path.stem}"


def read_bank(course: Course, week: Week, only: str = "") -> list[Answer]:
    """Every answer of the week: the right ones, then the wrong ones, each by file name.

    Args:
        only: a question; files of the week's other questions are not read, and may still be unfinished.

    Raises:
        CourseError: a file does not follow the format, or names a question or test that the week's notebook
            does not have.
    """
    master = course.master(week)
    folder = course.answers(week)
    answers: list[Answer] = []
    for side in SIDES:
        paths = sorted((folder / side).glob("*.py"))
        if not paths:
            raise CourseError(f"{folder / side} holds no answers. Each is a .py file; {FORMAT}.")
        answers.extend(
            _read_answer(path, side == "right", master)
            for path in paths
            if not only or not is_of_another(path, only, master)
        )
    return answers


def is_of_another(path: Path, question: str, master: Master) -> bool:
    """Whether a file of the bank, however unfinished, names another question of the week than this one."""
    text = path.read_text(encoding="utf-8", errors="replace")
    named = re.search(r"^Question:[ \t]*(\w+)", text, re.MULTILINE)
    others = {other.id for other in master.questions if other.id != question}
    return named is not None and named[1] in others


def strays(course: Course, week: Week) -> list[str]:
    """A sentence for each thing in the bank that is not read as an answer: a folder or file with a typo in its name."""
    folder = course.answers(week)
    found: list[tuple[Path, str]] = []
    for path in sorted(folder.glob("[!._]*")):
        if not path.is_dir() or path.name not in SIDES:
            found.append((path, "is not read: answers are files in right/ and wrong/. Move it there."))
    for path in sorted(path for side in SIDES for path in (folder / side).glob("[!._]*")):
        if path.suffix != ".py" or path.is_dir():
            found.append((path, "is not read: an answer is a .py file."))
    known = [other.name for other in course.weeks]
    for path in sorted(folder.parent.glob("[!._]*")):
        if path.name not in known and difflib.get_close_matches(path.name, known, 1) == [week.name]:
            found.append((path, f"belongs to no week in course.toml. Did you mean {week.name}?"))
    return [f"{path.relative_to(course.root)} {problem}" for path, problem in found]


def together(answers: Iterable[Answer]) -> list[dict[str, Answer]]:
    """Put the answers together into as few notebooks as possible: in each, at most one to a question.

    Questions are independent of one another, so one notebook can carry an answer to each.
    """
    notebooks: list[dict[str, Answer]] = []
    numbers: Counter[str] = Counter()
    for answer in answers:
        if numbers[answer.question] == len(notebooks):
            notebooks.append({})
        notebooks[numbers[answer.question]][answer.question] = answer
        numbers[answer.question] += 1
    return notebooks


def _read_answer(path: Path, right: bool, master: Master) -> Answer:
    try:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
    except (OSError, ValueError, SyntaxError) as error:
        raise CourseError(
            f"{path} cannot be read as Python: {str(error).replace('<unknown>, ', '')}. Correct or remove it."
        ) from error
    docstring = ast.get_docstring(tree)
    if not docstring:
        raise CourseError(f"{path} has no docstring. Begin it with one; {FORMAT}.")
    head, *parts = FIELD.split(docstring)
    fields = {key: " ".join(value.split()) for key, value in zip(parts[::2], parts[1::2], strict=True)}
    wanted = ["Question"] if right else ["Question", "Fails", "Tell"]
    # `parts` still has a field that is given twice, which the dict has swallowed.
    if sorted(parts[::2]) != sorted(wanted) or not all(fields.values()):
        kind = "right" if right else "wrong"
        raise CourseError(
            f"{path}: the docstring of a {kind} answer needs {', '.join(wanted)}, each once and filled in;"
            f" this one has {', '.join(parts[::2]) or 'none of them'}."
        )
    coded = {question.id: question for question in master.questions if not question.written}
    name = fields["Question"]
    if name not in coded:
        raise CourseError(
            f"{path}: {master.week} has no question {name!r} with a solution cell. It has {', '.join(coded)}."
        )
    if not path.stem.startswith(f"{name}_"):
        raise CourseError(f"{path}: an answer to {name} is named {name}_<something>.py. Rename the file.")
    question = coded[name]
    label, _, summary = " ".join(head.split()).partition(": ")
    if label != question.id or not summary:
        raise CourseError(f"{path}: begin the docstring with '{question.id}: ' and what the answer does.")
    fails = tuple(name.strip() for name in fields.get("Fails", "").split(",") if name.strip())
    if not right and not fails:
        raise CourseError(f"{path}: 'Fails' names no test. A wrong answer fails at least one.")
    if unknown := [name for name in fails if name not in question.tests]:
        raise CourseError(
            f"{path}: 'Fails' names {unknown[0]!r}, which is not a test of {question.id}."
            f" Its tests are {', '.join(question.tests)}."
        )
    if len(set(fails)) != len(fails):
        raise CourseError(f"{path}: 'Fails' names a test twice. Name each once.")
    end = tree.body[0].end_lineno  # the docstring's last line: the answer is below it
    source = "\n".join(text.split("\n")[end:]).strip("\n")
    if not source.strip():
        raise CourseError(f"{path} has no code below its docstring. Write the solution cell there.")
    return Answer(question.id, path, source, summary, right, fails, fields.get("Tell", ""))
