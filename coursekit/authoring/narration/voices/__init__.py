"""Voices: what an engine is, and finding one by its name.

An engine is an entry point of the group `coursekit.voices`: a class, or any callable, that takes the settings in
course.toml's table of its name, as `[narration.kokoro]`, and gives an object with `facts()` and `say(sentence)`. So
another package may bring one.
"""

import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, entry_points, version
from typing import Any, Protocol

from coursekit.authoring.narration.sound import Sound
from coursekit.engine.shared.errors import CourseError

GROUP = "coursekit.voices"


class VoiceMissing(CourseError):
    """The engine cannot speak on this machine; says what to install."""


class VoiceTrouble(CourseError):
    """The engine could not say this one sentence."""


@dataclass(frozen=True)
class Facts:
    """What listeners are told of a voice.

    A file is made again when `engine` or `voice` has changed; a new `version` of the same is not worth it.
    """

    engine: str
    version: str
    voice: str
    licence: str


class Voice(Protocol):
    """Something that can read a sentence aloud."""

    def facts(self) -> Facts: ...

    def say(self, text: str) -> Sound:
        """One sentence, with or without silence around it.

        Raises:
            VoiceTrouble: not this sentence; others may do.
        """
        ...


def find_voice(name: str, settings: dict[str, Any]) -> Voice:
    """The engine of this name, ready to speak.

    Raises:
        VoiceMissing: there is none of this name, or it is not installed.
        CourseError: the settings are not its.
    """
    found = {point.name: point for point in entry_points(group=GROUP)}
    if name not in found:
        raise VoiceMissing(f"There is no voice engine {name!r}. There are: {', '.join(sorted(found))}.")
    try:
        return found[name].load()(**settings)
    except TypeError as error:
        raise CourseError(f"course.toml, [narration.{name}]: {error}. See narration/README.md.") from error
    except ImportError as error:
        raise VoiceMissing(f"The voice engine {name} cannot be loaded: {error}.") from error


def plain(text: str) -> str:
    """Without the lexicon's sounds, for voices that take none.

    >>> plain("[project](/pɹəʤˈɛkt/), split")
    'project, split'
    """
    return re.sub(r"\[([^\]]+)\]\(/[^/]*/\)", r"\1", text)


def version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "?"
