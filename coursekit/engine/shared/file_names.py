"""Which of a student's files may be the notebook, by their names alone."""

from pathlib import PurePosixPath
from typing import Any

MAX_FILES = 5  # of one folder that are looked into


def rank(name: str, wanted: str) -> tuple[Any, ...]:
    """The likelier a file is the notebook, by its name alone, the smaller."""
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
    return name != wanted, is_saved_aside(path), kind, len(path.parts), name


def is_notebook(name: str) -> bool:
    path = PurePosixPath(name)
    return path.suffix.lower() == ".ipynb" and not is_saved_aside(path)


def is_saved_aside(path: PurePosixPath) -> bool:
    """Jupyter's own copies, and what archives of a Mac carry along."""
    return bool({".ipynb_checkpoints", "__MACOSX"} & set(path.parts)) or path.name.startswith("._")
