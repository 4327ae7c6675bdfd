"""A student's id: the name of a folder in submitted/, and of a row in the gradebook."""

import re
import unicodedata

MAX_LENGTH = 100
MAX_BYTES = 200  # in UTF-8, so that files beside it can have longer names; file systems allow 255
# Letters that the formgrader's pages and every file system accept. A leading dot hides a name, or leads out ("..").
_ID = re.compile(rf"(?!\.)[\w.@+-]{{1,{MAX_LENGTH}}}")


def problem(student: str) -> str:
    """Return why this is not a valid student's id, as a sentence; "" if it is.

    >>> problem("ann"), problem("..")[:35]
    ('', 'An id is 1 to 100 letters, digits a')
    """
    if _ID.fullmatch(student) and len(student.encode()) <= MAX_BYTES:
        return ""
    return (
        f"An id is 1 to {MAX_LENGTH} letters, digits and . _ @ + -, at most {MAX_BYTES} bytes, and does not begin with "
        "a dot."
    )


def folded(student: str) -> str:
    """Return the id in lower case: to many people, two ids that differ only in case are the same.

    >>> folded("Ann") == folded("ann"), folded("strauß") == folded("strauss")
    (True, False)
    """
    return unicodedata.normalize("NFC", student.lower())


def slug(name: str) -> str:
    """Return a person's name as an id; "" if no letter of it is allowed.

    >>> slug("Ana María López"), slug("../x")
    ('Ana-María-López', 'x')
    """
    return first_bytes(re.sub(r"[^\w.@+-]+", "-", name).strip("-.")[:MAX_LENGTH], MAX_BYTES)


def first_bytes(text: str, most: int) -> str:
    """Return as many of the first letters as fit into `most` bytes of UTF-8.

    >>> first_bytes("Zoë", 3), first_bytes("Zoë", 4)
    ('Zo', 'Zoë')
    """
    return text.encode()[:most].decode(errors="ignore")
