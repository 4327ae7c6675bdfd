"""One download by gdown. Old ones save an error page as if it were the file: whoever calls looks at what was saved."""

import sys
from pathlib import Path

from coursekit.drive import NotFetched, reason, run_gdown

DRIVE = "drive:"  # before a Google Drive id
_PROGRAM = """
import sys, gdown
what, where = sys.argv[1:]
key = "id" if what.startswith("drive:") else "url"
if gdown.download(**{key: what.removeprefix("drive:")}, output=where, quiet=True, use_cookies=False) is None:
    sys.exit("gdown gave nothing")
"""


def download(
    mirror: str, path: Path, *, patience: float = 30, limit: float = 1800, python: str = sys.executable
) -> None:
    """Save what a mirror gives as `path`, whatever it is.

    Args:
        mirror: an address, or `drive:` and an id.
        patience, limit, python: as `run_gdown` has them.

    Raises:
        NotFetched: it gave nothing, an error, or was too slow.
    """
    said = run_gdown(
        _PROGRAM, [mirror, str(path)], path.parent, patience=patience, limit=limit, python=python
    )
    if not path.is_file():
        raise NotFetched(reason(said))
