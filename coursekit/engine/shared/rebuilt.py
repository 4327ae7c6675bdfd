"""The notebook that is graded: the master's cells with the student's answers and added cells."""

from dataclasses import dataclass, field
from typing import Any

from coursekit.engine.shared.master import SOLUTION_CELL, TEST, WRITTEN, Cell
from coursekit.engine.shared.result import Note


@dataclass(frozen=True, eq=False)  # two cells with the same text are two cells
class RebuiltCell:
    """One cell of the notebook that is graded.

    Attributes:
        kind: nbformat's cell_type.
        master: the master's cell that it stands for; None: the student added it.
        run: whether the student kernel executes it.
        touched: whether it is an answer that is no longer the stub.
        outputs: of a cell that is not run again, as handed in.
        pictures: {name: JPEG or PNG} of a student's text, made anew by the reader; b"" of one that cannot be shown.
    """

    kind: str
    source: str
    master: Cell | None
    run: bool = True
    touched: bool = False
    outputs: list[Any] = field(default_factory=list)
    pictures: dict[str, bytes] = field(default_factory=dict)

    @property
    def is_students(self) -> bool:
        """Whether the student wrote it: an answer, or a cell that was added."""
        return self.master is None or self.master.role in (SOLUTION_CELL, WRITTEN)

    @property
    def test(self) -> Cell | None:
        """The master's test that this is, or None."""
        return self.master if self.master is not None and self.master.role == TEST else None


@dataclass(frozen=True)
class Rebuilt:
    """The notebook that is graded, and the notes about its making. `coordinator.reader_client.read` returns it.

    Attributes:
        unreadable: the flag with the reason why there are no cells.
        file: the index, among the submission's files, of the one that holds the notebook.
        unpacked: (path in the notebook's folder, content) of what else is in that file, if it is an archive.
    """

    cells: tuple[RebuiltCell, ...] = ()
    repairs: tuple[Note, ...] = ()
    flags: tuple[Note, ...] = ()
    unreadable: Note | None = None
    file: int = 0
    unpacked: tuple[tuple[str, bytes], ...] = ()
