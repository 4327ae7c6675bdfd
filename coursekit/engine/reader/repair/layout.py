"""The notebook that is graded: the master's cells in their order, with the student's answers and added cells."""

import ast
import builtins
import difflib
import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from coursekit.engine.reader.repair import code
from coursekit.engine.reader.repair.embedded import Pictures
from coursekit.engine.reader.repair.match import Matches, is_stub
from coursekit.engine.reader.repair.release import Release
from coursekit.engine.reader.repair.submitted import SubmittedCell
from coursekit.engine.reader.repair.written import restore_written_answers
from coursekit.engine.shared.master import (
    GIVEN,
    HIDDEN_BEGIN,
    NOT_REPEATED,
    SOLUTION_CELL,
    TEST,
    WRITTEN,
    WRITTEN_STUB,
    Cell,
    Question,
)
from coursekit.engine.shared.reasons import Flag, Repair, Values
from coursekit.engine.shared.result import Note

MAX_ADDED = 500  # cells that a student added; more than are written by hand
# Tags that decide what a page shows of a cell.
DISPLAY_TAG = re.compile(r"(?:hide|remove)[-_](?:input|output|cell)")
BUILTINS = frozenset(dir(builtins))


@dataclass(eq=False)  # two cells with the same text are two cells
class DraftCell:
    """One cell of the notebook that is graded, while it is put together: see `shared.rebuilt.RebuiltCell`."""

    kind: str
    source: str
    master: Cell | None  # the master's cell that it stands for; None: the student added it
    run: bool = True  # whether the student kernel executes it
    touched: bool = False  # an answer that is no longer the stub
    # Of a cell that is not repeated: as handed in, unchecked.
    outputs: list[Any] = field(default_factory=list)
    tree: ast.Module | None = field(default=None, repr=False)  # of the student's code
    pictures: Pictures = field(default_factory=dict)  # of the student's text

    @property
    def grade_id(self) -> str:
        """The master's cell's; "" if the student added this cell."""
        return self.master.grade_id if self.master is not None else ""

    @property
    def role(self) -> str:
        """The master's cell's; "" if the student added this cell."""
        return self.master.role if self.master is not None else ""

    @property
    def by_student(self) -> bool:
        """Whether the text is the student's: an answer that is no longer the stub, or a cell that was added."""
        return self.master is None or self.touched

    @cached_property
    def definitions(self) -> dict[str, ast.stmt]:
        return code.definitions(self.tree)

    @cached_property
    def helpers(self) -> set[str]:
        return code.helpers(self.tree)

    @cached_property
    def bound(self) -> set[str]:
        return code.bound(self.tree)


@dataclass
class Draft:
    """The notebook that is graded, while it is put together, and how it was repaired."""

    cells: list[DraftCell]
    repairs: list[Note] = field(default_factory=list)
    flags: list[Note] = field(default_factory=list)
    handed_in: list[tuple[str, str]] = field(default_factory=list)  # kind and source of each cell, as read
    is_notebook: bool = True  # or the notebook in another form; else some other Python or text file
    python: tuple[int, int] | None = None  # on which the notebook says that it ran

    @property
    def answered(self) -> int:
        """The number of answers that differ from the stub."""
        return sum(item.touched for item in self.cells)


def lay_out(release: Release, cells: list[SubmittedCell], matched: Matches, draft: Draft) -> None:
    """Add the cells to `draft`: the student's own follow the same cell of the master's as in the submission.

    Args:
        matched: {index of the master's cell: the submission's cell}.
    """
    order = [matched[index].index for index in sorted(matched)]
    if order != sorted(order):
        draft.repairs.append(Note(Repair.REORDERED))
    following = _added(cells, matched)
    restore_written_answers(release, matched, following, draft.repairs)
    count = sum(map(len, following.values()))
    if count > MAX_ADDED:
        draft.flags.append(Note(Flag.TOO_MANY_CELLS, values={"count": count, "limit": MAX_ADDED}))
    room = MAX_ADDED
    for index in range(-1, len(release.master.cells)):
        if index >= 0:
            _put(release, release.master.cells[index], matched.get(index), draft)
        draft.cells += (_added_cell(release, item) for item in following[index][:room])
        room = max(0, room - len(following[index]))


def _added_cell(release: Release, item: SubmittedCell) -> DraftCell:
    """Return a student's own cell. Code is run, but for tests and for copies of code that is not run again."""
    has_answer = bool(release.questions_in(item.defined_names))
    is_test = item.nbgrader.get("grade") and not item.nbgrader.get("solution")
    run = item.kind == "code" and (not is_test or has_answer)
    added = DraftCell(
        item.kind, item.source, None, run, tree=item.tree if run else None, pictures=item.pictures
    )
    # marimo writes some cells anew and keeps their tags. In a notebook, where cells have ids, an edit of one runs.
    is_marimos_copy = NOT_REPEATED in item.tags and not any(item.cell_ids) and not has_answer
    if run and (is_marimos_copy or item.single_spaced in release.not_repeated):
        added.run, added.outputs = False, item.outputs
    return added


def _added(cells: list[SubmittedCell], matched: Matches) -> dict[int, list[SubmittedCell]]:
    """Return {index of a cell of the master's, or -1: the student's own cells that follow it}."""
    masters_index = {item.index: index for index, item in matched.items()}
    following: dict[int, list[SubmittedCell]] = defaultdict(list)
    anchor = -1
    for item in cells:
        if item.index in masters_index:
            anchor = masters_index[item.index]
        elif not item.taken and (item.single_spaced or item.pictures):
            following[anchor].append(item)
    return following


def _put(release: Release, cell: Cell, item: SubmittedCell | None, draft: Draft) -> None:
    if cell.role == SOLUTION_CELL:
        _put_answer(release, cell, item, draft)
    elif cell.role == WRITTEN:
        touched = item is not None and not is_stub(release, cell, item)
        source = item.source if item is not None else WRITTEN_STUB
        pictures = item.pictures if item is not None else {}
        draft.cells.append(DraftCell("markdown", source, cell, False, touched, pictures=pictures))
        if item is None:
            draft.repairs.append(Note(Repair.MISSING_ANSWER, cell=cell.grade_id))
    elif cell.role == TEST:
        draft.cells.append(DraftCell("code", cell.source, cell, False))
        _check_test(release, cell, item, draft)
    else:
        _put_given(release, cell, item, draft)


def _put_answer(release: Release, cell: Cell, item: SubmittedCell | None, draft: Draft) -> None:
    if item is None:
        draft.cells.append(DraftCell("code", release.sources[cell.index], cell))
        return
    if item.kind != "code":
        draft.repairs.append(Note(Repair.CELL_TYPE_RESTORED, cell=cell.grade_id, values={"type": item.kind}))
    touched = not is_stub(release, cell, item)
    draft.cells.append(DraftCell("code", item.source, cell, touched=touched, tree=item.tree))


def _put_given(release: Release, cell: Cell, item: SubmittedCell | None, draft: Draft) -> None:
    run = cell.kind == "code" and cell.repeated
    draft.cells.append(DraftCell(cell.kind, cell.source, cell, run))
    if cell.kind != "code":
        return
    if not run:
        # Not repeated: the outputs that were handed in are kept, and an edit is ignored unless it holds an answer.
        draft.cells[-1].outputs = [] if item is None else item.outputs
        if item is not None and release.questions_in(item.defined_names):
            draft.cells.append(DraftCell("code", item.source, None, tree=item.tree))
        return
    if item is None:
        draft.repairs.append(Note(Repair.CELL_RESTORED, cell=cell.cell_id))
    elif item.kind != "code":
        draft.repairs.append(Note(Repair.GIVEN_TYPE_RESTORED, cell=cell.cell_id, values={"type": item.kind}))
    elif item.single_spaced and _is_edited(release, cell, item):
        # An import that a student added here is needed further down: run the edit after the original.
        draft.cells.append(DraftCell("code", item.source, None, tree=item.tree))
        draft.repairs.append(Note(Repair.GIVEN_EDITED, cell=cell.cell_id))


def _check_test(release: Release, cell: Cell, item: SubmittedCell | None, draft: Draft) -> None:
    """Note how the submission's copy of a test differed. The test that is run is always the master's."""
    if item is None:
        draft.repairs.append(Note(Repair.TEST_RESTORED, cell=cell.grade_id))
        return
    changed = _is_edited(release, cell, item)
    if item.kind != "code" or changed and not cell.hidden:
        draft.repairs.append(Note(Repair.TEST_EDITED, cell=cell.grade_id))
    if changed and HIDDEN_BEGIN not in item.source and (helpers := _helpers_in(release, item)):
        draft.cells.append(DraftCell("code", helpers, None, tree=code.parse(helpers)))
    points = item.nbgrader.get("points", cell.points)
    if isinstance(points, bool) or not isinstance(points, int | float) or points != cell.points:
        values: Values = {"claimed": str(points)[:40], "points": cell.points}
        draft.repairs.append(Note(Repair.POINTS_RESTORED, cell=cell.grade_id, values=values))
        draft.flags.append(Note(Flag.POINTS_TAMPERED, cell=cell.grade_id, values=values))
    if tags := sorted(tag for tag in set(item.tags) - set(cell.tags) if not DISPLAY_TAG.fullmatch(tag)):
        draft.flags.append(
            Note(Flag.TEST_TAMPERED, cell=cell.grade_id, values={"tags": ", ".join(tags)[:200]})
        )


def _is_edited(release: Release, cell: Cell, item: SubmittedCell) -> bool:
    return item.single_spaced != release.single_spaced[cell.index] and not code.same_code(
        item.source, cell.source
    )


def _helpers_in(release: Release, item: SubmittedCell) -> str:
    """Return the student's imports, functions and classes in a test cell, which an answer may need, as source."""
    body = item.tree.body if item.tree is not None else []
    helpers = [
        node
        for node in body
        if isinstance(node, code.FUNCTION_OR_CLASS | code.IMPORT)
        and code.dump(node) not in release.cells_of_statement
    ]
    return "\n".join(filter(None, (_source_of(node, item.source) for node in helpers)))


def _source_of(node: ast.stmt, source: str) -> str | None:
    """Return the source of a statement, with decorators, each of which stands on lines of its own."""
    text = ast.get_source_segment(source, node)
    decorators = getattr(node, "decorator_list", [])
    if text is None or not decorators:
        return text
    above = source.split("\n")[decorators[0].lineno - 1 : node.lineno - 1]
    return "\n".join([*above, text])


def find_misplaced_answers(release: Release, matched: Matches, draft: Draft) -> None:
    """Find answers in other cells where the stub is unchanged or missing, and move up the helpers that answers need.

    Args:
        matched: {index of the master's cell: the submission's cell}.
    """
    for question in release.master.questions:
        if not question.written:
            _find_misplaced(release, question, matched, draft)
    _move_helpers_up(release, draft)


def _find_misplaced(release: Release, question: Question, matched: Matches, draft: Draft) -> None:
    cells = draft.cells
    answer_cell = next(item for item in cells if item.grade_id == question.id)
    answered = release.answers(question, answer_cell.definitions)
    if others := set(question.names) - set(answer_cell.definitions):
        # An assignment may answer, too: softmax = np.vectorize(mine).
        answered |= answer_cell.bound & others
    adopted: list[DraftCell] = []
    for name in question.names:
        if (
            name in answered
            or answer_cell.touched
            and answer_cell.tree is None
            and name in code.defined_names(answer_cell.source)
        ):
            continue
        other = _other_cell_with(release, question, name, answer_cell, cells)
        if other is not None and other not in adopted:
            adopted.append(other)
    if not adopted:
        if answer_cell.master is not None and answer_cell.master.index not in matched:
            draft.repairs.append(Note(Repair.MISSING_ANSWER, cell=question.id))
        if not answered and not answer_cell.touched:
            _flag_near_misses(question, draft)
        return
    if not answer_cell.touched:
        answer_cell.run = False  # it would undo the answer
    for other in adopted:
        if other.master is None and (answer_cell.run or cells.index(other) > cells.index(answer_cell)):
            cells.remove(other)
            cells.insert(cells.index(answer_cell) + 1, other)
        draft.repairs.append(Note(Repair.ANSWER_FOUND_ELSEWHERE, cell=question.id))
    answer_cell.touched = True


def _other_cell_with(
    release: Release, question: Question, name: str, answer_cell: DraftCell, cells: list[DraftCell]
) -> DraftCell | None:
    """Return the last cell but the question's own that answers a name: it would count if all were run in order."""
    for other in reversed(cells):
        is_candidate = other.touched or other.master is None and other.run
        if is_candidate and other is not answer_cell and name in release.answers(question, other.definitions):
            return other
    return None


def _flag_near_misses(question: Question, draft: Draft) -> None:
    """Flag a definition with nearly the name that an unanswered question asks for: a person must look at it."""
    added = [item for item in draft.cells if item.master is None and item.run]
    added_names = [name for item in added for name in code.defined_names(item.source)]
    for required in question.names:
        similar = [name for name in added_names if required.lower() in name.lower()]
        similar += difflib.get_close_matches(required, added_names[:1000], cutoff=0.8)
        if similar:
            names = {"wanted": required, "found": similar[0][:80]}
            draft.flags.append(Note(Flag.MAYBE_AN_ANSWER, cell=question.id, values=names))
            return


def _move_helpers_up(release: Release, draft: Draft) -> None:
    """Move a student's own function or import above an answer that needs it."""
    cells = draft.cells
    answers = [item for item in cells if item.touched and item.run and item.tree is not None]
    answers += [
        item
        for item in cells
        if item.master is None and item.run and release.questions_in(set(item.definitions))
    ]
    for answer in answers:
        waiting = [answer]
        for _ in range(20):  # a helper may need a helper
            if not waiting:
                break
            needing = waiting.pop()
            position = cells.index(needing)
            below = [item for item in cells[position + 1 :] if item.master is None and item.run]
            if not below:
                continue
            needed = code.used(needing.tree) - BUILTINS - needing.bound
            if not needed:
                continue
            for item in cells[:position]:
                if item.master is not None and item.role in (GIVEN, TEST):
                    needed -= release.bound[item.master.index]
                elif item.run:
                    needed -= item.bound
            for item in below:
                if needed & item.helpers:
                    needed -= item.helpers
                    cells.remove(item)
                    cells.insert(cells.index(needing), item)
                    waiting.append(item)
                    whose = release.questions_in(set(answer.definitions))
                    name = answer.grade_id or min(whose, default="")
                    draft.repairs.append(Note(Repair.HELPER_MOVED, cell=name))
