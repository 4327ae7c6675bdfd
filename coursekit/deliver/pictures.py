"""The pictures in texts of a graded notebook, which the engine has made anew: JPEG or PNG, and nothing active."""

import base64
import binascii
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from coursekit.engine.shared.master import SOLUTION_CELL, WRITTEN, Master
from coursekit.engine.shared.reader_messages import PICTURE_TYPES


@dataclass(frozen=True)
class Picture:
    """A picture that a student put into a text or handed in beside the notebook."""

    name: str
    kind: str  # image/jpeg or image/png
    data: bytes

    @property
    def url(self) -> str:
        """The picture as a data: address."""
        return f"data:{self.kind};base64,{base64.b64encode(self.data).decode('ascii')}"


def pictures_of(cell: Mapping[str, Any]) -> list[Picture]:
    """Return the pictures of a cell of a graded notebook; anything else in its attachments is left out."""
    attachments = cell.get("attachments")
    pictures = []
    for name, bundle in attachments.items() if isinstance(attachments, Mapping) else ():
        for kind, encoded in bundle.items() if isinstance(bundle, Mapping) else ():
            if kind in PICTURE_TYPES.values() and isinstance(encoded, str):
                try:
                    pictures.append(Picture(str(name), kind, base64.b64decode(encoded, validate=True)))
                except binascii.Error:
                    continue
    return pictures


def pictures_by_question(master: Master, cells: Iterable[Mapping[str, Any]]) -> dict[str, list[Picture]]:
    """Return {question: pictures} of a graded notebook: those of the answer, then those of other cells near it.

    The other cells are the student's own, in which a picture may stand that the answer speaks of.
    """
    places, others = {}, []
    found: dict[str, list[Picture]] = {}
    answer_ids = {cell.grade_id: cell.role for cell in master.cells if cell.role in (SOLUTION_CELL, WRITTEN)}
    given_ids = {cell.cell_id for cell in master.cells}
    for position, cell in enumerate(cells):
        grade_id = str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))
        if answer_ids.get(grade_id) == WRITTEN:
            places[grade_id] = position
            found[grade_id] = pictures_of(cell)
        elif cell.get("id") not in given_ids and (pictures := pictures_of(cell)):
            others.append((position, pictures))
    for position, pictures in others:
        if places:
            found[min(places, key=lambda name: abs(places[name] - position))] += pictures
    return {question: pictures for question, pictures in found.items() if pictures}
