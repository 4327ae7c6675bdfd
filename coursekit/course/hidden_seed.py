"""The number from which the hidden tests of one hand-in draw their inputs.

It depends on a secret of the course and on what was handed in: nobody can compute it, and the same files always get the
same inputs.
"""

import hashlib
import hmac
import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from coursekit.engine.shared.errors import CourseError

SECRET = "hidden_seed.key"  # in the course folder; git ignores it, and it is not published
SECRET_BYTES = 32
SEED_BYTES = 6  # few enough for every random generator, with room for the numbers that tests add


def hidden_seed(folder: Path, digest: str) -> int:
    """Return the seed of a hand-in with this digest, a positive number.

    The course's secret is made if it has none.

    Args:
        folder: of the course.

    Raises:
        CourseError: the secret cannot be read or written, or is damaged.
    """
    path = folder / SECRET
    try:
        if not path.exists():
            _make(path)
        secret = bytes.fromhex(path.read_text(encoding="ascii"))
    except (OSError, ValueError) as error:
        raise CourseError(f"The course's secret {path} cannot be read or written: {error}.") from error
    if len(secret) != SECRET_BYTES:
        raise CourseError(
            f"The course's secret {path} is damaged: expected {2 * SECRET_BYTES} hexadecimal digits. Restore it from a "
            "backup. Without one, delete it: hidden tests then get other inputs."
        )
    return 1 + int.from_bytes(hmac.digest(secret, digest.encode(), hashlib.sha256)[:SEED_BYTES])


def _make(path: Path) -> None:
    """Write a new secret; if another thread or process has just written one, that one stays."""
    # Only its owner can read such a file.
    with tempfile.NamedTemporaryFile("w", encoding="ascii", dir=path.parent, prefix=f".{path.name}.") as file:
        file.write(secrets.token_hex(SECRET_BYTES))
        file.flush()
        os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(file.name, path)
