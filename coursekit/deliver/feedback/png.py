"""PNG pictures from a notebook, reduced to the chunks that a picture needs."""

import base64
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
# All other chunks are dropped: text, colour profiles, animation, and any after the end.
KEPT_CHUNKS = {b"IHDR", b"PLTE", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"pHYs", b"IDAT", b"IEND"}
MAX_SIDE = 10_000  # pixels
MAX_PIXELS = 20_000_000  # a small file can be a huge picture, and a browser has to hold it


def read_png(encoded: object) -> bytes | None:
    """Return the PNG in an `image/png` value, with only its picture chunks; None if it is damaged or too large.

    Args:
        encoded: base64 text with any white space, or the list of lines that nbformat also allows.
    """
    if isinstance(encoded, list) and all(isinstance(line, str) for line in encoded):
        encoded = "".join(encoded)
    try:
        data = base64.b64decode("".join(encoded.split()), validate=True) if isinstance(encoded, str) else b""
    except ValueError:
        return None
    if not data.startswith(SIGNATURE):
        return None
    kept, offset = [SIGNATURE], len(SIGNATURE)
    seen: list[bytes] = []
    while offset + 12 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, offset)
        chunk = data[offset : offset + 12 + size]
        if len(chunk) < 12 + size or zlib.crc32(chunk[4:-4]) != int.from_bytes(chunk[-4:], "big"):
            return None
        if not seen and not (kind == b"IHDR" and size == 13 and _is_small(chunk)):
            return None
        if kind in KEPT_CHUNKS:
            kept.append(chunk)
        seen.append(kind)
        offset += len(chunk)
        if kind == b"IEND":
            return b"".join(kept) if b"IDAT" in seen and seen.count(b"IHDR") == 1 else None
    return None


def _is_small(header: bytes) -> bool:
    """Return whether the picture's sides, as its IHDR chunk has them, are within the limits."""
    width, height = (int.from_bytes(header[offset : offset + 4], "big") for offset in (8, 12))
    return 0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE and width * height <= MAX_PIXELS
