"""Notebooks that a test edits as a student may, and what the reader makes of them."""

import io
import json
import zipfile
from collections.abc import Callable, Iterable
from typing import Any

from coursekit.engine.coordinator.reader_client import read
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import Master, fill
from coursekit.engine.shared.rebuilt import Rebuilt

# A function that edits the list of a notebook's cells.
Change = Callable[[list[dict[str, Any]]], Any]


def handed_in(
    master: Master,
    change: Change = lambda found: None,
    answers: dict[str, str] | None = None,
) -> bytes:
    """The released notebook's file with these answers, after `change` has edited the list of its cells."""
    notebook = json.loads(fill(master, answers or {}))
    change(notebook["cells"])
    return json.dumps(notebook).encode()


def by_id(found: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """The cell with this id."""
    return next(cell for cell in found if cell.get("id") == name)


def inserted(name: str, *more: dict[str, Any], above: bool = False) -> Change:
    """Put more cells right below the cell with this id, or right above it."""

    def change(found: list[dict[str, Any]]) -> None:
        place = found.index(by_id(found, name)) + (not above)
        found[place:place] = more

    return change


def replaced(source: str, *names: str) -> Change:
    """Put this source into the cells with these ids."""

    def change(found: list[dict[str, Any]]) -> None:
        for name in names:
            by_id(found, name)["source"] = source

    return change


def have_read(
    master: Master, servers: Servers, data: bytes, beside: dict[str, bytes] | None = None
) -> Rebuilt:
    """What the confined reader makes of a notebook and the files beside it."""
    with Submission.of_bytes({"attention.ipynb": data} | (beside or {})) as submission:
        return read(master, submission, Limits(), servers)


def answer(rebuilt: Any, question: str) -> Any:
    """The cell of a draft or of a rebuilt notebook that answers a question."""
    return next(item for item in rebuilt.cells if item.master and item.master.grade_id == question)


def zipped(files: dict[str, str | bytes]) -> bytes:
    """A zip archive of these files."""
    with zipfile.ZipFile(file := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return file.getvalue()


def kinds(notes: Iterable[Any]) -> list[str]:
    return [note.kind for note in notes]
