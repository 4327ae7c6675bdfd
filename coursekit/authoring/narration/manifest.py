"""narration/manifest.json: what each audio file was made from, by whom or what, and the hashes that prove it.

    {"about": "...", "segments": {"week1_attention/02_softmax": {"seconds": 67.2, "audio_sha256": "...", ...}}}

`segments` maps a script's path without .md to an entry; the .mp3 and the .vtt are next to the script.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from coursekit.authoring.narration.script import sentences
from coursekit.engine.shared.errors import CourseError
from coursekit.files import write_atomically

NAME = "manifest.json"
ABOUT = (
    "Audio of the scripts beside it. Where `synthetic` is true, the voice is a computer's and no person's; `engine`, "
    "`voice` and `licence` say which. seconds: length; loudness: LUFS (EBU R 128); text_sha256: of the script's words; "
    "made_sha256: of what the voice got to read and its settings; audio_sha256 and cues_sha256: of the files."
)


@dataclass(frozen=True)
class Entry:
    """One segment. The hashes are SHA-256 in hexadecimal."""

    seconds: float
    bytes: int
    loudness: float
    synthetic: bool
    engine: str
    version: str
    voice: str
    licence: str
    text_sha256: str
    made_sha256: str
    audio_sha256: str
    cues_sha256: str


def read_manifest(folder: Path) -> dict[str, Entry]:
    """The entries of this narration folder by segment; none where there is no manifest.

    Raises:
        CourseError: it is not what this module writes.
    """
    path = folder / NAME
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise CourseError(f"{path} cannot be read: {error.strerror}.") from error
    try:
        return parse(data)
    except CourseError as error:
        raise CourseError(f"{path} {error}") from error


def parse(data: bytes) -> dict[str, Entry]:
    """
    Raises:
        CourseError: these bytes are no manifest.
    """
    kinds: dict[str, Any] = {field.name: field.type for field in fields(Entry)}
    try:
        segments = json.loads(data)["segments"]
        entries = {}
        for name, values in segments.items():
            for key, kind in kinds.items():
                if not isinstance(values[key], (int, float) if kind is float else kind):
                    raise TypeError(f"{key} of {name}")
            entries[name] = Entry(**{key: values[key] for key in kinds})
        return entries
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CourseError(f"is no manifest of narration: {error!s:.100}. Get it back from git.") from error


def write_manifest(folder: Path, entries: dict[str, Entry]) -> None:
    """
    Raises:
        OSError: it cannot be written; the old one is untouched.
    """
    write_atomically(folder / NAME, dump(entries))


def dump(entries: dict[str, Entry]) -> bytes:
    segments = {name: asdict(entry) for name, entry in sorted(entries.items())}
    return (json.dumps({"about": ABOUT, "segments": segments}, indent=1) + "\n").encode()


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def digest_of_text(text: str) -> str:
    """Of a script's words; where its lines break means nothing."""
    return digest(json.dumps([(sentence.text, sentence.last) for sentence in sentences(text)]).encode())
