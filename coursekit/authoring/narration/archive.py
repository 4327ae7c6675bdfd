"""All audio in one file for mirrors: packed, downloaded, verified file by file, put in place.

The archive is a zip of `manifest.json` and of each segment's .mp3 and .vtt, by their paths in `narration/`. course.toml
has its hash and its mirrors. If a mirror returns anything else, the next one is tried.
"""

import io
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from coursekit import drive
from coursekit.authoring.narration.files import replaceable
from coursekit.authoring.narration.manifest import NAME, Entry, digest, dump, parse, read_manifest
from coursekit.authoring.narration.settings import Archive
from coursekit.drive import DownloadError
from coursekit.engine.shared.errors import CourseError
from coursekit.files import write_atomically, write_together

MODIFIED = (1980, 1, 1, 0, 0, 0)  # equal audio gives an equal archive, whenever it is packed


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
    """The mirror that the archive is from, "" if all was in place, and why the mirrors before it were refused."""

    mirror: str
    segments: int
    refused: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.mirror:
            return f"All {self.segments} segments are there already."
        return f"{self.segments} segments from {self.mirror}, every file verified."


def pack(folder: Path, path: Path) -> Packed:
    """Write the audio of this narration folder into an archive; raise CourseError if it differs from the manifest."""
    entries = read_manifest(folder)
    if not entries:
        raise CourseError(f"{folder} has no audio yet. Run `course narrate` first.")
    files = _read_files(folder, entries)
    if wrong := _wrong(entries, files):
        raise CourseError(
            f"These files do not agree with the manifest; run `course narrate` first: {', '.join(wrong[:5])}."
        )
    data = _build(entries, files)
    write_atomically(path, data)
    return Packed(str(path), len(entries), len(data), digest(data))


def is_current(archive: Archive, folder: Path, entries: dict[str, Entry]) -> bool:
    """Return whether the files in place are those of the archive."""
    files = _read_files(folder, entries)
    return bool(entries) and not _wrong(entries, files) and digest(_build(entries, files)) == archive.sha256


def fetch(archive: Archive, folder: Path, on_failure: Callable[[str], None] = lambda reason: None) -> Fetched:
    """Download the audio from the first mirror that has it, unless it is in place; return where it is from.

    Audio that was made from an instructor's own recordings is not replaced.

    Args:
        folder: where to put the files: `narration/`, or another folder. Other files in it are left alone.
        on_failure: called with a sentence for each mirror that failed.

    Raises:
        CourseError: course.toml names no mirror or no sha256, the folder's manifest is broken, or no mirror returned
            the archive, with the reason for each. Nothing in the folder has changed then.
    """
    if not archive.mirrors or not archive.sha256:
        raise CourseError(
            "course.toml, [narration.archive] names no mirror or no sha256: there is nothing to fetch."
        )
    entries = read_manifest(folder)
    if is_current(archive, folder, entries):
        return Fetched("", len(entries))
    refused: list[str] = []
    for mirror in archive.mirrors:
        try:
            with tempfile.TemporaryDirectory(prefix="course-narration-") as temporary:
                path = Path(temporary) / "archive.zip"
                drive.download_file(mirror, path)
                data = path.read_bytes()
            _verify(data, archive.sha256)
            segments = _put_in_place(data, folder)
        except DownloadError as error:
            refused.append(f"{mirror} {error}")
            on_failure(f"{refused[-1]}.")
        else:
            return Fetched(mirror, segments, tuple(refused))
    raise CourseError("No mirror gave the narration's audio: " + "; ".join(refused) + ".")


def _verify(data: bytes, sha256: str) -> None:
    """Raise DownloadError if this is not the archive; the message describes the data."""
    if digest(data) == sha256:
        return
    if data.lstrip().startswith(b"<"):
        over_quota = drive.is_over_quota(data[:100_000].decode(errors="replace"))
        raise DownloadError(drive.OVER_QUOTA if over_quota else "gave a web page instead of the archive")
    if not data.startswith(b"PK"):
        raise DownloadError(f"gave {len(data)} bytes that are no zip archive")
    raise DownloadError(f"gave another archive: its sha256 is {digest(data)[:12]}…, not {sha256[:12]}…")


def _put_in_place(data: bytes, folder: Path) -> int:
    """Verify each file of the archive, write the files into the folder, and return the archive's number of segments.

    Only files that the archive's manifest names are written, only below the folder, and not over an instructor's
    recordings. If a file is missing or damaged, DownloadError is raised before anything has changed.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = parse(archive.read(NAME))
            files = {name: archive.read(name) for name in _hashes(entries)}
    except (zipfile.BadZipFile, zlib.error, KeyError, ValueError, EOFError, CourseError) as error:
        raise DownloadError(f"gave a damaged archive: {error!s:.200}") from error
    if wrong := _wrong(entries, files):
        raise DownloadError(
            f"has an archive whose files are not those of its manifest: {', '.join(wrong[:3])}"
        )
    replaced = {name: entry for name, entry in entries.items() if replaceable(folder / f"{name}.mp3")}
    kept = {name: entry for name, entry in read_manifest(folder).items() if name not in replaced}
    # The manifest last: when it is new, all files are new.
    new = {folder / name: files[name] for name in sorted(_hashes(replaced))}
    write_together(new | {folder / NAME: dump(replaced | kept)})
    return len(entries)


def _build(entries: dict[str, Entry], files: dict[str, bytes]) -> bytes:
    """Return the archive's bytes; equal audio gives equal bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:  # mp3 cannot be made smaller
        archive.writestr(zipfile.ZipInfo(NAME, MODIFIED), dump(entries))
        for name, data in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, MODIFIED), data)
    return file.getvalue()


def _hashes(entries: dict[str, Entry]) -> dict[str, str]:
    """Return {path within the folder: its sha256}; raise CourseError if a path leads out of the folder."""
    hashes: dict[str, str] = {}
    for name, entry in entries.items():
        if Path(name).is_absolute() or ".." in Path(name).parts or "\\" in name:
            raise CourseError(f"{name!r} is no segment")
        hashes |= {f"{name}{suffix}": sha256 for suffix, sha256 in entry.hashes.items()}
    return hashes


def _read_files(folder: Path, entries: dict[str, Entry]) -> dict[str, bytes]:
    """Return those of the manifest's files that can be read; `_wrong` names the others."""
    files = {}
    for name in _hashes(entries):
        with suppress(OSError):
            files[name] = (folder / name).read_bytes()
    return files


def _wrong(entries: dict[str, Entry], files: dict[str, bytes]) -> list[str]:
    """Return the files that are missing, or not those that the manifest describes."""
    return [name for name, sha256 in _hashes(entries).items() if digest(files.get(name, b"")) != sha256]
