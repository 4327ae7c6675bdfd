"""The text of what was handed in: out of an archive, in whatever encoding an editor chose. Nothing grows unbounded."""

import codecs
import io
import json
import zipfile
import zlib
from pathlib import PurePosixPath
from typing import Any

MAX_UNPACKED = 100 << 20  # bytes: no more than a file may have that is not packed
MAX_MEMBERS = 5_000
MAX_NOTEBOOKS = 5  # of one archive
MAX_CELLS = 20_000  # of one notebook; nobody makes more by hand


class Unreadable(Exception):
    """The submission is not a notebook. The message says why, for the student."""


AGAIN = "Save the notebook again and hand in the .ipynb file."
# Beginnings of files that are often renamed to .ipynb.
OTHER = (
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"Rar!", "a RAR archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\xd0\xcf\x11\xe0", "an Office document"),
)


def unpack(data: bytes, name: str) -> list[bytes]:
    """The files that a file holds: itself, or the notebooks of an archive, the one with the right name first.

    Raises:
        Unreadable: an archive without a notebook, or with one that is too large.
    """
    for beginning, kind in OTHER:
        if data.startswith(beginning):
            raise Unreadable(f"The file is {kind}, not a notebook. {AGAIN}")
    if data.startswith(b"\x1f\x8b"):
        inflate = zlib.decompressobj(wbits=31)
        try:
            content = inflate.decompress(data, MAX_UNPACKED)
        except zlib.error:
            raise Unreadable(f"The file is a gzip archive that cannot be unpacked. {AGAIN}") from None
        if inflate.unconsumed_tail:
            raise Unreadable(f"The file is an archive of more than {MAX_UNPACKED >> 20} MiB. {AGAIN}")
        return [content]
    if data.startswith(b"PK\x03\x04"):
        return _unzip(data, name)
    return [data]


def _unzip(data: bytes, name: str) -> list[bytes]:
    if data.count(b"PK\x01\x02") > MAX_MEMBERS:  # the beginning of each entry of its table of contents
        raise Unreadable(f"The file is an archive of more than {MAX_MEMBERS} files. {AGAIN}")
    found, room = [], MAX_UNPACKED
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            if any(member.filename.startswith(("word/", "ppt/", "xl/")) for member in members):
                raise Unreadable(f"The file is an Office document, not a notebook. {AGAIN}")
            for member in sorted(members, key=lambda member: _rank(member.filename, name))[:MAX_NOTEBOOKS]:
                plain = member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
                if not _is_notebook(member.filename) or not plain:
                    continue
                with archive.open(member) as file:
                    content = file.read(room + 1)
                room -= len(content)
                if room < 0:
                    raise Unreadable(f"The archive holds more than {MAX_UNPACKED >> 20} MiB. {AGAIN}")
                found.append(content)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError, NotImplementedError):
        if not found:
            raise Unreadable(f"The file is a zip archive that cannot be unpacked. {AGAIN}") from None
    if not found:
        raise Unreadable(f"The file is a zip archive without a notebook in it. {AGAIN}")
    return found


def _is_notebook(path: str) -> bool:
    return path.lower().endswith(".ipynb") and not {"__MACOSX", ".ipynb_checkpoints"} & set(path.split("/"))


def _rank(path: str, name: str) -> tuple[Any, ...]:
    return not _is_notebook(path), PurePosixPath(path).name != f"{name}.ipynb", path.count("/"), path


def _one_by_one(error: UnicodeError) -> tuple[str, int]:
    """Bytes that are not UTF-8 are read as Windows wrote them; the rest of the file stays as it is."""
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error("coursekit-cp1252", _one_by_one)


def decode(data: bytes) -> tuple[str, bool]:
    """Text of a file that an editor may have saved in its own way, and whether some of it had to be guessed."""
    encoding = json.detect_encoding(data)
    if not encoding.startswith("utf-8"):
        return data.decode(encoding, "replace").lstrip("\ufeff"), False
    try:
        return data.decode("utf-8-sig").lstrip("\ufeff"), False
    except UnicodeDecodeError:
        return data.decode("utf-8-sig", "coursekit-cp1252").lstrip("\ufeff"), True
