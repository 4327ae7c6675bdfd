"""Every text that a file can be read as: out of archives and encodings, out of the strings of a notebook."""

import base64
import binascii
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

DEPTH = 4  # of one disguise in another
MAX_UNPACKED = 100 << 20
BASE64 = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
HEX = re.compile(r"(?:[0-9a-fA-F]{2}){12,}")
ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8})")


def texts(data: bytes, depth: int = DEPTH) -> Iterator[str]:
    """The texts in a file, plain ones first.

    Raises:
        ValueError: it cannot be unpacked, or unpacks to more than is worth looking at.
    """
    if depth < 0:
        return
    if data[:2] == b"\x1f\x8b":
        try:
            unpacked = gzip.GzipFile(fileobj=io.BytesIO(data)).read(MAX_UNPACKED + 1)
        except (OSError, EOFError, zlib.error):
            return
        yield from texts(_bounded(unpacked), depth - 1)
    elif data[:4] == b"PK\x03\x04":
        for member in _members(data):
            yield from texts(member, depth - 1)
    elif (text := _decoded(data)) is not None:
        yield from _of_text(text, depth)


def refuse_unreadable(data: bytes, depth: int = DEPTH) -> None:
    """Raises ValueError: a part of it is neither text nor a sound, picture or model whose format holds no code."""
    if data[:2] == b"\x1f\x8b":
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            try:
                unpacked = _bounded(file.read(MAX_UNPACKED + 1))
            except (OSError, EOFError, zlib.error) as error:
                raise ValueError(f"it is an archive that cannot be unpacked ({error})") from error
        members = [unpacked]
    elif data[:4] == b"PK\x03\x04":
        members = _members(data)
    elif not data or _is_media(data) or _is_text(data):
        return
    else:
        raise ValueError(
            "it is no text in UTF-8 or UTF-16, no zip or gzip archive of such texts, and no MP3, PNG, JPEG or "
            "safetensors file. Save it as text, or move it out of the course's files for students"
        )
    if depth == 0:
        raise ValueError(f"it is an archive in more than {DEPTH} others")
    for member in members:
        refuse_unreadable(member, depth - 1)


def _is_text(data: bytes) -> bool:
    """Whether `texts` reads these bytes as who wrote them did: any bytes are something in UTF-16."""
    text = _decoded(data)
    if text is None or data.startswith(b"%PDF"):
        return False
    by_chance = not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and text.encode() != data
    return not by_chance or sum(map(str.isascii, text)) > len(text) / 2


def _is_media(data: bytes) -> bool:
    """Whether this is a sound, a picture, or a model's weights: by how it begins."""
    if data.startswith((b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2", b"\x89PNG\r\n", b"\xff\xd8\xff")):
        return True
    header = int.from_bytes(data[:8], "little")  # of safetensors: the length of the JSON that follows
    if not 0 < header <= len(data) - 8:
        return False
    try:
        return isinstance(json.loads(data[8 : 8 + header]), dict)
    except (ValueError, RecursionError):
        return False


def _members(data: bytes) -> list[bytes]:
    """The files in a zip archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(member.file_size for member in archive.infolist()) > MAX_UNPACKED:
                raise ValueError(f"it unpacks to more than {MAX_UNPACKED >> 20} MiB")
            return [archive.read(member) for member in archive.infolist() if not member.is_dir()]
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise ValueError(f"it is an archive that cannot be unpacked ({error})") from error


def _bounded(data: bytes) -> bytes:
    if len(data) > MAX_UNPACKED:
        raise ValueError(f"it unpacks to more than {MAX_UNPACKED >> 20} MiB")
    return data


def _decoded(data: bytes) -> str | None:
    """The text that these bytes are, None when they are a picture, a sound or the like."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if text and sum(char.isprintable() or char.isspace() for char in text[:1000]) > 0.9 * len(
            text[:1000]
        ):
            return text
    return None


def _of_text(text: str, depth: int) -> Iterator[str]:
    """A text, and what it is when its escapes and encodings are taken away."""
    inner = _strings(text)
    if inner is not None:
        for string in inner:
            yield from _of_text(string, depth - 1) if depth else [string]
        return
    yield text
    if depth <= 0:
        return
    for other in {
        unicodedata.normalize("NFKC", text),
        html.unescape(text),
        urllib.parse.unquote_plus(text) if "%" in text else text,
        ESCAPE.sub(lambda found: codecs.decode(found[0], "unicode_escape"), text),
    } - {text}:
        yield from _of_text(other, depth - 1)
    for found in BASE64.findall(text):
        plain = found.translate(str.maketrans("-_", "+/")).rstrip("=")
        try:
            yield from texts(base64.b64decode(plain + "=" * (-len(plain) % 4)), depth - 1)
        except (binascii.Error, ValueError):
            continue
    for found in HEX.findall(text):
        yield from texts(bytes.fromhex(found), depth - 1)


def _strings(text: str) -> list[str] | None:
    """Every string of a JSON text, lists of lines as one; None when it is no JSON."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return None
    found = []
    waiting = [content]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, dict):
            waiting += [*value, *value.values()]
        elif isinstance(value, list):
            lines = bool(value) and all(isinstance(part, str) for part in value)
            found += ["".join(value)] if lines else []
            waiting += value if not lines or len(value) < 3 else []
    return found
