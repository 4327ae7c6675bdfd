"""narration/manifest.json: the text and voice that each audio file was made from, and the hashes that prove it.

    {"about": "...", "segments": {"week1_attention/02_softmax": {"seconds": 67.2, "audio_sha256": "...", ...}}}

`segments` maps a script's path without .md to an entry; the .mp3 and the .vtt are next to the script.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec

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

    @property
    def hashes(self) -> dict[str, str]:
        """{a file's suffix: the file's hash}."""
        return {".mp3": self.audio_sha256, ".vtt": self.cues_sha256}


@dataclass(frozen=True)
class _Manifest:
    segments: dict[str, Entry]


def read_manifest(folder: Path) -> dict[str, Entry]:
    """Return the entries of this narration folder by segment; {} if there is no manifest."""
    path = folder / NAME
    try:
        return parse(path.read_bytes())
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise CourseError(f"{path} cannot be read: {error.strerror}.") from error
    except CourseError as error:
        raise CourseError(f"{path} {error}") from error


def parse(data: bytes) -> dict[str, Entry]:
    """Return the entries of a manifest, or raise CourseError if these bytes are not one."""
    try:
        return msgspec.json.decode(data, type=_Manifest).segments
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CourseError(f"is no manifest of narration: {error!s:.100}. Get it back from git.") from error


def write_manifest(folder: Path, entries: dict[str, Entry]) -> None:
    write_atomically(folder / NAME, dump(entries))


def dump(entries: dict[str, Entry]) -> bytes:
    """Return the manifest's bytes; equal entries give equal bytes."""
    segments = {name: asdict(entry) for name, entry in sorted(entries.items())}
    return (json.dumps({"about": ABOUT, "segments": segments}, indent=1) + "\n").encode()


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def digest_of_text(text: str) -> str:
    """Return the digest of a script's sentences and paragraphs; line breaks inside a paragraph have no influence."""
    parts = [(sentence.text, sentence.ends_paragraph) for sentence in sentences(text)]
    return digest(json.dumps(parts).encode())
