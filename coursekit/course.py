"""The course folder: where each station's files lie, and what `course.toml` says."""

import re
import tomllib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from coursekit.addresses import NO_DEADLINE, Repository, fill_in
from coursekit.errors import CourseError
from coursekit.master import Master, read_master


@dataclass(frozen=True)
class Limits:
    """What one submission may use while it is graded. Seconds as `kernels.client.Clock` counts them, MiB, KiB."""

    cell_seconds: float = 3
    test_seconds: float = 3
    total_seconds: float = 30
    memory_mb: int = 1024
    output_kb: int = 2048


# What an instructor may set: kind of number, least, most.
ALLOWED = {
    "cell_seconds": (float, 0.1, 3600),
    "test_seconds": (float, 0.1, 3600),
    "total_seconds": (float, 1, 24 * 3600),
    "memory_mb": (int, 256, 1 << 20),
    "output_kb": (int, 1, 1 << 20),
}


@dataclass(frozen=True)
class Week:
    """One week of course.toml; `name` is the nbgrader assignment, `notebook` its file without .ipynb."""

    name: str
    notebook: str
    title: str
    minutes: int
    deadline: str = ""  # in words, as students read it: "Sunday, 7 March, 23:59"


@dataclass(frozen=True)
class Tutor:
    """Where `tutor` in the notebooks finds an assistant: an address that speaks OpenAI's protocol, up to its /v1.

    Without one it asks Colab's own. No key stands here: students have theirs in TUTOR_KEY.
    """

    address: str = ""
    model: str = ""


@dataclass(frozen=True)
class Course:
    """A course folder, with what its course.toml says."""

    root: Path
    title: str
    repository: Repository
    limits: Limits
    weeks: tuple[Week, ...]
    contact: str = ""  # whom students ask, in words
    tutor: Tutor = Tutor()
    narration: dict[str, Any] = field(default_factory=dict, compare=False)  # as `narrate.settings` reads it

    def week(self, name: str) -> Week:
        """The week with this name.

        Raises:
            CourseError: course.toml has no such week.
        """
        for week in self.weeks:
            if week.name == name:
                return week
        known = ", ".join(week.name for week in self.weeks)
        raise CourseError(f"course.toml has no week {name!r}. It has: {known}.")

    def select(self, names: list[str]) -> list[Week]:
        """The named weeks, or all of them."""
        return [self.week(name) for name in names] if names else list(self.weeks)

    def source(self, week: Week) -> Path:
        return self.root / "source" / week.name / f"{week.notebook}.ipynb"

    def release(self, week: Week) -> Path:
        return self.root / "release" / week.name / f"{week.notebook}.ipynb"

    def answers(self, week: Week) -> Path:
        return self.root / "answers" / week.name

    def submitted(self, student: str, week: Week) -> Path:
        return self.root / "submitted" / student / week.name

    def autograded(self, student: str, week: Week) -> Path:
        return self.root / "autograded" / student / week.name

    def feedback(self, student: str, week: Week) -> Path:
        return self.root / "feedback" / student / week.name

    def master(self, week: Week) -> Master:
        """The week's master.

        Raises:
            CourseError: the source notebook is missing or broken.
        """
        return read_master(self.notebook(week), week.name, week.notebook)

    def notebook(self, week: Week) -> bytes:
        """The source notebook's bytes, with its addresses filled in.

        Raises:
            CourseError: it is missing.
        """
        path = self.source(week)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise CourseError(
                f"{path} cannot be read ({error.strerror}). Is this the course folder?"
            ) from error
        return self.fill_in(week, data)

    def fill_in(self, week: Week, data: bytes) -> bytes:
        """A source notebook's bytes, with the addresses of this course and week filled in."""
        words = {"week": week.name, "deadline": week.deadline or NO_DEADLINE}
        words |= {f"tutor_{key}": value for key, value in asdict(self.tutor).items()}
        return fill_in(data, self.repository.addresses(week.name, week.notebook) | words)


def open_course(root: Path) -> Course:
    """Read the course folder at `root`.

    Raises:
        CourseError: no course.toml there, or one that cannot be used.
    """
    path = root / "course.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise CourseError(
            f"There is no course.toml in {root}. Run `course` from the course folder."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CourseError(f"{path} cannot be read: {error}.") from error
    limits = data.get("limits", {})
    _check_limits(path, limits)
    _check_words(path, data)
    try:
        return Course(
            root=root,
            title=data["title"],
            repository=Repository(**data["repository"]),
            limits=Limits(**limits),
            contact=data.get("contact", ""),
            tutor=_tutor(path, data),
            narration=_table(path, data, "narration"),
            weeks=tuple(Week(**item) for item in data["weeks"]),
        )
    except (KeyError, TypeError) as error:
        raise CourseError(f"{path} lacks or misspells something: {error}.") from error


def _table(path: Path, data: dict[str, Any], name: str) -> dict[str, Any]:
    table = data.get(name, {})
    if not isinstance(table, dict):
        raise CourseError(f"{path}: {name} must be a table, [{name}], not {table!r}.")
    return table


def _tutor(path: Path, data: dict[str, Any]) -> Tutor:
    """Both are written into the notebooks' code, between quotes."""
    table = _table(path, data, "tutor")
    tutor = Tutor(**table)
    for key, pattern, wanted in (
        ("address", r"(https?://[^\s\"\\{}]+)?", 'an address such as "https://example.org/v1"'),
        ("model", r"[^\s\"\\{}]*", "a model's name"),
    ):
        value = getattr(tutor, key)
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            raise CourseError(f"{path}: [tutor] {key} must be {wanted}, not {value!r}.")
    if tutor.address and not tutor.model:
        raise CourseError(f"{path}: [tutor] has an address and no model. Name the model that is asked there.")
    return tutor


def _check_words(path: Path, data: dict[str, Any]) -> None:
    """What students read as it stands is text: a date without quotes would come out as a program writes it.

    Raises:
        CourseError: names what is not.
    """
    weeks = data.get("weeks", [])
    weeks = weeks if isinstance(weeks, list) else []
    words = {"contact": data.get("contact", "")} | {
        f"deadline of {week.get('name')}": week.get("deadline", "")
        for week in weeks
        if isinstance(week, dict)
    }
    for what, value in words.items():
        if not isinstance(value, str):
            raise CourseError(
                f'{path}: {what} must be words in quotes, as "Sunday, 7 March, 23:59", not {value}.'
            )


def _check_limits(path: Path, limits: Any) -> None:
    """What cannot be meant would otherwise end, or never end, everybody's kernel.

    Raises:
        CourseError: names the key, its value and what is allowed.
    """
    if not isinstance(limits, dict):
        raise CourseError(f"{path}: limits must be a table, [limits], not {limits!r}.")
    for key, value in limits.items():
        if key not in ALLOWED:
            raise CourseError(f"{path}: unknown limit {key!r}. Known: {', '.join(sorted(ALLOWED))}.")
        kind, least, most = ALLOWED[key]
        number = isinstance(value, int if kind is int else int | float) and not isinstance(value, bool)
        if not number or not least <= value <= most:  # as `nan` never is
            what = "whole number" if kind is int else "number"
            raise CourseError(f"{path}: limit {key} must be a {what} from {least} to {most}, not {value!r}.")
    whole = Limits(**limits)
    for key in ("cell_seconds", "test_seconds"):
        if getattr(whole, key) > whole.total_seconds:
            raise CourseError(
                f"{path}: limit {key} is {getattr(whole, key):g}, and total_seconds, which holds for all of a "
                f"submission, is less: {whole.total_seconds:g}. Make total_seconds several times as large."
            )
