"""Search by content for what students must not see: solutions, hidden tests, the answer bank, model answers."""

import re

from coursekit.authoring.publish.decoding import texts
from coursekit.authoring.publish.fingerprint import fingerprints, shown
from coursekit.course.bank import read_bank
from coursekit.course.config import Course
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import SOLUTION_CELL, WRITTEN, secrets

MIN_WORDS = 8  # of a sentence of a model answer; anybody may write a shorter one
MAX_SHOWN = 20  # leaks in a message


class Secrets:
    """Everything of a course that is not for students.

    Nothing that a week's released cells show is a secret in that week's files: a given helper may do the same as a line
    of a solution, and a later week may contain answers to an earlier one.
    """

    def __init__(self, course: Course):
        self._code: dict[str, str] = {}  # {fingerprint: its origin}
        self._sentences: dict[str, str] = {}  # {words: their origin}
        self._visible: dict[str, set[str]] = {}  # {week: fingerprints and sentences of its release}
        for week in course.weeks:
            master = course.master(week)
            visible = self._visible.setdefault(week.name, set())
            for cell in master.cells:
                name = f"{week.name}'s {cell.grade_id}"
                for secret in secrets(cell):
                    if cell.role == WRITTEN:
                        self._sentences |= dict.fromkeys(_sentences(secret), f"a model answer, {name}")
                    else:
                        kind = "a solution" if cell.role == SOLUTION_CELL else "a hidden test"
                        self._add(secret, f"{kind}, {name}")
                text = master.released_source(cell)
                visible.update(fingerprints(text), _sentences(text))
            if course.answers(week).is_dir():
                for answer in read_bank(course, week):
                    self._add(answer.source, f"answers/{week.name}/{answer.name}.py")

    def _add(self, source: str, origin: str) -> None:
        for key in fingerprints(source):
            self._code.setdefault(key, origin)

    def find(self, name: str, data: bytes) -> list[str]:
        """Return a sentence for each secret that a file shows, and one if it cannot be searched.

        Args:
            name: the file's path in the students' repository.
        """
        visible = self._visible.get(name.partition("/")[0], set())
        problems: dict[str, None] = {}
        try:
            for text in texts(data):
                for key, code in fingerprints(text).items():
                    if key in self._code and key not in visible:
                        problems[f"{name} shows {self._code[key]}: {shown(code)[:100]}"] = None
                words = f" {_words(text)} "
                for sentence, origin in self._sentences.items():
                    if f" {sentence} " in words and sentence not in visible:
                        problems[f"{name} shows {origin}: {sentence[:100]}"] = None
        except ValueError as error:
            problems[f"{name} cannot be searched: {error}"] = None
        return list(problems)


def refuse_leaks(course: Course, files: dict[str, bytes]) -> None:
    """Raise CourseError if files show secrets or cannot be searched; the message says which, and where."""
    secrets = Secrets(course)
    leaks = [sentence for name, data in sorted(files.items()) for sentence in secrets.find(name, data)]
    if leaks:
        more = [f"and {len(leaks) - MAX_SHOWN} more"] if len(leaks) > MAX_SHOWN else []
        raise CourseError(
            "Nothing was published, since students would see what they must not:\n"
            + "\n".join(f"- {sentence}" for sentence in [*leaks[:MAX_SHOWN], *more])
        )


def _sentences(text: str) -> list[str]:
    pieces = (_words(piece) for piece in re.split(r"(?<=[.!?;:])\s+|\n\s*\n", text))
    return [piece for piece in pieces if piece.count(" ") >= MIN_WORDS - 1]


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
