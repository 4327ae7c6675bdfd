"""A script is paragraphs; a paragraph is sentences. One sentence is what a voice says in one go and one cue shows."""

import re
from dataclasses import dataclass
from pathlib import Path

from coursekit.engine.shared.errors import CourseError

# A sentence ends with its mark and whatever closes behind it, before a space and something that can begin the next.
_END = re.compile(r"""(?<=[.!?])["')]*\s+(?=["'(]*[A-Z0-9])""")


@dataclass(frozen=True)
class Sentence:
    """One sentence, as it is written; `last` in its paragraph, after which a teacher breathes."""

    text: str
    last: bool


def read_script(path: Path) -> str:
    """The script's text.

    Raises:
        CourseError: it cannot be read, is no UTF-8, or says nothing.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise CourseError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CourseError(f"{path} is not UTF-8 text: {error.reason} at byte {error.start}.") from error
    if not text.strip():
        raise CourseError(f"{path} is empty. Write what is said in this section.")
    return text


def sentences(text: str) -> list[Sentence]:
    """The sentences of a script, in order; line breaks within a paragraph mean nothing.

    >>> [sentence.text for sentence in sentences("Look at it. Is it\\nlarge?\\n\\nNo.")]
    ['Look at it.', 'Is it large?', 'No.']
    """
    found = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        parts = _split(" ".join(paragraph.split()))
        found += [Sentence(part, last=number == len(parts)) for number, part in enumerate(parts, 1)]
    return found


def _split(paragraph: str) -> list[str]:
    """
    >>> _split('He said "no." Then he left.')
    ['He said "no."', 'Then he left.']
    """
    parts, begin = [], 0
    for end in _END.finditer(paragraph):
        parts.append(paragraph[begin : end.end()].strip())
        begin = end.end()
    return [*parts, paragraph[begin:]]
