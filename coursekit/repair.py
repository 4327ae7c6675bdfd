"""Repair: from whatever a student handed in to a notebook with the master's structure and the student's answers.

Each of the master's cells is looked for in the submission by grade id, then cell id, then the id that Colab keeps
in the metadata, then the source. Given and test cells are the master's whatever the submission says; only answers,
cells that the student added and the student's edits of given code are taken from it. Every mend is recorded.
"""

import ast
import difflib
import json
from collections import defaultdict
from dataclasses import dataclass, field

import nbformat

from coursekit.helpers import definitions_for
from coursekit.master import (
    GIVEN,
    HIDDEN,
    SOLUTION_CELL,
    TEST,
    WRITTEN,
    Cell,
    Master,
    defined_names,
)
from coursekit.result import Note

SIMILAR = 0.6  # difflib ratio from which two sources count as the same cell, edited
MAX_ADDED = 500  # cells that a student added; nobody writes more by hand
WRITTEN_STUB = "YOUR ANSWER HERE"


class Unreadable(Exception):
    """The submission is not a notebook. The message says why, for the student."""


@dataclass
class RebuiltCell:
    """One cell of the notebook that is graded."""

    kind: str
    source: str
    master: Cell | None  # None: the student added it
    run: bool = True  # whether the student kernel executes it
    touched: bool = False  # an answer that is no longer the stub
    outputs: list = field(default_factory=list)  # of a cell that is not repeated: as handed in, unchecked


@dataclass
class Rebuilt:
    """The notebook that is graded, and what was done to get it."""

    cells: list[RebuiltCell]
    repairs: list[Note] = field(default_factory=list)
    flags: list[Note] = field(default_factory=list)


@dataclass
class Submitted:
    """One cell of the submission, with every field checked to be what it should be."""

    index: int
    kind: str
    source: str
    ids: tuple[str, ...]  # cell id, Colab's id
    grade_id: str
    grader: dict
    tags: tuple[str, ...]
    outputs: list  # as handed in, unchecked
    taken: bool = False


def rebuild(master: Master, data: bytes) -> Rebuilt:
    """Mend a submission.

    Args:
        master: the week's master.
        data: the bytes that were handed in.

    Raises:
        Unreadable: they are not a notebook.
    """
    rebuilt = Rebuilt([])
    cells = _read(data, rebuilt.repairs)
    found = _match(master, cells, rebuilt.repairs)
    _check_order(found, rebuilt.repairs)
    _lay_out(master, cells, found, rebuilt)
    _adopt_answers(master, rebuilt)
    _bring_helpers(master, rebuilt)
    return rebuilt


def _read(data: bytes, repairs: list[Note]) -> list[Submitted]:
    """The cells of a submission, or the reason why there are none."""
    if not data.strip():
        raise Unreadable("The file is empty. Save the notebook again and hand in the new file.")
    text = _decode(data)
    try:
        content = json.loads(text)
    except RecursionError:
        raise Unreadable("The file is nested too deeply to be a notebook.") from None
    except ValueError as error:
        cut = "ends too early: it was cut off" if _is_cut(text, error) else "is not a notebook (not JSON)"
        raise Unreadable(f"The file {cut}. Save the notebook again and hand in the new file.") from None
    if not isinstance(content, dict):
        raise Unreadable("The file is JSON, but not a notebook.")
    if isinstance(content.get("worksheets"), list):
        try:
            content = nbformat.convert(nbformat.from_dict(content), 4)
        except Exception as error:
            raise Unreadable(
                f"The notebook is of an old format that cannot be converted ({error})."
            ) from None
        repairs.append(Note("format_upgraded", "", "The notebook was in the old format 3."))
    if not isinstance(content.get("cells"), list):
        raise Unreadable("The file is JSON, but it has no cells, so it is not a notebook.")
    cells = []
    for item in content["cells"]:
        if not isinstance(item, dict):
            continue
        metadata = item.get("metadata")
        metadata = metadata if isinstance(metadata, dict) else {}
        grader = metadata.get("nbgrader")
        grader = grader if isinstance(grader, dict) else {}
        tags = metadata.get("tags")
        source = item.get("source", "")
        if isinstance(source, list):
            source = "".join(part for part in source if isinstance(part, str))
        kind = item.get("cell_type")
        cells.append(
            Submitted(
                index=len(cells),
                kind=kind if kind in ("code", "markdown", "raw") else "raw",
                source=_clean(source) if isinstance(source, str) else "",
                ids=tuple(
                    _clean(name) for name in (item.get("id"), metadata.get("id")) if isinstance(name, str)
                ),
                grade_id=_clean(name) if isinstance(name := grader.get("grade_id"), str) else "",
                grader=grader,
                tags=tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else (),
                outputs=outputs if isinstance(outputs := item.get("outputs"), list) else [],
            )
        )
    return cells


def _decode(data: bytes) -> str:
    """Text of a file that an editor may have saved in its own way."""
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig")):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    return data.decode("utf-8", "replace")


def _is_cut(text: str, error: ValueError) -> bool:
    opening = text.lstrip()[:1] == "{"
    return opening and isinstance(error, json.JSONDecodeError) and not text.rstrip().endswith("}")


def _clean(text: str) -> str:
    """Text that can be written as UTF-8: lone surrogates replaced, line ends as Python has them."""
    return text.encode("utf-8", "replace").decode().replace("\r\n", "\n").replace("\r", "\n")


def _match(master: Master, cells: list[Submitted], repairs: list[Note]) -> dict[int, Submitted]:
    """Which submitted cell is which of the master's: {master index: submitted cell}."""
    found: dict[int, Submitted] = {}

    def take(cell: Cell, candidates: list[Submitted]) -> bool:
        candidates = [item for item in candidates if not item.taken]
        if not candidates:
            return False
        chosen = _best(master, cell, candidates)
        chosen.taken = True
        found[cell.index] = chosen
        if len(candidates) > 1:
            detail = (
                f"The notebook has {len(candidates)} cells of this name; the last one with an answer counts."
            )
            repairs.append(Note("duplicate_dropped", cell.grade_id or cell.cell_id, detail))
            for other in candidates:
                # Copies of given, test and unanswered cells would only undo what is there.
                if cell.role != SOLUTION_CELL or same_code(other.source, master.stub(cell)):
                    other.taken = True
        return True

    by_grade, by_id = defaultdict(list), defaultdict(list)
    for item in cells:
        if item.grade_id:
            by_grade[item.grade_id].append(item)
        for name in dict.fromkeys(item.ids):
            by_id[name].append(item)
    for cell in master.cells:
        if cell.grade_id:
            take(cell, by_grade[cell.grade_id])
    for cell in master.cells:
        if cell.index not in found and cell.cell_id and take(cell, by_id[cell.cell_id]):
            _note_metadata(cell, repairs)
    for cell in master.cells:  # the same text
        if cell.index not in found and (wanted := _text(visible(master, cell))):
            same = [item for item in cells if not item.taken and _text(item.source) == wanted]
            if same:
                take(cell, same[:1])
                _note_metadata(cell, repairs)
    for question in master.questions:  # an answer by the names that it defines
        cell = next(item for item in master.cells if item.grade_id == question.id)
        if cell.index not in found and not question.written:
            defining = [
                item
                for item in cells
                if not item.taken
                and not item.grade_id
                and set(question.names) & set(defined_names(item.source))
            ]
            if defining and take(cell, defining[-1:]):
                _note_metadata(cell, repairs)
    for cell in master.cells:  # nearly the same text
        if cell.index not in found:
            free = [item for item in cells if not item.taken and item.kind == cell.kind]
            scored = [(_similarity(visible(master, cell), item.source), -item.index, item) for item in free]
            ratio, _, nearest = max(scored, default=(0.0, 0, None))
            if ratio >= SIMILAR:
                take(cell, [nearest])
                _note_metadata(cell, repairs)
    for cell in master.cells:  # an answer that is like nothing else, by the cells around it
        if cell.index not in found and cell.role in (SOLUTION_CELL, WRITTEN):
            between = _between_neighbours(cell, cells, found)
            if between and take(cell, between[:1]):
                _note_metadata(cell, repairs)
    return found


def _between_neighbours(cell: Cell, cells: list[Submitted], found: dict[int, Submitted]) -> list[Submitted]:
    """Cells of the right kind that stand where this one should: behind its neighbour above, before the one below."""
    above, below = found.get(cell.index - 1), found.get(cell.index + 1)
    if above is None:
        return []
    end = below.index if below is not None else len(cells)
    return [
        item
        for item in cells[above.index + 1 : end]
        if not item.taken and item.kind == cell.kind and item.source.strip()
    ]


def _best(master: Master, cell: Cell, candidates: list[Submitted]) -> Submitted:
    """Of several copies of a cell, the one that counts: the last with an answer in it."""
    if cell.role in (SOLUTION_CELL, WRITTEN):
        answered = [item for item in candidates if not _is_stub(master, cell, item.source)]
        return (answered or candidates)[-1]
    return candidates[0]


def _note_metadata(cell: Cell, repairs: list[Note]) -> None:
    if cell.role != GIVEN:
        detail = "The cell had lost its grading metadata; it was recognised by its id or its text."
        repairs.append(Note("metadata_restored", cell.grade_id, detail))


def _check_order(found: dict[int, Submitted], repairs: list[Note]) -> None:
    order = [found[index].index for index in sorted(found)]
    if order != sorted(order):
        repairs.append(Note("reordered", "", "Cells stood in another order; they were put back."))


def _lay_out(master: Master, cells: list[Submitted], found: dict[int, Submitted], rebuilt: Rebuilt) -> None:
    """The master's cells in the master's order, the student's own cells behind the cell that they followed."""
    owner = {item.index: index for index, item in found.items()}
    behind: dict[int, list[Submitted]] = defaultdict(list)
    anchor = -1
    for item in cells:
        if item.index in owner:
            anchor = owner[item.index]
        elif not item.taken and item.source.strip():
            behind[anchor].append(item)
    added = 0

    def put_added(index: int) -> None:
        nonlocal added
        for item in behind[index]:
            added += 1
            if added > MAX_ADDED:
                continue
            # What looks like a test cell but is none of the master's would only be a test the student wrote.
            run = item.kind == "code" and not (item.grader.get("grade") and not item.grader.get("solution"))
            rebuilt.cells.append(RebuiltCell(item.kind, item.source, None, run))

    put_added(-1)
    for cell in master.cells:
        item = found.get(cell.index)
        match cell.role:
            case "solution":
                _put_answer(master, cell, item, rebuilt)
            case "written":
                touched = item is not None and not _is_stub(master, cell, item.source)
                source = item.source if item is not None else WRITTEN_STUB
                rebuilt.cells.append(RebuiltCell("markdown", source, cell, False, touched))
                if item is None:
                    rebuilt.repairs.append(
                        Note("missing_answer", cell.grade_id, "The cell for the answer is gone.")
                    )
            case "test":
                rebuilt.cells.append(RebuiltCell("code", cell.source, cell, False))
                _check_test(cell, item, rebuilt)
            case _:
                _put_given(cell, item, rebuilt)
        put_added(cell.index)
    if added > MAX_ADDED:
        detail = f"The notebook has {added} cells of the student's own; only the first {MAX_ADDED} were run."
        rebuilt.flags.append(Note("too_many_cells", "", detail))


def _put_answer(master: Master, cell: Cell, item: Submitted | None, rebuilt: Rebuilt) -> None:
    stub = master.stub(cell)
    if item is None:
        rebuilt.cells.append(RebuiltCell("code", stub, cell))
        rebuilt.repairs.append(Note("missing_answer", cell.grade_id, "The cell for the answer is gone."))
        return
    touched = not same_code(item.source, stub)
    rebuilt.cells.append(RebuiltCell("code", item.source, cell, touched=touched))
    if item.kind != "code":
        detail = f"The answer stood in a {item.kind} cell; it was run as code."
        rebuilt.repairs.append(Note("cell_type_restored", cell.grade_id, detail))


def _put_given(cell: Cell, item: Submitted | None, rebuilt: Rebuilt) -> None:
    run = cell.kind == "code" and "skip-grading" not in cell.tags
    rebuilt.cells.append(RebuiltCell(cell.kind, cell.source, cell, run))
    if cell.kind != "code":
        return
    if not run:
        # Not repeated: what the student's notebook shows is kept, and an edit of it is the student's own affair.
        rebuilt.cells[-1].outputs = [] if item is None else item.outputs
        return
    name = cell.cell_id
    if item is None:
        rebuilt.repairs.append(Note("cell_restored", name, "A given cell was missing; it was put back."))
    elif item.kind == "code" and item.source.strip() and not same_code(item.source, cell.source):
        # An import that a student added here is needed further down: run the edit too, behind the original.
        rebuilt.cells.append(RebuiltCell("code", item.source, None))
        rebuilt.repairs.append(
            Note("given_edited", name, "A given cell was edited; the original and the edit both ran.")
        )


def _check_test(cell: Cell, item: Submitted | None, rebuilt: Rebuilt) -> None:
    """Tests are the master's in any case; say so where the submission's differed."""
    if item is None:
        rebuilt.repairs.append(
            Note("test_restored", cell.grade_id, "The test cell was missing; it was put back.")
        )
        return
    if not cell.hidden and (item.kind != "code" or not same_code(item.source, cell.source)):
        rebuilt.repairs.append(
            Note("test_restored", cell.grade_id, "The test cell was edited; the original was run.")
        )
    points = item.grader.get("points", cell.points)
    if isinstance(points, bool) or not isinstance(points, int | float) or points != cell.points:
        detail = f"The cell claimed {str(points)[:40]} points instead of {cell.points:g}."
        rebuilt.repairs.append(Note("points_restored", cell.grade_id, detail))
        rebuilt.flags.append(Note("test_tampered", cell.grade_id, detail))
    if tags := sorted(set(item.tags) - set(cell.tags)):
        detail = f"The test cell carried the tags {', '.join(tags)[:200]}, which the release does not have."
        rebuilt.flags.append(Note("test_tampered", cell.grade_id, detail))


def _adopt_answers(master: Master, rebuilt: Rebuilt) -> None:
    """Answers that stand in another cell while the stub stays, or is gone."""
    for question in master.questions:
        if question.written:
            continue
        place = next(
            position
            for position, item in enumerate(rebuilt.cells)
            if item.master is not None and item.master.grade_id == question.id
        )
        stub = rebuilt.cells[place]
        if stub.touched:
            continue
        for position in range(len(rebuilt.cells) - 1, -1, -1):
            other = rebuilt.cells[position]
            own = other.master is None and other.run or (other.touched and other.kind == "code")
            if other is stub or not own or not set(question.names) & set(_functions(other.source)):
                continue
            stub.run = False  # it would undo the answer
            detail = "The answer stands in another cell of the notebook; it was graded from there."
            rebuilt.repairs.append(Note("answer_found_elsewhere", question.id, detail))
            if other.master is None and position > place:
                rebuilt.cells.insert(place + 1, rebuilt.cells.pop(position))
            break


def _bring_helpers(master: Master, rebuilt: Rebuilt) -> None:
    """Definitions that an answer needs and that stand behind its tests: they run before it as well."""
    cells = rebuilt.cells
    place = 0
    while place < len(cells):
        if not (cells[place].touched and cells[place].kind == "code"):
            place += 1
            continue
        end = next((n for n in range(place, len(cells)) if _is_test(cells[n])), len(cells))
        known = {name for cell in cells[:end] if cell.run for name in defined_names(cell.source)}
        later = [cell.source for cell in cells[end:] if cell.run and (cell.master is None or cell.touched)]
        answer = "\n".join(cell.source for cell in cells[place:end] if cell.run)
        names, source = definitions_for(answer, known | set(master.names), later)
        if names:
            cells.insert(place, RebuiltCell("code", source, None))
            detail = f"The answer uses {', '.join(names)[:200]}, defined further down; that was run first."
            rebuilt.repairs.append(Note("helper_moved", cells[place + 1].master.grade_id, detail))
            end += 1
        place = end


def _is_test(cell: RebuiltCell) -> bool:
    return cell.master is not None and cell.master.role == TEST


def _functions(source: str) -> list[str]:
    """Names of the functions and classes that a cell defines at its top level."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]


def visible(master: Master, cell: Cell) -> str:
    """What a student's notebook holds where the master has this cell."""
    if cell.role == SOLUTION_CELL:
        return master.stub(cell)
    if cell.role == WRITTEN:
        return WRITTEN_STUB
    if cell.role == TEST and cell.hidden:
        return HIDDEN.sub("", cell.source)
    return cell.source


def same_code(one: str, other: str) -> bool:
    """Whether two cells are the same program: comments and layout do not count."""
    if _text(one) == _text(other):
        return True
    try:
        return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _is_stub(master: Master, cell: Cell, source: str) -> bool:
    if cell.role == WRITTEN:
        return _text(source) in ("", _text(WRITTEN_STUB))
    return same_code(source, master.stub(cell))


def _text(source: str) -> str:
    return " ".join(source.split())


def _similarity(one: str, other: str) -> float:
    if not one.strip() or not other.strip() or len(one) > 20_000 or len(other) > 20_000:
        return 0.0
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    # Cheap upper bounds first: most pairs are nothing alike.
    if matcher.real_quick_ratio() < SIMILAR or matcher.quick_ratio() < SIMILAR:
        return 0.0
    return matcher.ratio()
