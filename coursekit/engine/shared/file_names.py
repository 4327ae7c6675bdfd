"""What a student's files are, by their names only: which may be the notebook, and which are beside it?"""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any

MAX_CANDIDATES = 5  # files of one submission that may be the notebook
MAX_FILES = 50  # of one submission: the notebook and what is beside it
MAX_DEPTH = 20  # folders in folders
MAX_PATH = 1000  # bytes

LEFT_OVER = {"__MACOSX", "__pycache__", "Thumbs.db", "desktop.ini"}  # besides what is hidden
# Suffixes of what only a machine can read.
COMPILED = {".so", ".pyd", ".dll", ".dylib", ".pyc", ".pyo", ".exe"}
# Suffixes of a notebook that lost its own, or that another program saved.
OTHER_FORMS = {"", ".json", ".txt", ".py", ".md", ".qmd", ".rmd", ".html", ".htm"}
# Names, without their suffixes, of files that are about other files.
ABOUT = {"readme", "license", "requirements", "changelog", "notes", "setup", "makefile"}
# The number that a browser or a learning platform adds to the name of a second file: "utils (1).py", "utils-1.py".
COPY = re.compile(r"(?: ?\(\d{1,3}\)|-\d{1,2})$")


def rank_as_notebook(name: str, notebook_name: str) -> tuple[Any, ...]:
    """Return a sort key: the smaller it is, the likelier the file is the notebook.

    Args:
        name: of the file.
        notebook_name: the name that the notebook should have.

    >>> names = ["README.md", "requirements.txt", "utils.py", "a.ipynb.txt", "a.md", "a.zip", "b.ipynb", "a.csv"]
    >>> sorted(names, key=lambda name: rank_as_notebook(name, "a.ipynb"))
    ['b.ipynb', 'a.ipynb.txt', 'a.md', 'a.zip', 'utils.py', 'README.md', 'requirements.txt', 'a.csv']
    """
    path = PurePosixPath(name)
    last, suffix = path.name.lower(), path.suffix.lower()
    has_form = suffix in OTHER_FORMS
    if is_notebook(name):
        kind = 0
    elif ".ipynb" in last and suffix != ".py":
        kind = 1
    elif has_form and last.startswith(PurePosixPath(notebook_name).stem.lower()):
        kind = 2
    elif suffix in (".zip", ".gz"):
        kind = 3
    elif has_form and path.stem.lower() not in ABOUT:
        kind = 4
    else:
        kind = 5 if has_form else 6
    return name != notebook_name, is_checkpoint_or_macos_file(path), kind, len(path.parts), name


def rank_beside(name: str) -> tuple[Any, ...]:
    """Return a sort key: of very many files, those with the smallest are kept beside the notebook."""
    path = PurePosixPath(name)
    return path.suffix != ".py", len(path.parts), name


def is_notebook(name: str) -> bool:
    path = PurePosixPath(name)
    return path.suffix.lower() == ".ipynb" and not is_checkpoint_or_macos_file(path)


def is_left_over(name: str) -> bool:
    """Return whether a program added this file or keeps it for itself, so that nobody handed it in.

    A notebook that Jupyter saved aside is not among these: where the file itself is empty, it counts.
    """
    parts = PurePosixPath(name).parts
    left_over = any(part.startswith(".") or part in LEFT_OVER for part in parts)
    return left_over and not name.lower().endswith(".ipynb")


def is_checkpoint_or_macos_file(path: PurePosixPath) -> bool:
    """Return whether this is a copy that Jupyter made, or a file that macOS adds to archives."""
    return bool({".ipynb_checkpoints", "__MACOSX"} & set(path.parts)) or path.name.startswith("._")


def paths_beside(names: Iterable[str], notebook: str) -> dict[str, str]:
    """Return {its path in the notebook's folder: its name} of each file that the notebook's code finds there.

    A file of another folder keeps its whole path. A file whose name has the number of a copy is there under the name
    without it, too, unless another file has that.

    >>> paths_beside(["week 1/a.ipynb", "week 1/utils (1).py", "data/x.csv", "__pycache__/u.pyc"], "week 1/a.ipynb")
    {'data/x.csv': 'data/x.csv', 'utils (1).py': 'week 1/utils (1).py', 'utils.py': 'week 1/utils (1).py'}

    Args:
        names: of all files that were handed in.
        notebook: the name of the one that is graded.
    """
    folder = PurePosixPath(notebook).parent
    inside: dict[str, str] = {}
    outside: dict[str, str] = {}
    for name in names:
        path = PurePosixPath(name)
        if (
            name == notebook
            or is_left_over(name)
            or is_checkpoint_or_macos_file(path)
            or path.suffix.lower() in COMPILED
        ):
            continue
        if path.is_relative_to(folder):
            inside[_composed(path.relative_to(folder))] = name
        else:
            outside[_composed(path)] = name
    found = outside | inside
    for place, name in list(found.items()):
        path = PurePosixPath(place)
        if (stem := COPY.sub("", path.stem)) and stem != path.stem:
            found.setdefault(path.with_name(stem + path.suffix).as_posix(), name)
    return found


def importable_modules(paths: Iterable[str]) -> list[str]:
    """Return the names of the modules and packages that code in a folder can import from these files.

    >>> importable_modules(["utils.py", "models/__init__.py", "models/small.py", "values.csv"])
    ['utils', 'models']
    """
    names = (PurePosixPath(path).parts[0].removesuffix(".py") for path in paths if path.endswith(".py"))
    return [name for name in dict.fromkeys(names) if name.isidentifier()]


def is_safe_path(path: str) -> bool:
    """Return whether a path leads to a place in the folder in which it is used, and Linux can have a file there."""
    parts = path.split("/")
    return (
        len(parts) <= MAX_DEPTH
        and len(path.encode("utf-8", "replace")) <= MAX_PATH
        and path.isprintable()
        and all(part not in ("", ".", "..") and len(part.encode("utf-8", "replace")) <= 255 for part in parts)
    )


def _composed(path: PurePosixPath) -> str:
    """Return a path as most programs write it: letters with their accents in one character."""
    return unicodedata.normalize("NFC", path.as_posix())
