"""What students must not see, searched for by content: solutions, hidden tests, the bank of answers, model answers."""

import re

from coursekit.authoring.publish.disguises import refuse_unreadable, texts
from coursekit.authoring.publish.fingerprint import parts, prints, prints_of_part
from coursekit.course.bank import read_bank
from coursekit.course.config import Course
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import SOLUTION_CELL, WRITTEN, secrets

MIN_WORDS = 8  # of a sentence of a model answer; shorter ones are everybody's
SHOWN = 20


class Secrets:
    """Everything of a course that is not for students.

    What a week's own cells say openly is no secret in that week's files: a helper may do the same as a line of a
    solution, and a later week brings along what an earlier one has asked for.
    """

    def __init__(self, course: Course):
        self._code: dict[str, str] = {}  # fingerprint -> whose it is
        self._words: dict[str, str] = {}  # a sentence's words -> whose it is
        self._open: dict[str, set[str]] = {}  # week -> fingerprints and sentences of its given text
        for week in course.weeks:
            master = course.master(week)
            for cell in master.cells:
                name = f"{week.name}'s {cell.grade_id}"
                for secret in secrets(cell):
                    if cell.role == WRITTEN:
                        self._words |= dict.fromkeys(_sentences(secret), f"a model answer, {name}")
                    else:
                        kind = "a solution" if cell.role == SOLUTION_CELL else "a hidden test"
                        self._add(secret, f"{kind}, {name}")
                text = master.visible(cell)
                shown = {found.print for found in prints(text)} | set(_sentences(text))
                self._open.setdefault(week.name, set()).update(shown)
            if course.answers(week).is_dir():
                for answer in read_bank(course, week):
                    self._add(answer.source, f"answers/{week.name}/{answer.name}.py")

    def __len__(self) -> int:
        return len(self._code) + len(self._words)

    def _add(self, source: str, whose: str) -> None:
        for found in prints(source):
            self._code.setdefault(found.print, whose)

    def find(self, name: str, data: bytes) -> list[str]:
        """What of it a file shows, a sentence each.

        Args:
            name: the file's path in the students' repository.
        """
        shown = self._open.get(name.partition("/")[0], set())
        found: dict[str, None] = {}
        try:
            refuse_unreadable(data)
            # Most disguises change little: what is the same is searched once.
            every = dict.fromkeys(texts(data))
            for part in dict.fromkeys(part for text in every for part in parts(text)):
                for seen in prints_of_part(part):
                    if seen.print in self._code and seen.print not in shown:
                        found[f"{name} shows {self._code[seen.print]}: {seen.text[:100]}"] = None
            for text in every:
                words = f" {_words(text)} "
                for sentence, whose in self._words.items():
                    if f" {sentence} " in words and sentence not in shown:
                        found[f"{name} shows {whose}: {sentence[:100]}"] = None
        except ValueError as error:
            found[f"{name} cannot be searched: {error}"] = None
        return list(found)


def refuse_leaks(course: Course, files: dict[str, bytes]) -> None:
    """Raises CourseError: these files show what is not for students; says what, and where."""
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
