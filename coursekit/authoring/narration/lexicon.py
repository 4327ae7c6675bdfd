"""The pronunciation of formulas, names, and words that a voice gets wrong.

`narration/lexicon.toml` has one table, `[said]`: on the left the text in a script, on the right plain words that sound
as it should. An entry may be a symbol, a word or a phrase; the longest that fits wins, and case does not matter. The
cues keep the script's text.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from coursekit.engine.shared.errors import CourseError


@dataclass(frozen=True)
class Lexicon:
    """{text in a script, in lower case: its pronunciation, in plain words}."""

    entries: dict[str, str]

    def say(self, text: str) -> str:
        """Return the text as a voice should read it.

        >>> Lexicon({"softmax": "soft max", "d_k": "d sub k"}).say("Softmax divides by d_k.")
        'soft max divides by d sub k.'
        """
        if not self.entries:
            return text
        return self._pattern.sub(lambda match: self._spoken[_key(match[0]).casefold()], text)

    @cached_property
    def _spoken(self) -> dict[str, str]:
        return {entry.casefold(): spoken for entry, spoken in self.entries.items()}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        # A word's edge is required only where the entry itself begins or ends with a letter: √ may touch others.
        alternatives = [
            (r"(?<!\w)" if entry[0].isalnum() else "")
            + re.escape(entry)
            + (r"(?!\w)" if entry[-1].isalnum() else "")
            for entry in sorted(self.entries, key=len, reverse=True)
        ]
        return re.compile("|".join(alternatives), re.IGNORECASE)


def _key(written: str) -> str:
    return " ".join(written.lower().split())


def read_lexicon(path: Path) -> Lexicon:
    """Return the lexicon in this file, empty if there is no file; raise CourseError if it is broken."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Lexicon({})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CourseError(f"{path} cannot be read: {error}.") from error
    entries = data.pop("said", {})
    if data or not isinstance(entries, dict):
        raise CourseError(f"{path} must hold one table, [said], and nothing else.")
    for written, spoken in entries.items():
        if not written.strip() or not isinstance(spoken, str) or not spoken.strip():
            raise CourseError(
                f"{path}: {written!r} must be what is written, followed by = and words in quotes."
            )
    return Lexicon({_key(written): spoken for written, spoken in entries.items()})
