"""Rank a student's files, by their names only: which may be the notebook?"""

from pathlib import PurePosixPath
from typing import Any

MAX_FILES = 5  # of one submission that are read


def rank(name: str, right_name: str) -> tuple[Any, ...]:
    """Return a sort key: the smaller it is, the likelier the file is the notebook."""
    path = PurePosixPath(name)
    last = path.name.lower()
    if is_notebook(name):
        kind = 0
    elif ".ipynb" in last and path.suffix != ".py" or path.suffix.lower() in ("", ".json", ".txt"):
        kind = 1
    elif path.suffix.lower() in (".zip", ".gz"):
        kind = 2
    elif path.suffix.lower() == ".py":
        kind = 3
    else:
        kind = 4
    return name != right_name, is_saved_aside(path), kind, len(path.parts), name


def is_notebook(name: str) -> bool:
    path = PurePosixPath(name)
    return path.suffix.lower() == ".ipynb" and not is_saved_aside(path)


def is_saved_aside(path: PurePosixPath) -> bool:
    """Return whether this is a copy that Jupyter made, or a file that macOS adds to archives."""
    return bool({".ipynb_checkpoints", "__MACOSX"} & set(path.parts)) or path.name.startswith("._")
