"""The messages to the reader and its answers, as plain data.

An answer was made from hostile bytes: every field is checked before it is used, but of `outputs` only that it is a
list, since `OutputBudget.put_saved` checks the rest. Given cells and tests come back without their source; it is the
master's.
"""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import msgpack

from coursekit.engine.shared.data_files import DataFile
from coursekit.engine.shared.file_names import MAX_CANDIDATES, MAX_FILES, is_safe_path
from coursekit.engine.shared.frames import WireError
from coursekit.engine.shared.master import GIVEN, SOLUTION_CELL, TEST, WRITTEN, Cell, Master, Question
from coursekit.engine.shared.outputs import OutputBudget
from coursekit.engine.shared.reasons import (
    FAULTS,
    NOTE_VALUES,
    UNREADABLE_VALUES,
    Flag,
    Repair,
    Unreadable,
    values_fit,
)
from coursekit.engine.shared.rebuilt import Rebuilt, RebuiltCell
from coursekit.engine.shared.result import Note

MAX_ANSWER = 16 << 20  # bytes of an answer
MAX_TEXT = 2 << 20  # bytes of source that are taken from one student; nobody writes that much by hand
MAX_CELLS = 1000  # that the student added, in an answer
MAX_NOTES = 200
MAX_VALUE = 2000  # characters of a note's text
MAX_PICTURES = 20  # in an answer
MAX_PICTURE = 1 << 20  # bytes of one
# {the first bytes of a picture as the reader makes it: its type}
PICTURE_TYPES = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG\r\n\x1a\n": "image/png"}
MAX_DIFFERENCES = 400  # lines that repair changed, with those around them
MAX_LINE = 300  # characters of one of these lines
# Signs of these lines: in one version only, in both, or a heading with the name of a cell.
AS_HANDED_IN, AS_GRADED, BOTH, HEADING = "-", "+", " ", "@"
LINE_SIGNS = AS_HANDED_IN + AS_GRADED + BOTH + HEADING

ANSWER_ROLES = (SOLUTION_CELL, WRITTEN)  # roles of cells whose text is the student's
# Flags that are not in an answer's list: UNREADABLE, which comes on its own, and those that the reader never raises.
UNLISTED_FLAGS = FAULTS | {
    Flag.UNREADABLE,
    Flag.UNSAFE,
    Flag.PICTURE_NOT_SHOWN,
    Flag.TOO_LARGE,
    Flag.TOO_MANY_FILES,
}
LISTED_FLAGS = frozenset(Flag) - UNLISTED_FLAGS


# To the reader.


def pack_master(master: Master) -> bytes:
    """Return a packed master with its cells as students have them: the reader needs no answer and no hidden test."""
    packed: bytes = msgpack.packb(
        {
            "week": master.week,
            "name": master.name,
            "cells": [asdict(cell) | {"source": master.released_source(cell)} for cell in master.cells],
            "questions": [asdict(question) for question in master.questions],
            "digest": master.digest,
            "data_files": [[file.name, file.digest] for file in master.data_files],
        }
    )
    return packed


def unpack_master(data: bytes) -> Master:
    """Return the reader's master; it comes from the coordinator, which is trusted."""
    fields = msgpack.unpackb(data, use_list=False)
    cells = tuple(Cell(**cell) for cell in fields["cells"])
    questions = tuple(Question(**question) for question in fields["questions"])
    return Master(
        week=fields["week"],
        name=fields["name"],
        cells=cells,
        questions=questions,
        digest=fields["digest"],
        notebook={},
        data_files=tuple(DataFile(*file) for file in fields["data_files"]),
    )


# From the reader.


def pack_answer(rebuilt: Rebuilt, output_kb: int) -> bytes:
    """Return the reader's packed answer: notes, and the cells or the reason why there are none.

    Of the pictures, it has the names only; each comes in a message of its own.
    """
    cells: list[list[Any]] = []
    budget = OutputBudget(output_kb)
    for item in rebuilt.cells:
        outputs: list[dict[str, Any]] = []
        budget.put_saved(outputs, item.outputs)
        index = item.master.index if item.master is not None else -1
        is_students = item.master is None or item.master.role in ANSWER_ROLES
        source = item.source if is_students else ""
        cells.append([item.kind, source, index, item.run, item.touched, outputs, list(item.pictures)])
    unpacked = [[name, data] for name, data in rebuilt.unpacked]
    why = None if rebuilt.unreadable is None else _packed(rebuilt.unreadable)
    repairs, flags = (
        [_packed(note) for note in notes[:MAX_NOTES]] for notes in (rebuilt.repairs, rebuilt.flags)
    )
    answer = [why, repairs, flags, cells, rebuilt.file, unpacked]
    packed: bytes = msgpack.packb(answer, unicode_errors="replace")
    return packed


def pack_differences(lines: list[tuple[str, str]]) -> bytes:
    """Return the packed lines that repair changed; they are given as (sign, line) pairs."""
    packed: bytes = msgpack.packb(lines, unicode_errors="replace")
    return packed


def _packed(note: Note) -> list[Any]:
    values = {
        name: value[:MAX_VALUE] if isinstance(value, str) else value for name, value in note.values.items()
    }
    return [note.kind, note.cell[:MAX_VALUE], values]


def unpack_answer(data: bytes, master: Master) -> Rebuilt:
    """Return the rebuilt notebook with its notes, or with the reason why it has no cells.

    Raises:
        WireError: the data are not a valid answer.
    """
    try:
        why, repairs, flags, cells, file, unpacked = msgpack.unpackb(
            data, max_str_len=MAX_ANSWER, max_array_len=20_000
        )
        rebuilt = Rebuilt(
            tuple(_cells(cells, master)),
            tuple(_notes(repairs, Repair)),
            tuple(_notes(flags, Flag)),
            None if why is None else _note(why, Flag),
            _file(file),
            tuple(_unpacked(unpacked)),
        )
    except (ValueError, TypeError, RecursionError) as error:
        raise WireError(f"the reader's answer is malformed: {error}") from error
    if (rebuilt.unreadable is None) != bool(cells):
        raise WireError("the reader's answer has cells and a reason why it has none, or neither")
    if not LISTED_FLAGS.issuperset(note.kind for note in rebuilt.flags) or (
        rebuilt.unreadable is not None and rebuilt.unreadable.kind != Flag.UNREADABLE
    ):
        raise WireError("the reader's answer has a flag that is not the reader's")
    if cells and [item.master.index for item in rebuilt.cells if item.master is not None] != list(
        range(len(master.cells))
    ):
        raise WireError("the reader's answer lacks cells of the master")
    return rebuilt


def unpack_differences(data: bytes) -> list[tuple[str, str]]:
    """Return the lines that repair changed, as (sign, line) pairs, see LINE_SIGNS.

    Raises:
        WireError: the data are not a valid answer.
    """
    try:
        lines = msgpack.unpackb(data, max_str_len=8 * MAX_LINE, max_array_len=MAX_DIFFERENCES + 1)
        if type(lines) is not list or not all(_is_line(line) for line in lines):
            raise ValueError("a line is malformed")
    except (ValueError, TypeError, RecursionError) as error:
        raise WireError(f"the reader's answer is malformed: {error}") from error
    return [(sign, text) for sign, text in lines]


def checked_picture(data: bytes) -> bytes:
    """Return a picture from the reader; b"" stands for one that cannot be shown.

    Raises:
        WireError: it is too large, or neither JPEG nor PNG.
    """
    if data and picture_type(data) is None or len(data) > MAX_PICTURE:
        raise WireError("the reader's picture is too large, or neither JPEG nor PNG")
    return data


def picture_type(data: bytes) -> str | None:
    """Return the type of a picture from the reader, by its first bytes."""
    return next((kind for beginning, kind in PICTURE_TYPES.items() if data.startswith(beginning)), None)


def _is_line(line: Any) -> bool:
    return (
        type(line) is list
        and [type(part) for part in line] == [str, str]
        and len(line[0]) == 1
        and line[0] in LINE_SIGNS
        and len(line[1]) <= MAX_LINE
    )


def _cells(cells: Any, master: Master) -> Iterable[RebuiltCell]:
    if len(cells) > len(master.cells) + MAX_CELLS:
        raise ValueError("too many cells")
    if sum(len(cell[-1]) for cell in cells) > MAX_PICTURES:
        raise ValueError("too many pictures")
    for kind, source, index, run, touched, outputs, names in cells:
        types = [type(value) for value in (kind, source, index, run, touched, outputs, names)]
        if types != [str, str, int, bool, bool, list, list] or kind not in ("code", "markdown", "raw"):
            raise ValueError("a cell's field is of another type")
        if not all(type(name) is str and len(name) <= MAX_VALUE for name in names):
            raise ValueError("a picture's name is malformed")
        if names and (kind == "code" or len(set(names)) < len(names)):
            raise ValueError("a code cell has pictures, or two have the same name")
        cell = None
        if index != -1:
            if not 0 <= index < len(master.cells):
                raise ValueError("no such cell")
            cell = master.cells[index]
            if cell.role in (GIVEN, TEST):
                source, names = cell.source, []
            if (cell.role == TEST and run) or kind != (
                cell.kind if cell.role == GIVEN else _KIND_OF_ROLE[cell.role]
            ):
                raise ValueError("a cell is not what the master has there")
        yield RebuiltCell(kind, source, cell, run, touched, outputs, dict.fromkeys(names, b""))


def _file(number: Any) -> int:
    if type(number) is not int or not 0 <= number < MAX_CANDIDATES:
        raise ValueError("no such file")
    return number


def _unpacked(members: Any) -> Iterable[tuple[str, bytes]]:
    """Yield the files that were taken out of an archive; none can leave the folder in which they are put."""
    if type(members) is not list or len(members) > MAX_FILES:
        raise ValueError("too many files")
    for name, data in members:
        if type(name) is not str or type(data) is not bytes or not is_safe_path(name):
            raise ValueError("a file is malformed")
        yield name, data


_KIND_OF_ROLE = {TEST: "code", SOLUTION_CELL: "code", WRITTEN: "markdown"}


def _notes(notes: Any, codes: type[Repair | Flag]) -> Iterable[Note]:
    if type(notes) is not list or len(notes) > MAX_NOTES:
        raise ValueError("too many notes")
    return (_note(note, codes) for note in notes)


def _note(note: Any, codes: type[Repair | Flag]) -> Note:
    """Return the note if its code is known and its values are those that its sentence names."""
    kind, cell, values = note
    if (type(kind), type(cell), type(values)) != (str, str, dict) or len(cell) > MAX_VALUE:
        raise ValueError("a note's field is of another type")
    code = codes(kind)
    expected = NOTE_VALUES.get(code, {})
    if code == Flag.UNREADABLE:
        expected = {"reason": str, **UNREADABLE_VALUES.get(Unreadable(values.get("reason")), {})}
    if not values_fit(values, expected, MAX_VALUE):
        raise ValueError("a note has other values")
    return Note(code, cell=cell, values=values)
