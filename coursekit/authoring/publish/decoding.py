"""Every text in a file: in archives, in the strings of a notebook, and encoded inside another text."""

import base64
import codecs
import gzip
import html
import io
import json
import re
import unicodedata
import urllib.parse
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress

DEPTH = 4  # archives inside archives, and encodings inside encodings
MAX_UNPACKED = 100 << 20  # bytes
BYTES_AS_TEXT = (  # base64 and hexadecimal digits, with the function that decodes each
    (re.compile(r"[A-Za-z0-9+/_-]{24,}"), lambda text: base64.urlsafe_b64decode(text + "==")),
    (re.compile(r"(?:[0-9a-fA-F]{2}){12,}"), bytes.fromhex),
)
# How a numpy array of numbers begins: one of objects could hold code.
NUMBERS = re.compile(rb"\x93NUMPY(?:\x01...|[\x02\x03].....)\{'descr': '[<>|=][biufc]\d{1,2}',", re.DOTALL)
ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8})")
# How an MP3, a PNG and a JPEG begin.
MEDIA = (b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2", b"\x89PNG\r\n", b"\xff\xd8\xff")


def texts(data: bytes) -> list[str]:
    """Return each text in a file once, the plain ones first.

    Raises:
        ValueError: part of the file is neither text nor of a format that cannot hold code, or is an archive that
            cannot be unpacked, is too large, or is inside too many others.
    """
    known = dict.fromkeys(_plain_texts(data))
    latest = list(known)
    for _ in range(DEPTH):
        decoded = dict.fromkeys(inner for text in latest for inner in _decoded(text))
        latest = [text for text in decoded if text not in known]
        known |= dict.fromkeys(latest)
    return list(known)


def _plain_texts(data: bytes, depth: int = DEPTH) -> Iterator[str]:
    """Yield the texts of a file as they are, without anything decoded in them."""
    members = _members(data)
    if members is not None:
        if depth == 0:
            raise ValueError(f"it is an archive in more than {DEPTH} others")
        for member in members:
            yield from _plain_texts(member, depth - 1)
    elif (text := _text(data)) is not None:
        yield from _strings(text)
    elif not _is_media(data):
        raise ValueError(
            "it is no text in UTF-8 or UTF-16, no zip or gzip archive of such texts, and no MP3, PNG, JPEG, "
            "safetensors or NPY file. Save it as text, or move it out of the course's files for students"
        )


def _members(data: bytes) -> list[bytes] | None:
    """Return the data of each file in a zip or gzip archive; None for anything else."""
    try:
        if data.startswith(b"\x1f\x8b"):
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
                members = [file.read(MAX_UNPACKED + 1)]
            size = len(members[0])
        elif data.startswith(b"PK\x03\x04"):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                listed = [member for member in archive.infolist() if not member.is_dir()]
                size = sum(member.file_size for member in listed)
                members = [archive.read(member) for member in listed if size <= MAX_UNPACKED]
        else:
            return None
    except (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise ValueError(f"it is an archive that cannot be unpacked ({error})") from error
    if size > MAX_UNPACKED:
        raise ValueError(f"it unpacks to more than {MAX_UNPACKED >> 20} MiB")
    return members


def _text(data: bytes) -> str | None:
    """Return the text that these bytes are in UTF-8 or UTF-16; None for a picture, a sound, a PDF and the like.

    Almost any bytes are valid UTF-16: without a byte order mark, more than half of the text must be ASCII.
    """
    if data.startswith(b"%PDF"):
        return None
    marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ("utf-8-sig", "utf-16", "utf-16-be"):
        with suppress(UnicodeDecodeError):
            text = data.decode(encoding)
            start = text[:1000]
            printable = sum(char.isprintable() or char.isspace() for char in start) >= 0.9 * len(start)
            if printable and (
                encoding == "utf-8-sig" or marked or 2 * sum(map(str.isascii, text)) > len(text)
            ):
                return text
    return None


def _is_media(data: bytes) -> bool:
    """Return whether this is a sound, a picture, an array of numbers, or a model's weights, by how it begins."""
    if data.startswith(MEDIA) or NUMBERS.match(data):
        return True
    length = int.from_bytes(data[:8], "little")  # of the JSON with which a safetensors file begins
    with suppress(ValueError, RecursionError):
        return 0 < length <= len(data) - 8 and isinstance(json.loads(data[8 : 8 + length]), dict)
    return False


def _strings(text: str) -> Iterator[str]:
    """Yield every string of a JSON text, a list of strings as one text; any other text as it is."""
    waiting = []
    if text.lstrip().startswith(("{", "[")):
        with suppress(ValueError, RecursionError):
            waiting = [
                json.loads(text, object_pairs_hook=tuple)
            ]  # a dict would lose the first of two equal keys
    if not waiting:
        yield text
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list) and value and all(isinstance(part, str) for part in value):
            yield "\n".join(part.removesuffix("\n") for part in value)  # the lines of a notebook's cell
        elif isinstance(value, list | tuple):
            waiting += value


def _decoded(text: str) -> Iterator[str]:
    """Yield the texts that result from a text, or parts of it, when one encoding is undone."""
    yield from _strings(text)
    yield unicodedata.normalize("NFKC", text)
    yield html.unescape(text)
    yield urllib.parse.unquote_plus(text)
    yield ESCAPE.sub(lambda match: codecs.decode(match[0], "unicode_escape"), text)
    for pattern, decode in BYTES_AS_TEXT:
        for encoded in pattern.findall(text):
            with suppress(ValueError):
                yield from _plain_texts(decode(encoded))
