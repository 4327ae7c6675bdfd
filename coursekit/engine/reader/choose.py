"""Choose which file of a student's folder is graded."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from coursekit.engine.reader.repair import Draft, UnreadableFile
from coursekit.engine.shared.file_names import is_notebook
from coursekit.engine.shared.reasons import Flag, Repair, Unreadable
from coursekit.engine.shared.result import Note

# {name: function that reads the file}
Files = Mapping[str, Callable[[], bytes]]

# Qualities of a file, from the lowest to the highest.
UNUSABLE, ANSWERED_FILE, NOTEBOOK, ANSWERED_NOTEBOOK = range(4)


class Choice(NamedTuple):
    """The file that is graded.

    Attributes:
        draft: the notebook in it, or a flag that says why there is none.
        repairs, flags: of the choice.
        name: of the file; "" without any.
    """

    draft: Draft | Note
    repairs: list[Note]
    flags: list[Note]
    name: str


def choose(files: Files, right_name: str, rebuild: Callable[[bytes], Draft]) -> Choice:
    """Return the file that is graded: the first of the highest quality, see `_quality`.

    Args:
        files: the likeliest name first.
        right_name: the name that the file should have.
        rebuild: returns the repaired notebook from a file's bytes, or raises UnreadableFile.
    """
    if not files:
        return Choice(_draft_or_flag(b"", rebuild), [], [], "")
    read_files: list[tuple[int, str, Draft | Note]] = []
    for name, read in files.items():
        draft = _draft_or_flag(read(), rebuild)
        read_files.append((_quality(draft), name, draft))
        if read_files[-1][0] == ANSWERED_NOTEBOOK:
            break
    quality, name, draft = max(read_files, key=lambda file: file[0])  # the first of equals
    repairs, flags = [], []
    if name != right_name:
        repairs.append(Note(Repair.RENAMED_FILE, values={"name": name}))
    data = files[name]()
    other_notebooks = [
        other
        for other, read in files.items()
        if other != name and is_notebook(other) and _is_another(read(), data)
    ]
    if other_notebooks:
        flags.append(
            Note(Flag.SEVERAL_NOTEBOOKS, values={"graded": name, "others": ", ".join(other_notebooks)})
        )
    if quality == NOTEBOOK:
        answered = [other for other_quality, other, _ in read_files if other_quality == ANSWERED_FILE]
        flags += (Note(Flag.ANSWERED_BESIDE, values={"graded": name, "found": other}) for other in answered)
    return Choice(draft, repairs, flags, name)


def _quality(draft: Draft | Note) -> int:
    """Return how well a file can be graded: a module beside a notebook never takes its place."""
    if isinstance(draft, Note):
        return UNUSABLE
    if draft.is_notebook:
        return ANSWERED_NOTEBOOK if draft.answered else NOTEBOOK
    return ANSWERED_FILE if draft.answered else UNUSABLE


def _draft_or_flag(data: bytes, rebuild: Callable[[bytes], Draft]) -> Draft | Note:
    try:
        return rebuild(data)
    except UnreadableFile as reason:
        return reason.note
    except MemoryError:
        return UnreadableFile(Unreadable.MEMORY).note
    except RecursionError:
        return UnreadableFile(Unreadable.TOO_DEEP).note


def _is_another(other: bytes, data: bytes) -> bool:
    """Return whether a file is neither empty nor a copy, apart from white space at its ends."""
    return other.strip() not in (b"", data.strip())
