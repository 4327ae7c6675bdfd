"""Cases that are a small Python file each, and notebooks that they edit: attacks, damages, habits."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any


def load(path: Path) -> ModuleType:
    """The file as a module. It is not importable by a name: its folder says what kind of case it is."""
    name = ".".join((*path.parts[-3:-1], path.stem))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def grade_id(cell: dict[str, Any]) -> Any:
    return cell.get("metadata", {}).get("nbgrader", {}).get("grade_id")


class Notebook:
    """A notebook that a case edits.

    Attributes:
        notebook: nbformat's JSON.
    """

    notebook: dict[str, Any]

    @property
    def cells(self) -> list[dict[str, Any]]:
        return self.notebook["cells"]

    def cell(self, name: str) -> dict[str, Any]:
        """The cell with this grade id or cell id."""
        return next(cell for cell in self.cells if name in (grade_id(cell), cell.get("id")))

    def place(self, name: str) -> int:
        """Where that cell stands."""
        return self.cells.index(self.cell(name))
