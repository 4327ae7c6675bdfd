"""An abridged record of the values that the student's code returned while a test ran, to tell mistakes apart.

>>> trace = Trace()
>>> trace.add_value([2, 0.5, "the cat"])
>>> trace.add_exception("ValueError", "axis 3 is out of bounds")
>>> print(trace)
list(3) 2 0.5 'the_cat'
!ValueError axis_3_is_out_of_bounds
"""

from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from itertools import chain, islice
from typing import Any

import numpy as np

MAX_WORDS = 1000  # in all: numbers, strings, shapes; the first half and the last half of a longer record
MAX_LINES = 10_000  # what comes after these is not looked at
MAX_VALUE_WORDS = 60  # of one value
MAX_ARGUMENT_WORDS = 20  # of the arguments in one call of the test's functions
MAX_WORD = 80  # characters of a word
WRITTEN_OUT = 4  # first numbers of an array; a longer one also gets three means
MAX_NUMBERS = 2_000  # of an array; all further ones are ignored, also in the means
MAX_DEPTH = 6  # containers inside containers


class Trace:
    """A line for each exception, call of a function of the test, and returned number, string, array or container."""

    def __init__(self) -> None:
        self._first: list[str] = []  # up to half of the words
        self._last: deque[list[str]] = deque()  # those of each later line
        self._words = 0  # in both
        self._line_words: list[str] = []
        self._words_left = 0  # words that this line may still have
        self._lines = 0

    def add_value(self, value: Any) -> None:
        """Add a value that the student's code returned. No value can change the outcome of the test."""
        self._line(MAX_VALUE_WORDS)
        with suppress(Exception):
            self._value(value, 0)

    def add_arguments(self, values: list[Any]) -> None:
        """Add the arguments with which the student's code called a function of the test."""
        self._line(MAX_ARGUMENT_WORDS)
        with suppress(Exception):
            self._several(values, 0)

    def add_exception(self, kind: str, message: str) -> None:
        """Add an exception that the student's code raised."""
        self._line(MAX_VALUE_WORDS)
        self._word(f"!{kind}")
        self._word(message)

    def __str__(self) -> str:
        self._end_line()
        return "\n".join([*self._first, *(" ".join(line) for line in self._last)])

    def _line(self, max_words: int) -> None:
        self._end_line()
        self._lines += 1
        self._words_left = max_words if self._lines <= MAX_LINES else 0

    def _end_line(self) -> None:
        """Keep the line that was being written, and give up the oldest of the later ones where there are too many."""
        line, self._line_words = self._line_words, []
        if not line:
            return
        self._words += len(line)
        if not self._last and self._words <= MAX_WORDS // 2:
            self._first.append(" ".join(line))
            return
        self._last.append(line)
        while self._words > MAX_WORDS:
            self._words -= len(self._last.popleft())

    def _word(self, text: str) -> None:
        if self._words_left > 0:
            self._line_words.append("_".join(text[:MAX_WORD].split()))
            self._words_left -= 1

    def _value(self, value: Any, depth: int) -> None:
        if self._words_left <= 0:
            return
        if value is None and not depth:  # None has no line
            return
        if value is None or isinstance(value, bool):
            self._word(str(value))
        elif isinstance(value, int | float):
            self._word(f"{value:.7g}" if isinstance(value, float) else str(value))
        elif isinstance(value, str):
            self._word(repr(value[:MAX_WORD]))
        elif all(hasattr(type(value), name) for name in ("reshape", "tolist")):
            # An array or a tensor. A stand-in is not asked itself: its type has neither method.
            if value.shape:  # a tensor without dimensions is recorded as its number
                dtype = str(value.dtype).removeprefix("torch.")
                self._word(f"{dtype}({','.join(map(str, value.shape))})")
            numbers = value.reshape(-1)[:MAX_NUMBERS].tolist()
            self._several(numbers[:WRITTEN_OUT], depth)
            if len(numbers) > WRITTEN_OUT:
                array = np.array(numbers)
                weights = np.cos(np.arange(len(numbers)))  # they make the order of the numbers count
                self._several(
                    (array.mean().item(), (array**2).mean().item(), (array * weights).mean().item()), depth
                )
        elif isinstance(value, dict) and depth < MAX_DEPTH:
            self._word(f"dict({len(value)})")
            self._several(chain.from_iterable(islice(value.items(), self._words_left)), depth)
        elif isinstance(value, list | tuple | set | frozenset) and depth < MAX_DEPTH:
            self._word(f"{type(value).__name__}({len(value)})")
            if isinstance(value, list | tuple):
                self._several(islice(value, self._words_left), depth)
            elif len(value) <= MAX_VALUE_WORDS:
                self._several(sorted(value, key=repr), depth)
        elif depth:
            self._word(type(value).__name__)

    def _several(self, values: Iterable[Any], depth: int) -> None:
        for value in values:
            self._value(value, depth + 1)
