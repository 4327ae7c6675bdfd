"""Student text made visible: nothing in it may hide, reorder or overwrite what a reader sees.

Templates escape HTML afterwards. These functions take any `str`, even one with control characters or lone surrogates.
"""

import re

# Terminal sequences: colours and cursor moves (CSI), titles and links (OSC), the two-character ones.
ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[@-Z\\^_]")

# Characters without a shape: controls except tab and newline, format characters (such as the right-to-left override)
# except the two joiners that several scripts need, line separators, lone surrogates, U+FFFE and U+FFFF.
INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f\ud800-\udfff]"
)

# The folders of Python's packages on the grader's machine, which are of no use to a student.
INSTALLED = re.compile(r"(?<=File )/\S*/(?=(?:site|dist)-packages/|lib/python)")


def make_visible(text: str) -> str:
    """Return the text with \\n for each line end and a code point in brackets for each invisible character.

    >>> make_visible("a\\u202eb\\r\\nc\\x00")
    'a[U+202E]b\\nc[U+0000]'
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return INVISIBLE.sub(lambda match: f"[U+{ord(match[0]):04X}]", text)


def is_blank(text: str) -> bool:
    """Return whether there is nothing to see. `str.strip()` would remove controls that `make_visible` shows."""
    return not text.strip(" \t\r\n")


def terminal_text(text: str) -> str:
    """Return an output as a terminal shows it: without colours, and only the last state of a line.

    >>> terminal_text("\\x1b[31m10 %\\r100 %\\x1b[0m\\n")
    '100 %\\n'
    """
    text = ANSI.sub("", text).replace("\r\n", "\n")
    if "\r" not in text:
        return text
    return "\n".join(line.rstrip("\r").rsplit("\r", 1)[-1] for line in text.split("\n"))


def short_traceback(text: str) -> str:
    """Return a traceback without colours and without the folders that lead to installed packages.

    >>> short_traceback("File /opt/env/lib/python3.11/site-packages/numpy/core.py:232, in ones")
    'File site-packages/numpy/core.py:232, in ones'
    """
    return INSTALLED.sub("", ANSI.sub("", text))


def shorten(text: str, limit: int) -> tuple[str, int, str]:
    """Return (head, characters left out, tail), with at most `limit` characters in head and tail together.

    The tail is a fifth of the limit: the last lines of a long traceback name the error.
    """
    if len(text) <= limit:
        return text, 0, ""
    tail = limit // 5
    head = limit - tail
    return text[:head], len(text) - limit, text[len(text) - tail :] if tail else ""
