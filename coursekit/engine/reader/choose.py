"""Choose which file of a student's folder is graded."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from coursekit.engine.reader.repair import Draft, UnreadableFile
from coursekit.engine.shared.file_names import is_notebook
from coursekit.engine.shared.reasons import Flag, Repair, Unreadable
from coursekit.engine.shared.result import Note


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


def choose(
    files: Sequence[tuple[str, Callable[[], bytes]]], right_name: str, rebuild: Callable[[bytes], Draft]
) -> Choice:
    """Return the file that is graded: the first with an answer; without one, the first that can be read, or the first.

    A file that is no notebook by its name, such as a module of the student's own, counts only if it has an answer.

    Args:
        files: (name, function that reads it), the likeliest name first.
        right_name: the name that the file should have.
        rebuild: returns the repaired notebook from a file's bytes, or raises UnreadableFile.
    """
    if not files:
        return Choice(_draft_or_flag(b"", rebuild), [], [], "")
    chosen: tuple[str, bytes, Draft | Note] = ("", b"", Note(""))
    for position, (name, read) in enumerate(files):
        data = read()
        draft = _draft_or_flag(data, rebuild)
        better = isinstance(draft, Draft) and (
            draft.answered or (isinstance(chosen[2], Note) and is_notebook(name))
        )
        if position == 0 or better:
            chosen = (name, data, draft)
        if isinstance(draft, Draft) and draft.answered:
            break
    name, data, draft = chosen
    repairs, flags = [], []
    if name != right_name:
        repairs.append(Note(Repair.RENAMED_FILE, "", {"name": name}))
    other_notebooks = [
        other for other, read in files if other != name and is_notebook(other) and _is_another(read(), data)
    ]
    if other_notebooks:
        flags.append(Note(Flag.SEVERAL_NOTEBOOKS, "", {"graded": name, "others": ", ".join(other_notebooks)}))
    return Choice(draft, repairs, flags, name)


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
    return other.strip() not in (b"", data.strip())
