"""How a teacher says what is written: a formula, a name, a word that a voice gets wrong.

`narration/lexicon.toml` has one table, `[said]`: on the left what is written in a script, on the right plain words that
sound as it should. An entry may be a symbol, a word or a phrase; the longest that fits wins, capitals do not matter.
What is written stays as it is in the transcript and the cues.
"""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from coursekit.engine.shared.errors import CourseError


@dataclass(frozen=True)
class Lexicon:
    """{what is written, in lower case: what is said}."""

    said: dict[str, str]

    def say(self, text: str) -> str:
        """The text as a voice shall read it.

        >>> Lexicon({"softmax": "soft max", "d_k": "d sub k"}).say("Softmax divides by d_k.")
        'soft max divides by d sub k.'
        """
        if not self.said:
            return text
        return self._pattern().sub(lambda match: self.said[" ".join(match[0].lower().split())], text)

    def _pattern(self) -> re.Pattern:
        # A word's edge is wanted only where the entry itself begins or ends with a letter: √ may touch what follows.
        longest_first = sorted(self.said, key=len, reverse=True)
        edged = (
            (r"(?<!\w)" if entry[0].isalnum() else "")
            + re.escape(entry)
            + (r"(?!\w)" if entry[-1].isalnum() else "")
            for entry in longest_first
        )
        return re.compile("|".join(edged), re.IGNORECASE)


def read_lexicon(path: Path) -> Lexicon:
    """The lexicon in this file; an empty one when there is none.

    Raises:
        CourseError: the file cannot be used; says which entry is wrong.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Lexicon({})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CourseError(f"{path} cannot be read: {error}.") from error
    said = data.pop("said", {})
    if data or not isinstance(said, dict):
        raise CourseError(f"{path} must hold one table, [said], and nothing else.")
    for written, words in said.items():
        if not written.strip() or not isinstance(words, str) or not words.strip():
            raise CourseError(
                f"{path}: {written!r} must be what is written, followed by = and words in quotes."
            )
    return Lexicon({" ".join(written.lower().split()): words for written, words in said.items()})
