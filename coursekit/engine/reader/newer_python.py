"""Find answers that this Python cannot read, because their syntax is of a newer one.

What students' notebooks run on may be newer than the grader: what is right there would be a syntax error here. The
parser is mypy's (ast_serialize). It knows the syntax of newer Pythons, and needs time in proportion to the text.
"""

import ast
import sys
from collections.abc import Sequence

from ast_serialize import parse

from coursekit.engine.reader.repair import Draft, DraftCell, code
from coursekit.engine.shared.master import Master, Question
from coursekit.engine.shared.reasons import Flag
from coursekit.engine.shared.result import Note
from coursekit.engine.shared.syntax import PARSER_LOCK

HERE = sys.version_info[:2]
NEWEST = (3, 15)  # whose syntax the parser knows
TEMPLATE_STRINGS = (3, 14)  # the first with t"..."


def newer_python_flags(master: Master, draft: Draft) -> list[Note]:
    """Return a flag for each question whose answer, or a cell that it needs, has the syntax of a newer Python.

    There is none if the notebook says that it ran on a Python that has not got this syntax either.
    """
    unread = [(cell, version) for cell in _unread(draft.cells) if (version := first_python(cell.source))]
    if draft.python is not None:
        unread = [(cell, version) for cell, version in unread if version <= draft.python]
    flags = []
    for question in master.questions if unread else ():
        answers = [cell for cell in draft.cells if _answers(cell, question)]
        needed = _needed(answers, draft.cells)
        versions = [
            version
            for cell, version in unread
            if cell in answers or not needed.isdisjoint(code.names_at_margin(cell.source))
        ]
        if versions:
            values = {"needs": _in_words(max(versions)), "here": _in_words(HERE)}
            flags.append(Note(Flag.NEWER_PYTHON, cell=question.id, values=values))
    return flags


def first_python(source: str) -> tuple[int, int] | None:
    """Return the first newer Python that can read a cell; None if this one can, or none that the parser knows."""
    if code.parse(source) is not None or len(source) > code.MAX_PARSED:
        return None
    for text in code.python_of(source):
        if _is_syntax_error(text) and _reads(NEWEST, text):
            versions = ((3, minor) for minor in range(HERE[1] + 1, NEWEST[1]))
            return next((version for version in versions if _reads(version, text)), NEWEST)
    return None


def _is_syntax_error(text: str) -> bool:
    """Return whether it is the syntax that keeps this Python from reading a text, and not the depth of its nesting."""
    try:
        with PARSER_LOCK:
            compile(text, "cell", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError:
        return True
    except (ValueError, RecursionError, MemoryError, OverflowError):
        pass
    return False


def _reads(version: tuple[int, int], text: str) -> bool:
    _, errors, _, _, found = parse("cell", text, python_version=version)
    return not errors and (version >= TEMPLATE_STRINGS or not found["uses_template_strings"])


def _unread(cells: Sequence[DraftCell]) -> list[DraftCell]:
    """Return the student's cells that are run and that this Python cannot read."""
    return [cell for cell in cells if cell.run and cell.tree is None and cell.by_student]


def _answers(cell: DraftCell, question: Question) -> bool:
    """Return whether a cell is the question's own, or another one that is run and defines one of its names."""
    if cell.master is not None:
        return cell.run and cell.grade_id == question.id
    return cell.run and not code.names_at_margin(cell.source).isdisjoint(question.names)


def _needed(answers: Sequence[DraftCell], cells: Sequence[DraftCell]) -> set[str]:
    """Return the names that answers use, and those that the student's own cells need to define them."""
    own = [cell for cell in cells if cell.master is None and cell.run]
    needed: set[str] = set()
    waiting = list(answers)
    while waiting:
        cell = waiting.pop()
        needed |= code.used(cell.tree) - cell.bound - code.parameters(cell.tree)
        waiting += [cell for cell in own if cell.bound & needed]
        own = [cell for cell in own if not cell.bound & needed]
    return needed


def _in_words(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))
