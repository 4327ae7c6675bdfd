"""Cells of a notebook, run in the tests' own process."""

import contextlib
import io
from typing import Any

from coursekit.engine.shared.master import Master


def run_cells(master: Master, *cells: str, changed: tuple[str, str] = ("", "")) -> tuple[dict[str, Any], str]:
    """(what the setup cells and these cells define, what they print), with one text in them changed."""
    sources = {cell.cell_id: cell.source for cell in master.cells}
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        for source in [cell.source for cell in master.setup] + [sources[cell] for cell in cells]:
            exec(source.replace(*changed), names)
    return names, printed.getvalue()
