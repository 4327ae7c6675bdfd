"""All audio as one file for mirrors: packed, fetched, proved file by file, put in place.

The archive is a zip of `manifest.json` and of each segment's .mp3 and .vtt, by their paths in `narration/`. course.toml
has its hash and its mirrors. A mirror that gives anything else is passed over, and the next one is tried.
"""

import io
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from coursekit.authoring.narration.fetch import download
from coursekit.authoring.narration.files import replaceable
from coursekit.authoring.narration.manifest import NAME, Entry, digest, dump, parse, read_manifest
from coursekit.authoring.narration.settings import Archive
from coursekit.drive import NotFetched
from coursekit.engine.shared.errors import CourseError
from coursekit.files import write_atomically, write_together

MADE = (1980, 1, 1, 0, 0, 0)  # equal audio gives an equal archive, whenever it is packed


@dataclass(frozen=True)
class Packed:
    """An archive that was written."""

    path: str
    segments: int
    bytes: int
    sha256: str

    def __str__(self) -> str:
        return (
            f"{self.path}: {self.segments} segments, {self.bytes / 1e6:.1f} MB. In course.toml, [narration.archive]: "
            f'sha256 = "{self.sha256}"'
        )


@dataclass(frozen=True)
class Fetched:
    """What a fetch did: the mirror that gave the archive, or none where all was there already."""

    mirror: str
    segments: int
    refused: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.mirror:
            return f"All {self.segments} segments are there already."
        return f"{self.segments} segments from {self.mirror}, every file verified."


def pack(folder: Path, path: Path) -> Packed:
    """Pack the audio of this narration folder.

    Raises:
        CourseError: there is none, or a file is not the one of the manifest.
        OSError: the archive cannot be written.
    """
    entries = read_manifest(folder)
    if not entries:
        raise CourseError(f"{folder} has no audio yet. Run `course narrate` first.")
    if wrong := _wrong(folder, entries):
        raise CourseError(
            f"These files do not agree with the manifest; run `course narrate` first: {', '.join(wrong[:5])}."
        )
    data = archive_of(folder, entries)
    write_atomically(path, data)
    return Packed(str(path), len(entries), len(data), digest(data))


def archive_of(folder: Path, entries: dict[str, Entry]) -> bytes:
    """The archive itself; equal audio gives equal bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:  # mp3 cannot be made smaller
        archive.writestr(zipfile.ZipInfo(NAME, MADE), dump(entries))
        for name in sorted(_files(entries)):
            archive.writestr(zipfile.ZipInfo(name, MADE), (folder / name).read_bytes())
    return file.getvalue()


def is_current(archive: Archive, folder: Path, entries: dict[str, Entry]) -> bool:
    """Is what is in place what the archive holds?"""
    return (
        bool(entries)
        and not _wrong(folder, entries)
        and digest(archive_of(folder, entries)) == archive.sha256
    )


def fetch(
    archive: Archive,
    folder: Path,
    *,
    patience: float = 30,
    limit: float = 1800,
    python: str = sys.executable,
    tell: Sequence[Callable[[str], None]] = (),
) -> Fetched:
    """Get the audio from the first mirror that has it. Nothing is fetched where it is in place already.

    What was made of an instructor's own recordings is not replaced.

    Args:
        folder: where the files go: `narration/`, or a folder of its own. Other files in it are left alone.
        patience, limit, python: as `download` has them.
        tell: called with a sentence for each mirror that failed.

    Raises:
        CourseError: no mirror gave the archive; says for each why. Nothing in the folder has changed then.
    """
    if not archive.mirrors or not archive.sha256:
        raise CourseError(
            "course.toml, [narration.archive] names no mirror or no sha256: there is nothing to fetch."
        )
    entries = read_manifest(folder)
    if is_current(archive, folder, entries):
        return Fetched("", len(entries))
    refused: list[str] = []
    folder.mkdir(parents=True, exist_ok=True)
    for mirror in archive.mirrors:
        # Beside: what is in place is always whole, and moving it there is no copy.
        with tempfile.TemporaryDirectory(prefix=".fetched.", dir=folder) as beside:
            try:
                got = Path(beside) / "got"
                got.mkdir()
                download(mirror, got / "archive.zip", patience=patience, limit=limit, python=python)
                segments = _put((got / "archive.zip").read_bytes(), archive.sha256, Path(beside), folder)
            except NotFetched as error:
                refused.append(f"{mirror} {error}")
                for listener in tell:
                    listener(f"{refused[-1]}.")
                continue
        return Fetched(mirror, segments, tuple(refused))
    raise CourseError("No mirror gave the narration's audio: " + "; ".join(refused) + ".")


def _put(data: bytes, sha256: str, beside: Path, folder: Path) -> int:
    """Prove what came, and put it into the folder; gives the number of segments.

    Raises:
        NotFetched: it is not the archive; nothing has changed then.
    """
    _judge(data, sha256)
    unpacked = beside / "unpacked"
    entries = _unpack(data, unpacked)
    if wrong := _wrong(unpacked, entries):
        raise NotFetched(f"has an archive whose files are not those of its manifest: {', '.join(wrong[:3])}")
    wanted = {name: entry for name, entry in entries.items() if replaceable(folder / f"{name}.mp3")}
    own = {name: entry for name, entry in read_manifest(folder).items() if name not in wanted}
    files = {folder / name: (unpacked / name).read_bytes() for name in sorted(_files(wanted))}
    # The manifest last: who finds it new finds all of them new.
    write_together(files | {folder / NAME: dump(wanted | own)})
    return len(entries)


def _judge(data: bytes, sha256: str) -> None:
    """Is it the archive, and if not, what is it?

    Raises:
        NotFetched: says what came instead.
    """
    if digest(data) == sha256:
        return
    head = data[:100_000].lstrip().lower()
    if head.startswith((b"<!doctype", b"<html", b"<?xml")) or b"<html" in head[:1000]:
        if b"too many users" in head or b"quota" in head:
            raise NotFetched("has had too many downloads today (Google Drive's quota)")
        raise NotFetched("gave a web page instead of the archive")
    if not data.startswith(b"PK"):
        raise NotFetched(f"gave {len(data)} bytes that are no zip archive")
    raise NotFetched(f"gave another archive: its sha256 is {digest(data)[:12]}…, not {sha256[:12]}…")


def _unpack(data: bytes, folder: Path) -> dict[str, Entry]:
    """Only what the manifest in it names is written, so nothing can be put anywhere else.

    Raises:
        NotFetched: it is damaged.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = parse(archive.read(NAME))
            for name in [*_files(entries), NAME]:
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(archive.read(name))
    except (zipfile.BadZipFile, zlib.error, KeyError, ValueError, EOFError, CourseError) as error:
        raise NotFetched(f"gave a damaged archive: {error!s:.200}") from error
    return entries


def _files(entries: dict[str, Entry]) -> dict[str, str]:
    """{path within the folder: its sha256}.

    Raises:
        CourseError: a path leads out of the folder.
    """
    for name in entries:
        if Path(name).is_absolute() or ".." in Path(name).parts or "\\" in name:
            raise CourseError(f"{name!r} is no segment")
    return {f"{name}.mp3": entry.audio_sha256 for name, entry in entries.items()} | {
        f"{name}.vtt": entry.cues_sha256 for name, entry in entries.items()
    }


def _wrong(folder: Path, entries: dict[str, Entry]) -> list[str]:
    """Files that are missing or others than the manifest tells of."""
    wrong = []
    for name, sha256 in _files(entries).items():
        try:
            same = digest((folder / name).read_bytes()) == sha256
        except OSError:
            same = False
        if not same:
            wrong.append(name)
    return wrong
