"""Find out whether a submission answers nothing although somebody has worked on it: then a person has to look."""

import ast
import re

from coursekit.engine.reader.repair import code
from coursekit.engine.reader.repair.layout import Draft, DraftCell
from coursekit.engine.reader.repair.match import Matches
from coursekit.engine.reader.repair.release import Release, normal_words
from coursekit.engine.reader.repair.submitted import SubmittedCell
from coursekit.engine.shared.master import SOLUTION_CELL, WRITTEN, Question
from coursekit.engine.shared.reasons import Flag, Repair
from coursekit.engine.shared.result import Note

FEW_LINES = 3  # of code; fewer show a value, mount a drive or install a package
FEW_WORDS = 8  # a name and a number have fewer
MAX_NAMED = 5  # functions and classes in one flag
TAG = re.compile(r"<[^<>]*>")
PICTURE = re.compile(r"\]\((?:attachment|data):|<img\b", re.IGNORECASE)
BADGE = "view-in-github"  # the cell id of the link that Colab puts on top


def flag_if_nothing_recognised(
    release: Release, cells: list[SubmittedCell], matched: Matches, draft: Draft
) -> None:
    """Note that no question for code is answered, unless the release was handed in as it is, or nearly so.

    Args:
        cells: of the submission.
        matched: those that are the master's.
        draft: the notebook that is graded; the notes are added to it.
    """
    coded = [question for question in release.master.questions if not question.written]
    if any(_answers(release, question, draft) for question in coded or release.master.questions):
        return
    answer_cells = [cell for cell in release.master.cells if cell.role in (SOLUTION_CELL, WRITTEN)]
    touched = {item.role for item in draft.cells if item.touched}
    untouched = SOLUTION_CELL not in touched and any(cell.index in matched for cell in answer_cells)
    if untouched and not any(_is_work(release, cell, WRITTEN in touched) for cell in cells):
        return
    names = sorted({name for cell in cells for name in cell.defined_names if not _is_given(release, cell)})
    found = ", ".join(name[:40] for name in names[:MAX_NAMED]) or "no function and no class"
    draft.repairs.append(Note(Repair.NOTHING_RECOGNISED, values={"found": found}))
    draft.flags.append(Note(Flag.NOTHING_RECOGNISED, values={"found": found}))


def _answers(release: Release, question: Question, draft: Draft) -> bool:
    """Return whether a cell answers a question, even if its code is not Python or its names come from another file."""
    names = set(question.names)
    for item in draft.cells:
        is_answer_cell = item.grade_id == question.id
        if question.written:
            if is_answer_cell and item.touched:
                return True
        elif is_answer_cell or item.master is None and item.run:
            defined = release.answers(question, item.definitions) | names & _bound_otherwise(item)
            if defined or _has_star_import(item):
                return True
            if item.tree is None and item.by_student and names & code.defined_names(item.source):
                return True
    return False


def _bound_otherwise(item: DraftCell) -> set[str]:
    """Return the names that a cell binds in another way than by a definition at its left margin."""
    names = item.bound - set(item.definitions)
    blocks: list[ast.AST] = (
        [node for node in item.tree.body if not isinstance(node, code.FUNCTION_OR_CLASS)] if item.tree else []
    )
    while blocks:  # `if`, `try`, `with`
        for node in ast.iter_child_nodes(blocks.pop()):
            if isinstance(node, code.FUNCTION_OR_CLASS):
                names.add(node.name)
            else:
                blocks.append(node)
    return names


def _has_star_import(item: DraftCell) -> bool:
    return item.tree is not None and any(
        isinstance(node, code.IMPORT) and any(alias.name == "*" for alias in node.names)
        for node in item.tree.body
    )


def _is_given(release: Release, cell: SubmittedCell) -> bool:
    """Return whether a cell is one of the release's, perhaps edited, or holds a text of it."""
    return cell.taken or cell.single_spaced in release.texts


def _is_work(release: Release, cell: SubmittedCell, has_words: bool) -> bool:
    """Return whether a cell that is none of the release's holds more than a remark or a few commands.

    Args:
        has_words: a written question is answered, so that words need not be anything else.
    """
    if _is_given(release, cell) or BADGE in cell.cell_ids:
        return False
    if cell.kind != "code":
        if has_words:
            return False
        words = normal_words(TAG.sub(" ", cell.source)).split()
        return len(words) >= FEW_WORDS or PICTURE.search(cell.source) is not None
    lines = [line.strip() for line in cell.source.split("\n")]
    own = [line for line in lines if line and not line.startswith(("!", "%", "import ", "from "))]
    return bool(cell.defined_names) or len(own) >= FEW_LINES
