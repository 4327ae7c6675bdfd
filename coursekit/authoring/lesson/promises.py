"""The promises of docstrings: each sentence that a student reads has an answer in the bank that breaks it alone.

`answers/<week>/promises.toml` has a table for each question, with a line for each sentence of its docstrings:

    [softmax]
    "It is not changed." = ["softmax_in_place"]
    "axis: the axis along which scores compete; a negative axis counts from the end." = ["softmax_axis_ignored"]
    "x: numpy array of integers or floats with any number of dimensions." = "says what tests may pass in"

The list names wrong answers to the question, without `.py`. Since the bank says of each which tests it fails, each of
these sentences has a test. A text in place of the list says why no answer can break the sentence.
"""

import ast
import re
import tomllib
from collections.abc import Iterator

from coursekit.course.bank import read_bank
from coursekit.course.config import Course, Week
from coursekit.engine.shared.master import Master, Question

FILE = "promises.toml"
HEADINGS = {"Args:", "Returns:", "Raises:", "Yields:", "Attributes:", "Note:", "Example:", "Examples:"}


def check_promises(course: Course, week: Week, master: Master) -> Iterator[str]:
    """Yield a sentence for each line of a docstring without a row in the table, and for each row that is wrong."""
    path = course.answers(week) / FILE
    if not path.parent.is_dir():
        return  # another check reports that
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        yield f"{path} cannot be read: {error}. It lists the sentences of the week's docstrings."
        return
    wrong = {(answer.question, answer.path.stem) for answer in read_bank(course, week) if not answer.right}
    for question in master.questions:
        if question.written:
            continue
        rows = table.pop(question.id, {})
        if not isinstance(rows, dict):
            yield f"{FILE} has no table [{question.id}], but a value of this name"
            continue
        promised = list(sentences(master, question))
        for sentence in promised:
            if sentence not in rows:
                yield f"{FILE} has no row for this sentence of {question.id}: {sentence}"
        for sentence, broken_by in rows.items():
            if sentence not in promised:
                yield f"{FILE} has a row for {question.id} that is in no docstring of it: {sentence}"
            elif not broken_by or not isinstance(broken_by, str | list):
                yield f"{FILE} names no answer that breaks this sentence of {question.id}, and no reason: {sentence}"
            elif isinstance(broken_by, list):
                for name in broken_by:
                    if (question.id, name) not in wrong:
                        yield f"{FILE}: {name} is no wrong answer to {question.id} in the bank"
    for name in table:
        yield f"{FILE} has a table [{name}], but no question of the week has this id"


def sentences(master: Master, question: Question) -> Iterator[str]:
    """Yield the sentences of the docstrings in a question's solution cell, in order, on one line each."""
    for node in ast.walk(ast.parse(master.solutions[question.id])):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield from _split(ast.get_docstring(node) or "")


def _split(docstring: str) -> Iterator[str]:
    """Yield a docstring's sentences; a paragraph, and each argument in a list of them, begins a new one."""
    paragraphs: list[list[str]] = [[]]
    for line in docstring.splitlines():
        if not line.strip() or line.strip() in HEADINGS:
            paragraphs.append([])
        elif re.match(r" {4}\*{0,2}\w+(, \*{0,2}\w+)*: ", line):
            paragraphs.append([line.strip()])
        else:
            paragraphs[-1].append(line.strip())
    for lines in filter(None, paragraphs):
        yield from re.split(r"(?<=[.!?]) +(?=[A-Z`(])", " ".join(lines))
