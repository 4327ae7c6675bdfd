"""Cells without IPython's own syntax, which are nearly all: IPython's transformation would not change them."""

import ast
import re
import warnings

# What Python can read and IPython changes, even in a string: prompts, spaces in blank lines, unusual line ends.
_CHANGED_BY_IPYTHON = re.compile(
    r"^\s*(>>>|\.\.\.|In \[)|^[^\S\n]+$|[\r\f\v\x1c-\x1e\x85\u2028\u2029]", re.MULTILINE
)


def is_plain_python(source: str) -> bool:
    """Return whether IPython's transformation would at most add a newline to a cell.

    IPython searches a cell token by token, which takes three times as long as parsing it; what Python can parse has
    none of IPython's syntax. False if in doubt.

    >>> is_plain_python("x = 1"), is_plain_python("%time x"), is_plain_python("  x = 1")
    (True, False, False)
    """
    if not source or source[0].isspace() or _CHANGED_BY_IPYTHON.search(source):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the cell shows them when it runs
            ast.parse(source)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return True
