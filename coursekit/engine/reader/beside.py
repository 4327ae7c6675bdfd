"""Pictures and documents that were handed in beside the notebook, and may be an answer in words."""

from collections.abc import Iterable
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

from coursekit.engine.reader.choose import Files
from coursekit.engine.reader.repair import Draft, DraftCell
from coursekit.engine.shared.master import WRITTEN
from coursekit.engine.shared.reader_messages import MAX_PICTURES
from coursekit.engine.shared.reasons import Flag, Repair
from coursekit.engine.shared.result import Note

PICTURES = {".png", ".jpg", ".jpeg", ".jpe", ".jfif", ".gif", ".webp", ".bmp", ".tif", ".tiff"}
# What may hold an answer and is not shown: a flag names these files.
DOCUMENTS = {
    *(".pdf", ".docx", ".doc", ".odt", ".rtf", ".pages", ".txt", ".md", ".html", ".htm", ".tex"),
    *(".heic", ".heif", ".avif", ".svg"),
}
NO_ANSWERS = {"requirements.txt", "readme.md", "readme.txt", "license.txt"}
MAX_NAMED = 10  # files in one flag


def add_files(draft: Draft, files: Files) -> None:
    """Put each picture into the text that mentions it; without one, into the only written answer that is missing.

    Any other is shown below the last written answer. Where answers are missing, a flag names what may hold them.

    Args:
        files: all but the notebook.
    """
    pictures = {name: read for name, read in files.items() if _suffix(name) in PICTURES}
    documents = [
        name
        for name in files
        if _suffix(name) in DOCUMENTS and PurePosixPath(name).name.lower() not in NO_ANSWERS
    ]
    texts = [item for item in draft.cells if item.kind != "code" and item.by_student and item.source]
    for item in texts:
        source = unquote(item.source).casefold()
        for name in list(pictures):
            if PurePosixPath(name).name.casefold() in source:
                item.pictures = item.pictures | {name: pictures.pop(name)}
    written = [item for item in draft.cells if item.role == WRITTEN]
    missing = [item for item in written if not item.touched]
    if pictures and len(missing) == 1:
        answer = missing.pop()
        answer.source, answer.pictures, answer.touched = _shown(pictures), pictures, True
        names = ", ".join(list(pictures)[:MAX_NAMED])
        draft.repairs.append(Note(Repair.ANSWER_IN_FILE, cell=answer.grade_id, values={"names": names}))
    elif pictures:
        place = draft.cells.index(written[-1]) + 1 if written else len(draft.cells)
        shown = DraftCell("markdown", f"Handed in beside the notebook:\n\n{_shown(pictures)}", None, False)
        shown.pictures = pictures
        draft.cells.insert(place, shown)
        documents = [*pictures, *documents]
    if documents:
        names = ", ".join(documents[:MAX_NAMED])
        draft.flags += (
            Note(Flag.MAYBE_IN_FILE, cell=item.grade_id, values={"names": names}) for item in missing
        )


def limit_pictures(draft: Draft) -> None:
    """Keep the first MAX_PICTURES pictures, those of the answers before others, and flag it if there are more."""
    cells = sorted(draft.cells, key=lambda item: item.master is None)
    count = sum(len(item.pictures) for item in cells)
    room = MAX_PICTURES
    for item in cells:
        item.pictures = dict(list(item.pictures.items())[:room])
        room -= len(item.pictures)
    if count > MAX_PICTURES:
        draft.flags.append(Note(Flag.TOO_MANY_PICTURES, values={"count": count, "limit": MAX_PICTURES}))


def _suffix(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


def _shown(names: Iterable[str]) -> str:
    return "\n\n".join(f"![{name}](attachment:{quote(name)})" for name in names)
