"""Files that were handed in beside a notebook, and who else handed in the same ones."""

from collections import defaultdict
from dataclasses import dataclass

from coursekit.deliver.review.week_data import Student, WeekData
from coursekit.engine.coordinator.submission import RECEIPT_DIGITS
from coursekit.engine.shared.file_names import paths_beside
from coursekit.engine.shared.reasons import Repair
from coursekit.engine.shared.result import Result

MAX_OTHERS = 3  # who are named; a file that more students have is a common one


@dataclass(frozen=True)
class FileBeside:
    """A file that a student handed in beside the notebook.

    Attributes:
        others: the other students who handed in the same bytes, if they are few.
    """

    name: str
    others: tuple[Student, ...]


def files_beside(week: WeekData) -> dict[str, list[FileBeside]]:
    """Return {student id: files beside the notebook}, without the week's own and those inside an archive."""
    weeks_own = {file.digest[:RECEIPT_DIGITS] for file in week.master.data_files}
    receipts = {
        student.id: {
            name: receipt
            for name, receipt in _receipts_beside(student.result, f"{week.week.notebook}.ipynb").items()
            if receipt not in weeks_own
        }
        for student in week.handed_in
        if student.result is not None
    }
    owners: dict[str, list[Student]] = defaultdict(list)
    for student in week.handed_in:
        for receipt in set(receipts[student.id].values()):
            owners[receipt].append(student)

    def others(student: Student, receipt: str) -> tuple[Student, ...]:
        found = tuple(other for other in owners[receipt] if other is not student)
        return found if len(found) <= MAX_OTHERS else ()

    return {
        student.id: [
            FileBeside(name, others(student, receipt)) for name, receipt in receipts[student.id].items()
        ]
        for student in week.handed_in
    }


def _receipts_beside(result: Result, right_name: str) -> dict[str, str]:
    """Return {name: receipt} of the files beside the notebook of a result."""
    renamed = (str(note.values["name"]) for note in result.repairs if note.kind == Repair.RENAMED_FILE)
    names = dict.fromkeys(paths_beside(result.receipts, next(renamed, right_name)).values())
    return {name: result.receipts[name] for name in names}
