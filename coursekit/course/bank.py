"""The answer bank: for each question, answers that must get full marks and answers that must not.

One file is one answer: `<question>_<slug>.py` in `answers/<week>/right/` or `answers/<week>/wrong/`. The code
below its docstring is the whole solution cell as a student would leave it. A wrong one's docstring is

    '''softmax: divides by the sum of everything.

    Question: softmax
    Mistakes: concept
    Deserves: 40 %
    Fails: softmax_rows, softmax_hidden_axis
    Tell: The weights sum to 1 over the whole array: give the sum axis=axis and keepdims=True.
    '''

The first line says how the answer differs from a right one. `Fails` lists exactly the tests that this answer fails:
every other test of the question passes. `Tell` is the one sentence that a student with this answer should
read. `Mistakes` says of each thing that is wrong whether it is a slip or a concept (`concept, slip`), and `Deserves`
which share of the question's points its author finds right; both may be missing. `Exception` says why the answer's
marks are another share all the same. A right answer has none of these fields. A field may run on over several lines.
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
FIELD = re.compile(r"^(Question|Mistakes|Deserves|Exception|Fails|Tell):[ \t]*", re.MULTILINE)
# The fields that the docstring of an answer may have.
_WRONG = ["Question", "Fails", "Tell"]
FIELDS = {
    "right": [["Question"]],
    "wrong": [_WRONG, [*_WRONG, "Mistakes", "Deserves"], [*_WRONG, "Mistakes", "Deserves", "Exception"]],
}
SLIP = "slip"  # a mistake of somebody who has understood what the question is about
CONCEPT = "concept"  # a mistake that shows that something which the question is about is not understood


@dataclass(frozen=True)
class Answer:
    """One answer to one question."""

    question: str  # the question's id
    path: Path
    source: str  # the solution cell, without the file's docstring
    summary: str  # one sentence: what it does, or how it differs from a right one
    right: bool
    fails: tuple[str, ...]  # grade_ids of exactly the tests that it fails, in the file's order; () when right
    tell: str  # a sentence for students with this answer; "" when right
    mistakes: tuple[str, ...] = ()  # SLIP or CONCEPT for each thing that is wrong; () when not stated
    deserves: float = 0.0  # share of the question's points that the author finds right; 0 when not stated
    exception: str = ""  # why the answer cannot get about that share; "" where nothing is said

    @property
    def name(self) -> str:
        """Its name in a message: `wrong/softmax_whole_array`."""
        return f"{self.path.parent.name}/{self.path.stem}"


def read_bank(course: Course, week: Week, only: str = "") -> list[Answer]:
    """Return every answer of the week: the right ones, then the wrong ones, each sorted by file name.

    Args:
        only: a question; files that name another question of the week are left out, and may still be unfinished.

    Raises:
        CourseError: right/ or wrong/ has no answers; a file does not follow the format, or names a question or test
            that the week's notebook does not have; or that notebook is missing or broken.
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
            if not only or not is_of_another_question(path, only, master)
        )
    return answers


def is_of_another_question(path: Path, question: str, master: Master) -> bool:
    """Return whether a file of the bank, however unfinished, names a question of the week other than this one."""
    text = path.read_text(encoding="utf-8", errors="replace")
    named = re.search(r"^Question:[ \t]*(\w+)", text, re.MULTILINE)
    others = {other.id for other in master.questions if other.id != question}
    return named is not None and named[1] in others


def strays(course: Course, week: Week) -> list[str]:
    """Return a sentence for each file or folder in the bank that is not read as an answer, such as a misspelt one."""
    folder = course.answers(week)
    problems: list[tuple[Path, str]] = []
    for path in sorted(folder.glob("[!._]*")):
        if path.suffix != ".toml" and (not path.is_dir() or path.name not in SIDES):  # a check's own table
            problems.append((path, "is not read: answers are files in right/ and wrong/. Move it there."))
    for path in sorted(path for side in SIDES for path in (folder / side).glob("[!._]*")):
        if path.suffix != ".py" or path.is_dir():
            problems.append((path, "is not read: an answer is a .py file."))
    week_names = [other.name for other in course.weeks]
    for path in sorted(folder.parent.glob("[!._]*")):
        if path.name not in week_names and difflib.get_close_matches(path.name, week_names, 1) == [week.name]:
            problems.append((path, f"belongs to no week in course.toml. Did you mean {week.name}?"))
    return [f"{path.relative_to(course.root)} {problem}" for path, problem in problems]


def fewest_notebooks(answers: Iterable[Answer]) -> list[dict[str, Answer]]:
    """Return the answers in as few notebooks as possible, each as {question: answer}.

    Questions are tested with reference definitions of their prerequisites, so one notebook can have an answer to each.
    """
    notebooks: list[dict[str, Answer]] = []
    counts: Counter[str] = Counter()
    for answer in answers:
        if counts[answer.question] == len(notebooks):
            notebooks.append({})
        notebooks[counts[answer.question]][answer.question] = answer
        counts[answer.question] += 1
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
    kind = "right" if right else "wrong"
    # `parts` has a repeated field twice, unlike the dict.
    if sorted(parts[::2]) not in map(sorted, FIELDS[kind]) or not all(fields.values()):
        raise CourseError(
            f"{path}: the docstring of a {kind} answer needs {', '.join(FIELDS[kind][0])}, each once and filled in"
            f"{'' if right else '; Mistakes and Deserves may follow, and with them Exception'};"
            f" this one has {', '.join(parts[::2]) or 'none of them'}."
        )
    with_code = {question.id: question for question in master.questions if not question.written}
    name = fields["Question"]
    if name not in with_code:
        raise CourseError(
            f"{path}: {master.week} has no question {name!r} with a solution cell. It has {', '.join(with_code)}."
        )
    if not path.stem.startswith(f"{name}_"):
        raise CourseError(f"{path}: an answer to {name} is named {name}_<something>.py. Rename the file.")
    question = with_code[name]
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
    mistakes = tuple(name.strip() for name in fields.get("Mistakes", "").split(",") if name.strip())
    if ("Mistakes" in fields and not mistakes) or not {SLIP, CONCEPT}.issuperset(mistakes):
        raise CourseError(
            f"{path}: 'Mistakes' is {fields['Mistakes']!r}. It says {SLIP!r} or {CONCEPT!r} for each thing that is"
            " wrong, with commas between them."
        )
    share = re.fullmatch(r"(\d+) ?%", fields.get("Deserves", "0 %"))
    if share is None or int(share[1]) > 100:
        raise CourseError(f"{path}: 'Deserves' is a share of the question's points, from 0 % to 100 %.")
    end = tree.body[0].end_lineno  # the docstring's last line; the answer is below it
    source = "\n".join(text.split("\n")[end:]).strip("\n")
    if not source.strip():
        raise CourseError(f"{path} has no code below its docstring. Write the solution cell there.")
    return Answer(
        question.id,
        path,
        source,
        summary,
        right,
        fails,
        fields.get("Tell", ""),
        mistakes,
        int(share[1]) / 100,
        fields.get("Exception", ""),
    )
