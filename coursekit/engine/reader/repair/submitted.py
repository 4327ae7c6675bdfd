"""One cell of a submission, with checked fields, and what else is read of a notebook."""

import ast
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from coursekit.engine.reader.repair import code, embedded

VERSION = re.compile(r"([0-9]{1,2})\.([0-9]{1,3})(?![0-9])")


@dataclass(eq=False)  # two cells with the same text are two cells
class SubmittedCell:
    """One cell of the submission. Every field has its type; the values in `nbgrader` and `outputs` are unchecked."""

    kind: str
    source: str
    cell_ids: tuple[str, ...] = ()  # cell id, Colab's id
    grade_id: str = ""
    nbgrader: dict[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    outputs: list[Any] = field(default_factory=list)  # as handed in
    pictures: embedded.Pictures = field(default_factory=dict)  # of a text cell
    index: int = 0  # its place in the submission
    taken: bool = False  # it is one of the master's cells, or a copy that is dropped
    unparsed: bool = False  # too much code in one submission to be read as Python

    @cached_property
    def single_spaced(self) -> str:
        return code.single_spaced(self.source)

    @cached_property
    def tree(self) -> ast.Module | None:
        return None if self.unparsed else code.parse(self.source)

    @cached_property
    def defined_names(self) -> set[str]:
        return code.defined_names(self.source)

    @cached_property
    def definitions(self) -> dict[str, ast.stmt]:
        return code.definitions(self.tree)

    def take_pictures_out(self) -> None:
        """Keep the pictures that are written into a text cell's source beside it, and the names of those it lacks."""
        source, pictures = embedded.extract_pictures(self.source)
        if pictures:
            self.become(source)
            self.pictures |= pictures
        self.pictures |= embedded.missing_pictures(source, self.pictures)

    def become(self, source: str) -> None:
        """Take another source, and forget what was computed from the old one."""
        self.source = source
        for name in ("single_spaced", "tree", "defined_names", "definitions"):
            self.__dict__.pop(name, None)


def checked(items: list[Any]) -> Iterator[SubmittedCell]:
    """Yield a cell for each item that is an object of nbformat's, whatever the values of its fields."""
    for item in items:
        if not isinstance(item, dict):
            continue
        metadata = _dictionary(item.get("metadata"))
        nbgrader = _dictionary(metadata.get("nbgrader"))
        tags, outputs, kind = metadata.get("tags"), item.get("outputs"), item.get("cell_type")
        source = code.with_unix_lines(_joined(item.get("source", item.get("input"))))
        if kind == "heading":  # of format 3
            kind, source = "markdown", f"# {source}"
        cell = SubmittedCell(
            kind=kind if kind in ("code", "markdown", "raw") else "raw",
            source=source,
            cell_ids=tuple(
                _name(value) for value in (item.get("id"), metadata.get("id")) if isinstance(value, str)
            ),
            grade_id=_name(name) if isinstance(name := nbgrader.get("grade_id"), str) else "",
            nbgrader=nbgrader,
            tags=tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else (),
            outputs=outputs if isinstance(outputs, list) else [],
            pictures=embedded.attached_pictures(item.get("attachments")) if kind != "code" else {},
        )
        if cell.kind != "code":
            cell.take_pictures_out()
        yield cell


def python_of(content: Any) -> tuple[int, int] | None:
    """Return the version of Python on which a notebook says that it ran; None if it does not, or is one of Colab's.

    Colab writes no version, and may leave that of a notebook that somebody ran elsewhere before.
    """
    metadata = _dictionary(_dictionary(content).get("metadata"))
    version = _dictionary(metadata.get("language_info")).get("version")
    if "colab" in metadata or not isinstance(version, str) or not (found := VERSION.match(version)):
        return None
    return int(found[1]), int(found[2])


def _dictionary(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _joined(source: Any) -> str:
    """Return a source, which a file may hold as one string or as lines, with or without their ends, as one string."""
    if isinstance(source, list):
        parts = [part for part in source if isinstance(part, str)]
        return ("" if any(part.endswith(("\n", "\r")) for part in parts[:-1]) else "\n").join(parts)
    return source if isinstance(source, str) else ""


def _name(text: str) -> str:
    """Return a cell's name with its letters composed, or "" if it is too long, and so slow to compose."""
    return "" if len(text) > code.MAX_NAME else unicodedata.normalize("NFC", code.with_unix_lines(text))
