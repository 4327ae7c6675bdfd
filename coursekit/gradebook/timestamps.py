"""The time at which a submission was handed in, from nbgrader's timestamp.txt, which is not trusted."""

import codecs
import re
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from coursekit.engine.coordinator.submission import open_regular

TIMESTAMP = "timestamp.txt"
MAX_TIMESTAMP = 200  # bytes


def read_time(path: Path) -> datetime | None:
    """Return when a submission was handed in, from its timestamp.txt, in UTC without a zone; None if it does not say.

    The formgrader compares the file with the gradebook, and asks for grading where they differ. A student may have
    put the file there, so anything but a short regular file with a valid time is ignored.
    """
    try:
        opened = open_regular(path)
    except OSError:
        return None
    if opened is None:
        return None
    descriptor, size = opened
    with open(descriptor, "rb") as file:
        return parse_time(file.read(MAX_TIMESTAMP)) if size <= MAX_TIMESTAMP else None


# ISO 8601 with a date and a time; after it, as nbgrader writes it, the zone's offset or its name.
_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s?(Z|[+-]\d\d:?\d\d|[A-Za-z][\w+/-]{0,40})?",
    re.ASCII,
)


def parse_time(data: bytes) -> datetime | None:
    """Return the time in a timestamp.txt, in UTC without a zone; None if it is not valid.

    >>> parse_time(b"2026-11-02 10:00:00.5 Europe/Berlin")
    datetime.datetime(2026, 11, 2, 9, 0, 0, 500000)
    >>> parse_time("2026-11-02 10:00:00".encode("utf-16")) == parse_time(b"2026-11-02 10:00:00 UTC")
    True
    """
    # Editors on Windows save UTF-16, or UTF-8 with a byte order mark.
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    match = _TIME.fullmatch(data.decode(encoding, "replace").strip())
    if match is None:
        return None
    text, zone = match[1], match[2] or "Z"
    try:
        if zone in ("Z", "UTC", "GMT"):
            return datetime.fromisoformat(text)
        if zone[0] in "+-":
            when = datetime.fromisoformat(text + zone)
        else:
            when = datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))
        return when.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError, OSError, KeyError):
        return None
