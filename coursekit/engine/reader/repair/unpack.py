"""Unpack and decode a submitted file, an archive or a text in any common encoding, with bounded memory."""

import codecs
import io
import json
import zipfile
import zlib
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any

from coursekit.engine.shared import file_names
from coursekit.engine.shared.reasons import Flag, Unreadable
from coursekit.engine.shared.result import Note

MAX_UNPACKED = 100 << 20  # bytes of an archive's content; a file that is no archive may have as many
MAX_MEMBERS = 5_000  # of a zip archive
MAX_NOTEBOOKS = 5  # of a zip archive that are read
BROKEN = (
    *(zipfile.BadZipFile, zlib.error, EOFError),
    *(OSError, RuntimeError, ValueError, NotImplementedError),
)
MAX_CELLS = 20_000  # of one notebook; more than anybody writes by hand


class UnreadableFile(Exception):
    """The submission is not a notebook. `note` is the flag with the reason."""

    def __init__(self, reason: Unreadable, **values: str | int | float):
        super().__init__(reason)
        self.note = Note(Flag.UNREADABLE, values={"reason": reason, **values})


# Beginnings of files that are often renamed to .ipynb.
OTHER_FORMATS = (
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"II*\0", "a picture"),
    (b"Rar!", "a RAR archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"{\\rtf", "a word processor's document"),
    (b"bplist", "a web archive"),
    (b"\xd0\xcf\x11\xe0", "an Office document"),
)


def unpack(data: bytes, name: str) -> list[bytes]:
    """Return [data], [the content] of a gzip file, or the notebooks of a zip archive, first the one named `name`.ipynb.

    Raises:
        UnreadableFile: another format, or an archive that is broken, too large, too full or without a notebook.
    """
    for beginning, kind in OTHER_FORMATS:
        if data.startswith(beginning):
            raise UnreadableFile(Unreadable.OTHER_FORMAT, format=kind)
    if data.startswith(b"\x1f\x8b"):
        inflate = zlib.decompressobj(wbits=31)
        try:
            content = inflate.decompress(data, MAX_UNPACKED)
        except zlib.error:
            raise UnreadableFile(Unreadable.BROKEN_ARCHIVE, format="gzip") from None
        if inflate.unconsumed_tail:
            raise UnreadableFile(Unreadable.LARGE_ARCHIVE, limit=MAX_UNPACKED >> 20)
        return [content]
    if data.startswith(b"PK\x03\x04"):
        return _unzip(data, name)
    return [data]


def _unzip(data: bytes, name: str) -> list[bytes]:
    if data.count(b"PK\x01\x02") > MAX_MEMBERS:  # the beginning of each entry of its table of contents
        raise UnreadableFile(Unreadable.FULL_ARCHIVE, limit=MAX_MEMBERS)
    contents, bytes_left = [], MAX_UNPACKED
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            if any(member.filename.startswith(("word/", "ppt/", "xl/")) for member in members):
                raise UnreadableFile(Unreadable.OTHER_FORMAT, format="an Office document")
            has_notebook = any(_is_notebook(member.filename) for member in members)
            may_be = _is_notebook if has_notebook else _is_another_form
            candidates = [member for member in members if may_be(member.filename)]
            for member in sorted(candidates, key=lambda member: _rank(member.filename, name))[:MAX_NOTEBOOKS]:
                plain = member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
                if not plain:
                    continue
                with archive.open(member) as file:
                    content = file.read(bytes_left + 1)
                bytes_left -= len(content)
                if bytes_left < 0:
                    raise UnreadableFile(Unreadable.LARGE_ARCHIVE, limit=MAX_UNPACKED >> 20)
                contents.append(content)
    except BROKEN:
        if not contents:
            raise UnreadableFile(Unreadable.BROKEN_ARCHIVE, format="zip") from None
    if not contents:
        raise UnreadableFile(Unreadable.NO_NOTEBOOK_IN_ARCHIVE)
    return contents


def members_beside(data: bytes, name: str, max_bytes: int) -> tuple[list[tuple[str, bytes]], list[str]]:
    """Return (path in the notebook's folder, content) of the files that are in a zip archive beside its notebook.

    Return also the paths of those that are too large, cannot be read, or have names that no file can have.

    Args:
        data: an archive from which `unpack` takes a notebook, or any other file, which has none.
        name: see `unpack`.
        max_bytes: of all contents together.
    """
    if not data.startswith(b"PK\x03\x04"):
        return [], []
    found: list[tuple[str, bytes]] = []
    left_out: list[str] = []
    with suppress(*BROKEN), zipfile.ZipFile(io.BytesIO(data)) as archive:
        # Some programs for Windows separate folders by a backslash.
        members = {member.filename.replace("\\", "/"): member for member in archive.infolist()}
        notebook = min(members, key=lambda path: _rank(path, name))
        for place, path in file_names.paths_beside(members, notebook).items():
            member = members[path]
            plain = member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
            if path.endswith("/"):
                continue
            content = None
            if plain and file_names.is_safe_path(place) and len(found) < file_names.MAX_FILES:
                with suppress(*BROKEN), archive.open(member) as file:
                    content = file.read(max_bytes + 1)
            if content is None or len(content) > max_bytes:
                left_out.append(place)
            else:
                max_bytes -= len(content)
                found.append((place, content))
    return found, left_out


def _is_notebook(path: str) -> bool:
    return path.lower().endswith(".ipynb") and not {"__MACOSX", ".ipynb_checkpoints"} & set(path.split("/"))


def _is_another_form(path: str) -> bool:
    """Return whether a member may be the notebook as another program saved it."""
    suffix = PurePosixPath(path).suffix.lower()
    return suffix in file_names.OTHER_FORMS and not path.endswith("/") and not file_names.is_left_over(path)


def _rank(path: str, name: str) -> tuple[Any, ...]:
    if not _is_notebook(path):
        return (True, *file_names.rank_as_notebook(path, f"{name}.ipynb"))
    return False, PurePosixPath(path).name != f"{name}.ipynb", path.count("/"), path


def _as_cp1252(error: UnicodeError) -> tuple[str, int]:
    """Return the bytes that are not UTF-8 as cp1252 reads them, and where to go on reading UTF-8."""
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error("coursekit-cp1252", _as_cp1252)


def decode(data: bytes) -> tuple[str, bool]:
    """Return the text of a file in any common encoding, and whether some of it had to be guessed."""
    encoding = json.detect_encoding(data)
    if not encoding.startswith("utf-8"):
        return data.decode(encoding, "replace").lstrip("\ufeff"), False
    try:
        return data.decode("utf-8-sig").lstrip("\ufeff"), False
    except UnicodeDecodeError:
        return data.decode("utf-8-sig", "coursekit-cp1252").lstrip("\ufeff"), True
