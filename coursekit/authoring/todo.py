"""What an author still has to fill in in a week: the places with `TODO(author)`."""

from coursekit.course.bank import is_of_another
from coursekit.course.config import Course, Week
from coursekit.engine.shared.master import Master

TODO = "TODO(author)"


def places_to_do(course: Course, week: Week, master: Master, question: str = "") -> list[str]:
    """The cells, and the files of the bank, that still say so.

    Args:
        question: only its solution, its tests, the setup cells, and its answers in the bank.
    """
    judging = [
        cell for cell in master.cells if not question or cell in master.setup or cell.question == question
    ]
    cells = [f"cell {cell.cell_id or cell.index}" for cell in judging if TODO in cell.source]
    files = [
        str(path.relative_to(course.root))
        for path in sorted(course.answers(week).glob("*/*.py"))
        if TODO in path.read_text(encoding="utf-8", errors="replace")
        and not (question and is_of_another(path, question, master))
    ]
    return cells + files
