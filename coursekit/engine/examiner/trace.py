"""An abridged record of what the student's code returned while a test ran: it distinguishes mistakes.

>>> trace = Trace()
>>> trace.add([2, 0.5, "the cat"])
>>> trace.raised("ValueError", "axis 3 is out of bounds")
>>> print(trace)
list(3) 2 0.5 'the_cat'
!ValueError axis_3_is_out_of_bounds
"""

from collections.abc import Iterable
from contextlib import suppress
from itertools import chain, islice
from typing import Any

import numpy as np

MAX_WORDS = 1000  # in all: numbers, strings, shapes
MAX_VALUE = 60  # words of one value
MAX_HANDED = 20  # words of the arguments that the student's code passed to a function of the test
MAX_WORD = 80  # characters of one
FIRST = 4  # numbers of an array that are written out; the others are in three sums
MAX_SUMMED = 2_000  # of an array's numbers
MAX_DEPTH = 6  # containers inside containers


class Trace:
    """A line for each value from the student's code that is not None, up to MAX_WORDS words in all."""

    def __init__(self) -> None:
        self._lines: list[list[str]] = []
        self._words = 0
        self._left = 0  # words that this line may still have

    def add(self, value: Any) -> None:
        """Add a value that the student's code returned. No value changes the outcome of the test."""
        self._line(MAX_VALUE)
        with suppress(Exception):
            self._value(value, 0)

    def handed(self, values: list[Any]) -> None:
        """Add the arguments with which the student's code called a function."""
        self._line(MAX_HANDED)
        with suppress(Exception):
            self._several(values, 0)

    def raised(self, kind: str, message: str) -> None:
        """Add an exception that the student's code raised."""
        self._line(MAX_VALUE)
        self._word(f"!{kind}")
        self._word(message)

    def __str__(self) -> str:
        return "\n".join(" ".join(line) for line in self._lines if line)

    def _line(self, most: int) -> None:
        self._left = min(most, MAX_WORDS - self._words)
        if not self._lines or self._lines[-1]:
            self._lines.append([])

    def _word(self, text: str) -> None:
        if self._left > 0:
            self._lines[-1].append("_".join(text[:MAX_WORD].split()))
            self._words += 1
            self._left -= 1

    def _value(self, value: Any, depth: int) -> None:
        if self._left <= 0:
            return
        if value is None and not depth:  # None has no line
            return
        if value is None or isinstance(value, bool):
            self._word(str(value))
        elif isinstance(value, int | float):
            self._word(f"{value:.7g}" if isinstance(value, float) else str(value))
        elif isinstance(value, str):
            self._word(repr(value[:MAX_WORD]))
        elif hasattr(type(value), "reshape") and hasattr(type(value), "tolist"):  # a stand-in is not asked
            if value.shape:  # a tensor with one number is as good as the number
                dtype = str(value.dtype).removeprefix("torch.")
                self._word(f"{dtype}({','.join(map(str, value.shape))})")
            numbers = value.reshape(-1)[:MAX_SUMMED].tolist()
            self._several(numbers[:FIRST], depth)
            if len(numbers) > FIRST:
                array = np.array(numbers)
                waves = np.cos(np.arange(len(numbers)))  # so that the order counts
                self._several(
                    (array.mean().item(), (array**2).mean().item(), (array * waves).mean().item()), depth
                )
        elif isinstance(value, dict) and depth < MAX_DEPTH:
            self._word(f"dict({len(value)})")
            self._several(chain.from_iterable(islice(value.items(), self._left)), depth)
        elif isinstance(value, list | tuple | set | frozenset) and depth < MAX_DEPTH:
            self._word(f"{type(value).__name__}({len(value)})")
            if isinstance(value, list | tuple):
                self._several(islice(value, self._left), depth)
            elif len(value) <= MAX_VALUE:
                self._several(sorted(value, key=repr), depth)
        elif depth:
            self._word(type(value).__name__)

    def _several(self, values: Iterable[Any], depth: int) -> None:
        for value in values:
            self._value(value, depth + 1)
