"""Which of the files in a student's folder is graded, whatever its name."""

from collections.abc import Callable, Sequence

from coursekit.engine.reader.repair import Draft, Unreadable
from coursekit.engine.shared.file_names import is_notebook
from coursekit.engine.shared.reader_messages import DEEP, MEMORY
from coursekit.engine.shared.result import Note


def choose(
    files: Sequence[tuple[str, Callable[[], bytes]]], wanted: str, rebuild: Callable[[bytes], Draft]
) -> tuple[Draft | str, list[Note], list[Note]]:
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
    chosen: tuple[str, bytes, Draft | str] = ("", b"", "")
    for place, (name, read) in enumerate(files):
        data = read()
        outcome = _tried(data, rebuild)
        better = isinstance(outcome, Draft) and (outcome.answered or isinstance(chosen[2], str))
        if place == 0 or better:
            chosen = (name, data, outcome)
        if isinstance(outcome, Draft) and outcome.answered:
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


def _tried(data: bytes, rebuild: Callable[[bytes], Draft]) -> Draft | str:
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
