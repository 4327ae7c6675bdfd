"""The settings of the narration's audio in course.toml: `[narration]`, a table for each voice, and the archive."""

import re
from dataclasses import dataclass, field
from typing import Any

from coursekit.course.config import Course
from coursekit.engine.shared.errors import CourseError


@dataclass(frozen=True)
class Archive:
    """All audio as one file elsewhere: its sha256, and its mirrors in the order in which they are tried."""

    sha256: str = ""
    mirrors: tuple[str, ...] = ()


@dataclass(frozen=True)
class Settings:
    """Names of voice engines in the order of preference, their settings, and the archive.

    `voices` has a table for each engine, and one named "recording" for an instructor's own recordings.
    """

    engines: tuple[str, ...]
    voices: dict[str, dict[str, Any]] = field(default_factory=dict)
    archive: Archive = Archive()

    def of(self, engine: str) -> dict[str, Any]:
        return self.voices.get(engine, {})


def read_settings(course: Course) -> Settings:
    """Return the course's settings, or raise CourseError if there are none or they cannot be used."""
    table = dict(course.narration)
    if not table:
        raise CourseError(
            "course.toml has no [narration] table, which says which voice to use. See narration/README.md."
        )
    engines, archive = table.pop("engines", None), table.pop("archive", {})
    if not engines or not _are_names(engines):
        raise CourseError(
            'course.toml, [narration]: engines must be a list of names, as ["kokoro", "piper"].'
        )
    if not isinstance(archive, dict) or archive.keys() - {"sha256", "mirrors"}:
        raise CourseError("course.toml: [narration.archive] has sha256 and mirrors, and nothing else.")
    sha256, mirrors = archive.get("sha256", ""), archive.get("mirrors", [])
    if not isinstance(sha256, str) or not re.fullmatch(r"[0-9a-f]{64}|", sha256):
        raise CourseError(
            "course.toml, [narration.archive]: sha256 must be 64 digits of 0-9 and a-f, in quotes."
        )
    if not _are_names(mirrors):
        raise CourseError(
            'course.toml, [narration.archive]: mirrors must be a list of addresses, or "drive:ID" for Google Drive.'
        )
    if unknown := [name for name, value in table.items() if not isinstance(value, dict)]:
        raise CourseError(f"course.toml, [narration]: {', '.join(unknown)} cannot be set there.")
    return Settings(tuple(engines), table, Archive(sha256, tuple(mirrors)))


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) and name for name in value)
