"""Choose which file of a student's folder is graded."""

from collections.abc import Callable, Sequence

from coursekit.engine.reader.repair import Draft, UnreadableFile
from coursekit.engine.shared.file_names import is_notebook
from coursekit.engine.shared.reasons import Flag, Repair, Unreadable
from coursekit.engine.shared.result import Note


def choose(
    files: Sequence[tuple[str, Callable[[], bytes]]], right_name: str, rebuild: Callable[[bytes], Draft]
) -> tuple[Draft | Note, list[Note], list[Note]]:
    """Return the notebook that is graded, or a flag that says why there is none, and the choice's repairs and flags.

    The first file with an answer counts; without one, the first file that is a notebook, or else the first file.

    Args:
        files: (name, function that reads it), the likeliest name first.
        right_name: the name that the file should have.
        rebuild: returns the repaired notebook from a file's bytes, or raises UnreadableFile.
    """
    if not files:
        return _draft_or_flag(b"", rebuild), [], []
    chosen: tuple[str, bytes, Draft | Note] = ("", b"", Note(""))
    for position, (name, read) in enumerate(files):
        data = read()
        draft = _draft_or_flag(data, rebuild)
        better = isinstance(draft, Draft) and (draft.answered or isinstance(chosen[2], Note))
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
    return draft, repairs, flags


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
