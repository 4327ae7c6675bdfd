"""Read and write `autograded/<student>/<week>/`: a result, its graded notebook, and the record of its regrades."""

import hashlib
from collections.abc import Iterator, Mapping

from coursekit.course.config import Course, Week
from coursekit.engine.coordinator.outcome import Graded
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.result import Result
from coursekit.files import write_together
from coursekit.grading.regrades import REGRADES, with_regrade


class Results(Mapping[str, Result]):
    """The results of a class by student, sorted; each access reads the result's file.

    A class of any size thus takes no more memory than its students' ids.
    """

    def __init__(self, course: Course, week: Week, ids: list[str]):
        self._course, self._week = course, week
        self._ids = dict.fromkeys(sorted(ids))

    def __getitem__(self, student: str) -> Result:
        if student not in self._ids:
            raise KeyError(student)
        path = self._course.autograded(student, self._week) / "result.json"
        result = Result.read(path)
        if result is None:
            raise CourseError(f"{path} is gone or damaged. Run `course grade {self._week.name}` again.")
        return result

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


def read_stored(course: Course, week: Week, student: str) -> Graded | None:
    """Return the stored result and notebook; None unless both are there and belong together."""
    folder = course.autograded(student, week)
    result = Result.read(folder / "result.json")
    if result is None or (result.student, result.week) != (student, week.name):
        return None
    try:
        notebook = (folder / f"{week.notebook}.ipynb").read_bytes()
    except OSError:
        return None
    digest = hashlib.sha256(notebook).hexdigest()
    return Graded(result, notebook) if digest == result.hashes.get("notebook") else None


def store(course: Course, week: Week, graded: Graded, why: str = "") -> None:
    """Write the graded notebook, regrades.json if there is a new regrade, then result.json with the notebook's hash.

    Args:
        why: the instructor's reason for grading again.

    Raises:
        OSError: a file cannot be written.
    """
    folder = course.autograded(graded.result.student, week)
    files = {folder / f"{week.notebook}.ipynb": graded.notebook}
    if (regrades := with_regrade(folder, graded.result, why)) is not None:
        files[folder / REGRADES] = regrades
    files[folder / "result.json"] = graded.result.to_json().encode()
    write_together(files)
