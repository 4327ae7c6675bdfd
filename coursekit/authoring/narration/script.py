"""A script has paragraphs, and a paragraph has sentences. A voice says one sentence at a time, and a cue shows one."""

import re
from dataclasses import dataclass
from pathlib import Path

from coursekit.engine.shared.errors import CourseError

# A sentence ends after . ! or ? and any closing quotes or brackets, if what follows the space can begin a sentence.
_END = re.compile(r"""(?<=[.!?])["')]*\s+(?=["'(]*[A-Z0-9])""")


@dataclass(frozen=True)
class Sentence:
    """One sentence, as it is written. After the last one of a paragraph the pause is longer."""

    text: str
    ends_paragraph: bool


def read_script(path: Path) -> str:
    """Return the script's text; raise CourseError if it cannot be read or is empty."""
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
    """Return the sentences of a script in order; line breaks within a paragraph mean nothing.

    >>> [sentence.text for sentence in sentences('Look at\\nit. "Is it large?" No.\\n\\nThere.')]
    ['Look at it.', '"Is it large?"', 'No.', 'There.']
    """
    result = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        line = " ".join(paragraph.split())
        ends = [match.end() for match in _END.finditer(line)]
        for begin, end in zip([0, *ends], [*ends, None], strict=True):
            result.append(Sentence(line[begin:end].strip(), ends_paragraph=end is None))
    return result
