"""What course.toml says of the narration's audio: `[narration]`, a table for each voice, and where the archive is."""

import re
from dataclasses import dataclass, field
from typing import Any

from coursekit.course.config import Course
from coursekit.engine.shared.errors import CourseError


@dataclass(frozen=True)
class Archive:
    """All audio as one file elsewhere: its sha256, and where it may be had, in the order in which to try."""

    sha256: str = ""
    mirrors: tuple[str, ...] = ()


@dataclass(frozen=True)
class Settings:
    """Voice engines in the order of preference, the settings of each, and the archive."""

    engines: tuple[str, ...]
    voices: dict[str, dict[str, Any]] = field(default_factory=dict)
    archive: Archive = Archive()

    def of(self, engine: str) -> dict[str, Any]:
        return self.voices.get(engine, {})


def read_settings(course: Course) -> Settings:
    """The course's settings, checked.

    Raises:
        CourseError: there are none, or they cannot be used; says what is wrong.
    """
    table = dict(course.narration)
    if not table:
        raise CourseError(
            "course.toml has no [narration] table, which says which voice to use. See narration/README.md."
        )
    engines = table.pop("engines", None)
    if not isinstance(engines, list) or not engines or not all(isinstance(name, str) for name in engines):
        raise CourseError(
            'course.toml, [narration]: engines must be a list of names, as ["kokoro", "piper"].'
        )
    archive = _archive(table.pop("archive", {}))
    strange = [name for name, value in table.items() if not isinstance(value, dict)]
    if strange:
        raise CourseError(f"course.toml, [narration]: {', '.join(strange)} cannot be set there.")
    return Settings(tuple(engines), table, archive)


def _archive(table: Any) -> Archive:
    if not isinstance(table, dict) or set(table) - {"sha256", "mirrors"}:
        raise CourseError("course.toml: [narration.archive] has sha256 and mirrors, and nothing else.")
    sha256, mirrors = table.get("sha256", ""), table.get("mirrors", [])
    if not isinstance(sha256, str) or not re.fullmatch(r"[0-9a-f]{64}|", sha256):
        raise CourseError(
            "course.toml, [narration.archive]: sha256 must be 64 digits of 0-9 and a-f, in quotes."
        )
    if not isinstance(mirrors, list) or not all(isinstance(mirror, str) and mirror for mirror in mirrors):
        raise CourseError(
            'course.toml, [narration.archive]: mirrors must be a list of addresses, or "drive:ID" for Google Drive.'
        )
    return Archive(sha256, tuple(mirrors))
