"""Which of the files in a student's folder is graded, whatever its name."""

from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import Any

from coursekit.engine.repair import Rebuilt, Unreadable
from coursekit.engine.repair.unpack import DEEP, MEMORY
from coursekit.engine.result import Note

MAX_FILES = 5  # of one folder that are looked into


def choose(
    files: Sequence[tuple[str, Callable[[], bytes]]], wanted: str, rebuild: Callable[[bytes], Rebuilt]
) -> tuple[Rebuilt | str, list[Note], list[Note]]:
    """The notebook that is graded, or a sentence on why there is none; repairs and flags of the choice.

    The file with the right name counts. When nothing is answered in it, or there is none, the others are looked
    into, from the likeliest name to the least, and the first with an answer counts; without one the first that is a
    notebook, or else the first.

    Args:
        files: name of each and what reads it, the likeliest first.
        wanted: the right name.
    """
    if not files:
        return _tried(b"", rebuild), [], []
    chosen: tuple[str, bytes, Rebuilt | str] = ("", b"", "")
    for place, (name, read) in enumerate(files):
        data = read()
        outcome = _tried(data, rebuild)
        better = isinstance(outcome, Rebuilt) and (outcome.answered or isinstance(chosen[2], str))
        if place == 0 or better:
            chosen = (name, data, outcome)
        if isinstance(outcome, Rebuilt) and outcome.answered:
            break
    name, data, outcome = chosen
    repairs, flags = [], []
    if name != wanted:
        repairs.append(Note("renamed_file", "", f"The notebook was handed in as {name!r}."))
    others = [
        other for other, read in files if other != name and is_notebook(other) and _is_another(read(), data)
    ]
    if others:
        detail = f"There is more than one notebook. {name} was graded, {', '.join(others)} was not."
        flags.append(Note("several_notebooks", "", detail))
    return outcome, repairs, flags


def _tried(data: bytes, rebuild: Callable[[bytes], Rebuilt]) -> Rebuilt | str:
    try:
        return rebuild(data)
    except Unreadable as reason:
        return str(reason)
    except MemoryError:
        return MEMORY
    except RecursionError:
        return DEEP


def _is_another(other: bytes, data: bytes) -> bool:
    return other.strip() not in (b"", data.strip())


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
