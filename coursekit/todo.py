"""What an author still has to fill in in a week: the places with `TODO(author)`."""

from coursekit.course import Course, Week
from coursekit.engine.master import Master

TODO = "TODO(author)"


def places_to_do(course: Course, week: Week, master: Master) -> list[str]:
    """The cells, and the files of the bank, that still say so."""
    cells = [f"cell {cell.cell_id or cell.index}" for cell in master.cells if TODO in cell.source]
    files = [
        str(path.relative_to(course.root))
        for path in sorted(course.answers(week).glob("*/*.py"))
        if TODO in path.read_text(encoding="utf-8", errors="replace")
    ]
    return cells + files
