"""Cells that are Python already, as nearly all are: they need none of IPython's own syntax looked for in them."""

import ast
import re
import warnings
from collections.abc import Callable
from typing import Any

# What Python can read as well and IPython changes, in strings too: prompts that were copied along, spaces in empty
# lines, other ends of lines. And waiting in a cell, against which Python's grammar has nothing.
_OTHER = re.compile(
    r"^\s*(>>>|\.\.\.|In \[)|^[^\S\n]+$|[\r\f\v\x1c-\x1e\x85\u2028\u2029]|\bawait\b|\basync\b", re.MULTILINE
)


def as_python(source: str, parse: Callable[[str], Any] = ast.parse) -> str | None:
    """A cell as IPython's `transform_cell` would give it, where a glance tells that; else None.

    IPython searches for its own syntax token by token, which takes three times as long as reading the cell. A cell that
    Python can read has no such syntax in it.

    Args:
        parse: reads what is given back.

        as_python("x = 1")    # "x = 1\\n"
        as_python("%time x")  # None: ask IPython
    """
    if source[:1].isspace() or _OTHER.search(source):
        return None
    source = source if source.endswith("\n") else source + "\n"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # told when the cell is run
            return source if parse(source).body else None
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
