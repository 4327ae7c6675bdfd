"""The values that a failed test compared: the one from the student's code, and the expected one.

The names in the test show which is which: `got` and `want` or `expected`, as arguments of a function that fails or in
the assert that fails, and `actual` and `expected` or `desired`, as the functions of torch.testing and numpy.testing
call theirs. A test that compares in another way has no comparison.

>>> compare([1, 2.5], [1, 2])
Comparison(found='list (2)', expected='list (2)', entries=2, differing=1, largest='0.5', place=[1], here=['2.5', '2'], \
found_table=[['1', '2.5']], expected_table=[['1', '2']], marked=[[False, True]])
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import Any

import numpy as np

from coursekit.engine.shared.outputs import mask_run_dependent
from coursekit.engine.shared.program import COMPARED_NAMES, TEST_FILENAME
from coursekit.engine.shared.result import Comparison

# Two numbers differ if more than rounding separates them. If no two numbers do, any difference counts.
RELATIVE_TOLERANCE, ABSOLUTE_TOLERANCE = 1e-4, 1e-6
MAX_ENTRIES = 100_000  # of a value that is compared
MAX_COLUMNS, MAX_ROWS = 6, 12  # of a table that is shown; a list may have MAX_ROWS entries
MAX_WORD = 60  # characters of one entry


def comparison_of_failure(
    trace: TracebackType | None, asserts: Sequence[tuple[int, int, str, str]]
) -> Comparison | None:
    """Return the comparison of a failed test; None if its names do not show one, or the values do not differ.

    Args:
        trace: the traceback of the test's AssertionError.
        asserts: `program.CompiledTest.asserts` of the test.
    """
    frames = []
    while trace is not None:
        frames.append((trace.tb_frame, trace.tb_lineno))
        trace = trace.tb_next
    with suppress(Exception):  # the values never change the outcome
        for frame, line in reversed(frames):
            if (pair := _pair(frame, line, asserts)) is not None:
                return compare(*pair)
    return None


def _pair(
    frame: FrameType, line: int, asserts: Sequence[tuple[int, int, str, str]]
) -> tuple[Any, Any] | None:
    code = frame.f_code
    arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    names = [pair for pair in COMPARED_NAMES if set(pair) <= set(arguments)]
    if code.co_filename == TEST_FILENAME:
        names += [
            (found_name, expected_name)
            for first, last, found_name, expected_name in asserts
            if first <= line <= last
        ]
    for found_name, expected_name in names:
        variables = frame.f_globals | frame.f_locals
        if found_name in variables and expected_name in variables:
            return variables[found_name], variables[expected_name]
    return None


@dataclass
class _Flat:
    """A value as a flat list of entries, with its shape."""

    kind: str  # the name of its type, or of an array's dtype
    shape: tuple[int, ...]
    entries: list[Any] | None  # None: more than MAX_ENTRIES

    def __str__(self) -> str:
        sizes = ", ".join(map(str, self.shape))
        text: str = mask_run_dependent(f"{self.kind} ({sizes})" if self.shape else self.kind)
        return text[:MAX_WORD]


def compare(found: Any, expected: Any) -> Comparison | None:
    """Return how two values differ; None if they do not, or one holds more than numbers, strings, bools and None."""
    found_read, expected_read = _flatten(found), _flatten(expected)
    if found_read is None or expected_read is None:
        return None
    comparison = Comparison(str(found_read), str(expected_read))
    found_entries, expected_entries = found_read.entries, expected_read.entries
    are_lists = len(found_read.shape) == len(expected_read.shape) == 1 and not {"list", "tuple"}.isdisjoint(
        {found_read.kind, expected_read.kind}
    )
    if (
        found_entries is None
        or expected_entries is None
        or (found_read.shape != expected_read.shape and not are_lists)
    ):
        return comparison if comparison.found != comparison.expected else None
    differs = [not _near(*pair) for pair in zip(found_entries, expected_entries, strict=False)]
    differs += [True] * abs(len(found_entries) - len(expected_entries))
    if not any(differs):
        differs = [not _same(*pair) for pair in zip(found_entries, expected_entries, strict=True)]
    if not any(differs):
        return comparison if comparison.found != comparison.expected else None
    comparison.entries, comparison.differing = len(differs), sum(differs)
    first = differs.index(True)
    # Whole numbers in a list may be ids, of which none is nearer than another.
    are_numbers = all(map(_is_number, (*found_entries, *expected_entries))) and not (
        are_lists and {*map(type, found_entries)} == {int}
    )
    if are_numbers and len(found_entries) == len(expected_entries):
        gaps = [_gap(*pair) for pair in zip(found_entries, expected_entries, strict=True)]
        first = max(range(len(gaps)), key=gaps.__getitem__)
        comparison.largest = f"{gaps[first]:.3g}"
    shape = found_read.shape if len(found_entries) >= len(expected_entries) else expected_read.shape
    comparison.place = [int(number) for number in np.unravel_index(first, shape)] if shape else []
    comparison.here = _distinct_texts(found_entries[first : first + 1], expected_entries[first : first + 1])
    if len(shape) < 2 and len(differs) <= MAX_ROWS:
        rows, width = [0], len(differs)
    elif len(shape) >= 2 and shape[-2] <= MAX_ROWS and shape[-1] <= MAX_COLUMNS:
        width = shape[-1]
        start = first - first % (shape[-2] * width)
        rows = list(range(start, start + shape[-2] * width, width))
    else:
        return comparison
    for row in rows:
        pairs = [
            _distinct_texts(found_entries[index : index + 1], expected_entries[index : index + 1])
            for index in range(row, row + width)
        ]
        comparison.found_table.append([pair[0] for pair in pairs])
        comparison.expected_table.append([pair[1] for pair in pairs])
        comparison.marked.append(differs[row : row + width])
    return comparison


def _flatten(value: Any) -> _Flat | None:
    if value is None or isinstance(value, bool | int | float | str):
        return _Flat(type(value).__name__, (), [value])
    if hasattr(type(value), "reshape") and hasattr(type(value), "tolist"):  # a stand-in's type has neither
        shape = tuple(int(size) for size in value.shape)
        kind = str(value.dtype).removeprefix("torch.")
        too_many = int(np.prod(shape)) > MAX_ENTRIES
        entries = None if too_many else value.reshape(-1).tolist()
        return _Flat(kind, shape, entries) if too_many or all(map(_is_plain, entries or [])) else None
    if isinstance(value, list | tuple) and len(value) <= MAX_ENTRIES:
        kind = type(value).__name__
        if all(map(_is_plain, value)):
            return _Flat(kind, (len(value),), list(value))
        if all(isinstance(row, list | tuple) and len(row) == len(value[0]) for row in value):
            entries = [entry for row in value for entry in row]
            if len(entries) <= MAX_ENTRIES and all(map(_is_plain, entries)):
                return _Flat(kind, (len(value), len(value[0])), entries)
    return None


def _is_plain(value: Any) -> bool:
    return value is None or type(value) in (bool, int, float, str)


def _is_number(value: Any) -> bool:
    return type(value) in (bool, int, float)


def _same(one: Any, other: Any) -> bool:
    """Return whether two entries are equal; nan equals nan."""
    return bool(one == other) or (one != one and other != other)


def _near(found: Any, expected: Any) -> bool:
    if _same(found, expected) or not (_is_number(found) and _is_number(expected)):
        return _same(found, expected)
    if type(found) is not float and type(expected) is not float:
        return False
    return bool(abs(found - expected) <= ABSOLUTE_TOLERANCE + RELATIVE_TOLERANCE * abs(expected))


def _gap(one: Any, other: Any) -> float:
    if _same(one, other):
        return 0.0
    gap = abs(float(one) - float(other))
    return gap if gap == gap else float("inf")


def _distinct_texts(found: Sequence[Any], expected: Sequence[Any]) -> list[str]:
    """Return the texts of two entries (each list holds at most one), different if the entries are; "" for none."""
    for digits in (5, 9, 17):
        texts = [
            ""
            if not entries
            else f"{entries[0]:.{digits}g}"
            if type(entries[0]) is float
            else _short(entries[0])
            for entries in (found, expected)
        ]
        if texts[0] != texts[1]:
            break
    return texts


def _short(value: Any) -> str:
    text: str = mask_run_dependent(repr(value) if isinstance(value, str) else str(value))
    return text if len(text) <= MAX_WORD else text[: MAX_WORD - 1] + "…"
