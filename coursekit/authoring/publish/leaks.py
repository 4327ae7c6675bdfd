"""What students must not see, searched for by content: solutions, hidden tests, the bank of answers, model answers."""

import re

from coursekit.authoring.publish.decoding import texts
from coursekit.authoring.publish.fingerprint import fingerprints, shown
from coursekit.course.bank import read_bank
from coursekit.course.config import Course
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import SOLUTION_CELL, WRITTEN, secrets

MIN_WORDS = 8  # of a sentence of a model answer; shorter ones are everybody's
SHOWN = 20


class Secrets:
    """Everything of a course that is not for students.

    What a week's own cells show is no secret in that week's files: a given helper may do the same as a line of a
    solution, and a later week contains what an earlier one has asked for.
    """

    def __init__(self, course: Course):
        self._code: dict[str, str] = {}  # {fingerprint: where it is from}
        self._sentences: dict[str, str] = {}  # {words: where they are from}
        self._visible: dict[str, set[str]] = {}  # {week: fingerprints and sentences of what students get}
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
                text = master.visible(cell)
                visible.update(fingerprints(text), _sentences(text))
            if course.answers(week).is_dir():
                for answer in read_bank(course, week):
                    self._add(answer.source, f"answers/{week.name}/{answer.name}.py")

    def _add(self, source: str, origin: str) -> None:
        for key in fingerprints(source):
            self._code.setdefault(key, origin)

    def find(self, name: str, data: bytes) -> list[str]:
        """Return a sentence for each secret that a file shows.

        Args:
            name: the file's path in the students' repository.
        """
        visible = self._visible.get(name.partition("/")[0], set())
        found: dict[str, None] = {}
        try:
            for text in texts(data):
                for key, code in fingerprints(text).items():
                    if key in self._code and key not in visible:
                        found[f"{name} shows {self._code[key]}: {shown(code)[:100]}"] = None
                words = f" {_words(text)} "
                for sentence, origin in self._sentences.items():
                    if f" {sentence} " in words and sentence not in visible:
                        found[f"{name} shows {origin}: {sentence[:100]}"] = None
        except ValueError as error:
            found[f"{name} cannot be searched: {error}"] = None
        return list(found)


def refuse_leaks(course: Course, files: dict[str, bytes]) -> None:
    """Raise CourseError if files show what is not for students; the message says what, and where."""
    secrets = Secrets(course)
    found = [sentence for name, data in sorted(files.items()) for sentence in secrets.find(name, data)]
    if found:
        more = [f"and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
        raise CourseError(
            "Nothing was published, since students would see what they must not:\n"
            + "\n".join(f"- {sentence}" for sentence in [*found[:SHOWN], *more])
        )


def _sentences(text: str) -> list[str]:
    pieces = (_words(piece) for piece in re.split(r"(?<=[.!?;:])\s+|\n\s*\n", text))
    return [piece for piece in pieces if piece.count(" ") >= MIN_WORDS - 1]


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
