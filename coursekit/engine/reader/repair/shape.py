"""Join cells that were split, and split cells that were merged, so that each holds one answer at most."""

import ast
import re
from itertools import groupby
from operator import itemgetter

from coursekit.engine.reader.repair import code
from coursekit.engine.reader.repair.release import LONG_STATEMENT, Release, compared_lines
from coursekit.engine.reader.repair.submitted import SubmittedCell
from coursekit.engine.shared import cell_magics
from coursekit.engine.shared.reasons import Repair
from coursekit.engine.shared.result import Note

MAX_CODE = 2_000_000  # characters of a student's own code that are read as Python
MAX_JOINS = 300  # attempts in one submission to join cells
MAX_PARTS = 4  # cells that are joined into one, at most
# The beginning of a text cell in a notebook that has code cells only (Databricks, Zeppelin), or of one for IPython.
WORDS = re.compile(r"\s*(?:%md(?:-sandbox)?|%%(?:markdown|latex|html))(?=\s|\Z)[ \t]*\n?")
PYTHON = re.compile(r"\s*%(?:\w+\.)?(?:python|ipython|pyspark)[ \t]*\n")
REGISTERS = re.compile(r"cell_magic|register_magic|alias_magic")  # in a cell that defines magics of its own
BLOCK = re.compile(r"\n[ \t]*\n(?=\S)")  # a blank line, and a line that begins at the left margin

# What a statement belongs to: a question's id, the index of a cell of the master's, or neither.
Label = str | int | None


def reshape(cells: list[SubmittedCell], release: Release, repairs: list[Note]) -> list[SubmittedCell]:
    """Return the cells, each with one answer at most."""
    characters_left = MAX_CODE
    magic_definitions = [cell.source for cell in cells if REGISTERS.search(cell.source)]
    for cell in cells:
        if cell.kind == "code" and cell.single_spaced not in release.texts:
            _remove_language(cell)
        if _is_own(cell, release):
            characters_left -= len(cell.source)
            cell.unparsed = characters_left < 0  # it is not read as Python
        if cell.kind == "code":
            if _is_own(cell, release):
                _comment_out_unknown_magics(cell, release, magic_definitions, repairs)
                if cell.tree is None:
                    _restore_characters(cell, repairs)
        elif release.questions_in(cell.defined_names) and cell.single_spaced not in release.texts:
            cell.become(code.fenced(cell.source) or cell.source)  # the code in a text cell
    shaped = []
    for cell in _join_split_cells(cells, release, repairs):
        pieces = _split_merged_cell(cell, release)
        if len(pieces) > 1:
            repairs.append(Note(Repair.CELLS_PARTED, cell=cell.grade_id))
        shaped += [part for piece in pieces for part in _split_text(piece, release)]
    for index, cell in enumerate(shaped):
        cell.index = index
    return shaped


def _is_own(cell: SubmittedCell, release: Release) -> bool:
    """Return whether a cell holds code that may be the student's and is read as Python; a released cell does not."""
    return cell.kind == "code" and not cell.unparsed and cell.single_spaced not in release.texts


def _remove_language(cell: SubmittedCell) -> None:
    """Remove the line that names a cell's language; a cell of words becomes a text cell."""
    if words := WORDS.match(cell.source):
        cell.kind = "markdown"
        cell.become(cell.source[words.end() :])
        cell.take_pictures_out()
    elif python := PYTHON.match(cell.source):
        cell.become(cell.source[python.end() :])


def _comment_out_unknown_magics(
    cell: SubmittedCell, release: Release, magic_definitions: list[str], repairs: list[Note]
) -> None:
    """Make comments of magics that do not exist while grading, where the lines below them are Python.

    Args:
        magic_definitions: cells that define magics of their own; those that they name are left.
    """
    rows = cell.source.split("\n")
    skipped = []
    for number, row in enumerate(rows):
        if not row.strip():
            continue
        name = cell_magics.first_magic(row)
        if not name or name in cell_magics.OTHER_LANGUAGES:
            break
        if name not in cell_magics.KNOWN and not any(
            re.search(rf"\b{name}\b", text) for text in magic_definitions
        ):
            rows[number] = f"# {row}"
            skipped.append(name)
    below = "\n".join(rows)
    if skipped and (code.parse(below) is not None or release.questions_in(code.defined_names(below))):
        cell.become(below)
        repairs += [
            Note(Repair.MAGIC_SKIPPED, cell=cell.grade_id, values={"name": name[:40]}) for name in skipped
        ]


def _restore_characters(cell: SubmittedCell, repairs: list[Note]) -> None:
    if (plain := code.in_plain_characters(cell.source)) is not None:
        cell.become(plain)
        repairs.append(Note(Repair.CHARACTERS_RESTORED, cell=cell.grade_id))


def _join_split_cells(
    cells: list[SubmittedCell], release: Release, repairs: list[Note]
) -> list[SubmittedCell]:
    """Return the cells; neighbours that are Python only together are joined."""
    result: list[SubmittedCell] = []
    position = attempts = 0
    while position < len(cells):
        cell = cells[position]
        position += 1
        result.append(cell)
        if not _is_own(cell, release) or attempts > MAX_JOINS:
            continue
        parts = [cell]
        for other in cells[position : position + MAX_PARTS - 1]:
            if not _is_own(other, release):
                break
            parts.append(other)
            if all(part.tree is not None for part in parts[-2:]):
                break
            attempts += 1
            joined = "\n".join(part.source for part in parts)
            if code.parse(joined) is not None:
                target = next((part for part in parts if part.grade_id), cell)
                target.become(joined)
                result[-1] = target
                position += len(parts) - 1
                repairs.append(Note(Repair.CELLS_JOINED, cell=target.grade_id))
                break
    return result


def _split_text(cell: SubmittedCell, release: Release) -> list[SubmittedCell]:
    """Return the release's text cells in a text, and the text between them, as cells.

    A file that is no notebook may not say where one text cell ends and the next begins. A notebook's cells have names.
    """
    if cell.kind == "code" or cell.grade_id or any(cell.cell_ids) or cell.single_spaced in release.texts:
        return [cell]
    rows = cell.source.split("\n")
    lines = list(map(code.single_spaced, rows))
    pieces, begin, position = [], 0, 0
    while position < len(lines):
        end = release.text_cell_at(lines, position) if lines[position] else position
        if end > position:
            pieces += [rows[begin:position], rows[position:end]]
            begin = position = end
        else:
            position += 1
    texts = ["\n".join(piece).strip() for piece in (*pieces, rows[begin:])]
    return [SubmittedCell(cell.kind, text) for text in texts if text] if pieces else [cell]


def _split_merged_cell(cell: SubmittedCell, release: Release) -> list[SubmittedCell]:
    """Return a cell's answers, its copies of the master's cells, and the code between them as cells."""
    questions = release.questions_in(cell.defined_names)
    if cell.unparsed or len(cell.source) > code.MAX_PARSED:
        return [cell]
    if cell.single_spaced in release.texts or cell.kind != "code" and (not questions or cell.tree is None):
        return [cell]
    if len(questions) < 2 and len(questions) + len(_released_cells_in(cell, release)) < 2:
        return [cell]
    # If the cell is not Python, a mistake costs only its own paragraph.
    blocks = [cell.source] if cell.tree is not None else BLOCK.split(cell.source)
    pieces = [piece for block in blocks for piece in _pieces(block, release)]
    groups = [
        (label, "\n".join(source for _, source in group).strip("\n"))
        for label, group in groupby(pieces, key=itemgetter(0))
    ]
    if len({label for label, _ in groups if label is not None}) < 2:
        return [cell]  # an answer, or a cell of the course, with lines of the student's own around it
    return _as_cells(cell, groups, release)


def _released_cells_in(cell: SubmittedCell, release: Release) -> set[int]:
    """Return the index of each master's cell that alone has one of this cell's long lines."""
    long_lines = [line for line in compared_lines(cell.source) if len(line) > 20]
    candidates = [release.cells_of_line.get(line, ()) for line in long_lines]
    return {index for indexes in candidates if len(indexes) == 1 for index in indexes}


def _pieces(source: str, release: Release) -> list[tuple[Label, str]]:
    """Return (label, source) of each statement; comments go with the statement below them."""
    tree = code.parse(source)
    if tree is None or not tree.body:
        questions = release.questions_in(code.defined_names(source))
        return [(questions.pop() if len(questions) == 1 else None, source)]
    labels = _labels(tree.body, release)
    rows = source.split("\n")
    pieces, start = [], 0
    for number, (node, label) in enumerate(zip(tree.body, labels, strict=True)):
        last = number == len(tree.body) - 1
        end = len(rows) if last else node.end_lineno or node.lineno
        if not last and tree.body[number + 1].lineno <= end:  # two statements on one line
            labels[number + 1] = label
            continue
        pieces.append((label, "\n".join(rows[start:end])))
        start = end
    return pieces


def _labels(body: list[ast.stmt], release: Release) -> list[Label]:
    """Return the label of each statement.

    A short one (`x = 3`) or an import gets an index only next to another statement of that cell.
    """
    # A question's id, or the indexes of all the master's cells that hold the statement.
    options = [release.label(node) for node in body]
    labels: list[Label] = [
        option
        if isinstance(option, str)
        else option[0]
        if len(option) == 1 and len(code.dump(node)) >= LONG_STATEMENT and not isinstance(node, code.IMPORT)
        else None
        for node, option in zip(body, options, strict=True)
    ]
    for positions, to_neighbour in ((range(1, len(body)), -1), (range(len(body) - 2, -1, -1), 1)):
        for position in positions:
            neighbour = labels[position + to_neighbour]
            if labels[position] is None and isinstance(neighbour, int) and neighbour in options[position]:
                labels[position] = neighbour
    return labels


def _as_cells(cell: SubmittedCell, groups: list[tuple[Label, str]], release: Release) -> list[SubmittedCell]:
    """Return the groups, of (label, source), as cells; the one that the grade id belongs to keeps the metadata."""
    pieces = [SubmittedCell(cell.kind, source) for _, source in groups]
    for piece, (label, _) in zip(pieces, groups, strict=True):
        if label is not None and cell.grade_id:
            grade_id = label if isinstance(label, str) else release.master.cells[label].grade_id
            if grade_id == cell.grade_id:
                piece.grade_id, piece.cell_ids = cell.grade_id, cell.cell_ids
                piece.nbgrader, piece.tags, piece.outputs = cell.nbgrader, cell.tags, cell.outputs
                break
    return [piece for piece in pieces if piece.source.strip()]
