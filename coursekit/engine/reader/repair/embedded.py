"""The pictures in a text cell: its attachments, and those written into the text as data: addresses.

Each becomes a name and a function that returns its bytes, so that what nobody looks at is never decoded. The text keeps
nbformat's `attachment:` and the name in place of the data.
"""

import base64
import hashlib
import re
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import unquote

from coursekit.engine.reader.repair import code

Pictures = dict[str, Callable[[], bytes]]
MAX_NAMES = 200  # of pictures in one cell

# base64 in one piece or in lines. A word after it is shorter than such a line.
DATA = re.compile(
    r"data:image/([a-z0-9.+-]{1,20})(?:;[a-z0-9=.-]{1,40}){0,3};base64,([\w+/=%-]+(?:\s+[\w+/=%-]{40,})*)",
    re.IGNORECASE | re.ASCII,
)

REFERENCE = re.compile(r"\]\(attachment:([^\s()]{1,200})")


def attached_pictures(attachments: Any) -> Pictures:
    """Return the pictures in a cell's `attachments`, whatever they are."""
    pictures: Pictures = {}
    for name, bundle in list(attachments.items())[:MAX_NAMES] if isinstance(attachments, dict) else ():
        if isinstance(name, str) and isinstance(bundle, dict) and len(name) <= code.MAX_NAME:
            kinds = [kind for kind in bundle if isinstance(kind, str)]
            kinds.sort(key=lambda kind: (not kind.startswith("image/"), kind == "image/svg+xml"))
            if kinds:
                printable = "".join(letter if letter.isprintable() else "?" for letter in name)
                pictures[printable] = partial(_decoded, bundle[kinds[0]])
    return pictures


def extract_pictures(source: str) -> tuple[str, Pictures]:
    """Return a text with `attachment:` addresses for its data: addresses, and their pictures."""
    pictures: Pictures = {}

    def named(match: re.Match[str]) -> str:
        digest = hashlib.sha256(match[2].encode("ascii", "replace")).hexdigest()[:8]
        name = f"picture-{digest}.{match[1].lower().partition('+')[0]}"
        pictures[name] = partial(_decoded, unquote(match[2]))
        return f"attachment:{name}"

    return (DATA.sub(named, source), pictures) if "data:image/" in source else (source, {})


def missing_pictures(source: str, pictures: Pictures) -> Pictures:
    """Return the pictures that a text refers to and that are not there, as ones that cannot be shown."""
    names = dict.fromkeys(unquote(match[1]) for match in REFERENCE.finditer(source))
    return {
        name: bytes
        for name in list(names)[:MAX_NAMES]
        if not any(
            known.startswith(name) for known in pictures
        )  # of one with a blank, the beginning was matched
    }


def mentioned_pictures(pictures: Pictures, text: str) -> Pictures:
    """Return the pictures whose names a text refers to."""
    plain = unquote(text)
    return {name: picture for name, picture in pictures.items() if f"attachment:{name}" in plain}


def join_texts(texts: list[tuple[str, Pictures]]) -> tuple[str, Pictures]:
    """Return several texts as one, with their pictures; of two with the same name, the second gets another."""
    parts: list[str] = []
    pictures: Pictures = {}
    for text, own in texts:
        for name, picture in own.items():
            new = name
            while new in pictures:
                new = f"{len(pictures) + 1}-{name}"
            if new != name:
                text = text.replace(f"attachment:{name}", f"attachment:{new}")
            pictures[new] = picture
        parts.append(text)
    return "\n\n".join(part for part in parts if part), pictures


def _decoded(value: Any) -> bytes:
    """Return the bytes of base64 as nbformat writes it, in one string or in lines; b"" for anything else."""
    if isinstance(value, list):
        value = "".join(line for line in value if isinstance(line, str))
    try:
        return base64.b64decode(value) if isinstance(value, str) else b""  # skips white space
    except ValueError:
        return b""
