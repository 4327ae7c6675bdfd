"""What a student's id is: the name of a folder in submitted/, and of a row in the gradebook."""

import re
import unicodedata

MAX_LENGTH = 100
MAX_BYTES = 200  # in UTF-8, so that what is written beside it can have a longer name; file systems allow 255
# What the formgrader's pages and every file system can hold. A name that begins with a dot is hidden, or leads away.
_ID = re.compile(rf"(?!\.)[\w.@+-]{{1,{MAX_LENGTH}}}")


def problem(student: str) -> str:
    """Why this can be no student's id, as a sentence; "" where it can.

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
    """The id without the difference between upper and lower case: ids that are equal so are one name to many people.

    >>> folded("Ann") == folded("ann"), folded("strauß") == folded("strauss")
    (True, False)
    """
    return unicodedata.normalize("NFC", student.lower())


def slug(name: str) -> str:
    """A person's name as an id; "" where nothing of it can be one.

    >>> slug("Ana María López"), slug("../x")
    ('Ana-María-López', 'x')
    """
    return first_bytes(re.sub(r"[^\w.@+-]+", "-", name).strip("-.")[:MAX_LENGTH], MAX_BYTES)


def first_bytes(text: str, most: int) -> str:
    """As many of its first letters as take so many bytes in UTF-8.

    >>> first_bytes("Zoë", 3), first_bytes("Zoë", 4)
    ('Zo', 'Zoë')
    """
    return text.encode()[:most].decode(errors="ignore")
