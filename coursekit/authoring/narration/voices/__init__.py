"""Voices: the definition of an engine, and finding one by its name.

An engine is an entry point of the group `coursekit.voices`: a class, or any callable, that takes the settings in
course.toml's table of its name, such as `[narration.kokoro]`, and returns an object with the methods of `Voice`.
Other packages can add engines in this way.
"""

import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, entry_points, version
from typing import Any, NoReturn, Protocol, runtime_checkable

from coursekit.authoring.narration.sound import Sound
from coursekit.engine.shared.errors import CourseError

GROUP = "coursekit.voices"


class VoiceMissing(CourseError):
    """The engine cannot speak on this machine; the message says what to install."""


class VoiceTrouble(CourseError):
    """The engine cannot say this one sentence."""


@dataclass(frozen=True)
class Facts:
    """The facts that an audio file and the manifest state about a voice."""

    engine: str
    version: str
    voice: str
    licence: str


@runtime_checkable
class Voice(Protocol):
    """Something that can read a sentence aloud."""

    def facts(self) -> Facts: ...

    def say(self, text: str) -> Sound:
        """Return the sound of one sentence, with or without silence around it, or raise VoiceTrouble."""


def find_voice(name: str, settings: dict[str, Any]) -> Voice:
    """Return the engine of this name, ready to speak.

    Raises:
        VoiceMissing: there is no engine of this name, or it cannot be loaded or cannot speak here.
        CourseError: the engine does not accept these settings, or is not one.
    """
    points = {point.name: point for point in entry_points(group=GROUP)}
    if name not in points:
        raise VoiceMissing(f"There is no voice engine {name!r}. There are: {', '.join(sorted(points))}.")
    point = points[name]
    try:
        engine = point.load()
    except (ImportError, AttributeError) as error:
        raise VoiceMissing(f"The voice engine {name} cannot be loaded: {error}.") from error

    def refuse(why: str) -> NoReturn:
        raise CourseError(
            f"{point.value}, the entry point {name!r} of the group {GROUP}, is not a voice engine: {why}. "
            "docs/package.md describes one."
        )

    if not callable(engine):
        refuse("it cannot be called with an engine's settings")
    try:
        voice = engine(**settings)
    except TypeError as error:
        raise CourseError(f"course.toml, [narration.{name}]: {error}. See narration/README.md.") from error
    except ImportError as error:
        raise VoiceMissing(f"The voice engine {name} cannot be loaded: {error}.") from error
    if not isinstance(voice, Voice):
        missing = [method for method in ("facts", "say") if not hasattr(voice, method)]
        refuse(f"what it returns has no method {' and no method '.join(missing)}")
    if not isinstance(voice.facts(), Facts):
        refuse("its `facts()` returns no `Facts`")
    return voice


def without_phonemes(text: str) -> str:
    """Return the text without phonemes, which the lexicon may give for a word as [word](/phonemes/).

    >>> without_phonemes("[project](/pɹəʤˈɛkt/), split")
    'project, split'
    """
    return re.sub(r"\[([^\]]+)\]\(/[^/]*/\)", r"\1", text)


def version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "?"
