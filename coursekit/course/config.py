"""The course folder: where each station's files are, and what `course.toml` says."""

import re
import tomllib
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec

from coursekit.course.addresses import NO_DEADLINE, Repository, fill_in
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import Master, read_master

# What an instructor may set: kind of number, least, most.
ALLOWED = {
    "cell_seconds": (float, 0.1, 3600),
    "test_seconds": (float, 0.1, 3600),
    "all_cells_seconds": (float, 1, 24 * 3600),
    "question_seconds": (float, 0.1, 24 * 3600),
    "memory_mb": (int, 256, 1 << 20),
    "scratch_mb": (int, 1, 1 << 20),
    "output_kb": (int, 1, 1 << 20),
}


class Week(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One week of course.toml; `name` is the nbgrader assignment, `notebook` its file without .ipynb."""

    name: str
    notebook: str
    title: str
    minutes: int
    deadline: str = ""  # in words, as students read it: "Sunday, 7 March, 23:59"
    due: Annotated[datetime, msgspec.Meta(tz=True)] | None = None  # when it was to be handed in, for `Late`


class Late(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What being late costs, where a week has a time at which it is due. Points are per cent of the week's points."""

    per_day: Annotated[float, msgspec.Meta(ge=0, le=100)] = 0  # for each day that has begun
    grace_minutes: Annotated[float, msgspec.Meta(ge=0, le=10_080)] = 0  # so much later is not late
    at_most: Annotated[float, msgspec.Meta(ge=0, le=100)] = 100


class Kernels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What each kernel has imported before a notebook begins. Where torch is among it, tensors travel as values."""

    modules: tuple[str, ...] = ()


class Tutor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where `tutor` in the notebooks finds an assistant: an address that speaks OpenAI's protocol, up to its /v1.

    Without one it asks Colab's own. It holds no key: students have theirs in TUTOR_KEY.
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
    late: Late = Late()
    checks: tuple[str, ...] = ()  # further ones for `course check`, see `coursekit.checks`
    narration: dict[str, Any] = field(default_factory=dict, compare=False)  # as `narrate.settings` reads it
    elsewhere: Path | None = None  # where results go instead of autograded/, see `classroom.preview`

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

    @property
    def results(self) -> Path:
        """The folder that grading writes: autograded/."""
        return self.elsewhere or self.root / "autograded"

    def autograded(self, student: str, week: Week) -> Path:
        return self.results / student / week.name

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
                f"{path} cannot be read ({error.strerror}). course.toml lists {week.name}: put its notebook "
                "there, or take the week out of course.toml."
            ) from error
        return self.fill_in(week, data)

    def fill_in(self, week: Week, data: bytes) -> bytes:
        """A source notebook's bytes, with the addresses of this course and week filled in."""
        words = {"week": week.name, "deadline": week.deadline or NO_DEADLINE}
        words |= {f"tutor_{key}": value for key, value in msgspec.structs.asdict(self.tutor).items()}
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
    _check_limits(path, data.get("limits", {}))
    try:
        said = msgspec.convert(data, _Settings)
    except msgspec.ValidationError as error:
        raise CourseError(f"{path}{_explain(str(error), data)}") from error
    _check_tutor(path, said.tutor)
    for week in said.weeks:
        if week.notebook.endswith(".ipynb"):
            raise CourseError(f"{path}: notebook of {week.name} must be given without .ipynb.")
    names = [week.name for week in said.weeks]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise CourseError(f"{path} has the week {twice[0]!r} twice. Each week needs a name of its own.")
    return Course(
        root=root,
        title=said.title,
        repository=said.repository,
        limits=Limits(**said.limits, modules=said.kernels.modules),
        contact=said.contact,
        tutor=said.tutor,
        late=said.late,
        checks=said.checks,
        narration=said.narration,
        weeks=said.weeks,
    )


class _Settings(msgspec.Struct, forbid_unknown_fields=True):
    """course.toml as it is written, each of its tables."""

    title: str
    repository: Repository
    weeks: tuple[Week, ...]
    contact: str = ""
    limits: dict[str, Any] = {}
    kernels: Kernels = Kernels()
    tutor: Tutor = Tutor()
    late: Late = Late()
    checks: tuple[str, ...] = ()
    narration: dict[str, Any] = {}


# {the table's name in course.toml: what it may contain}
_TABLES = {
    "": _Settings,
    "repository": Repository,
    "weeks": Week,
    "tutor": Tutor,
    "kernels": Kernels,
    "late": Late,
}
_WANTED = {
    "str": "words in quotes",
    "int": "a whole number",
    "bool": "true or false",
    "object": "a table",
    "array": "a list of tables",
    # keys whose value has a form of its own
    "deadline": 'words in quotes, as "Sunday, 7 March, 23:59"',
    "due": "a date and time with its offset from UTC, without quotes, as 2027-03-07T23:59:00+01:00",
    "per_day": "a number from 0 to 100",
    "at_most": "a number from 0 to 100",
    "grace_minutes": "a number from 0 to 10080",
}


def _explain(error: str, data: dict[str, Any]) -> str:
    """msgspec's sentence in the words of course.toml, to be read after the file's path.

    >>> _explain("Object contains unknown field `size` - at `$.tutor`", {})
    " lacks or misspells something: [tutor] has no use for 'size'. Known there: address, model."
    >>> _explain("Expected `str`, got `int` - at `$.contact`", {"contact": 3})
    ': contact must be words in quotes, not 3.'
    """
    what, _, place = error.partition(" - at ")
    steps: list[Any] = [int(step) if step.isdecimal() else step for step in re.findall(r"\w+", place)]
    first = next(iter(re.findall("`(.*?)`", what)), "")
    if what.startswith("Object "):
        table = _TABLES[steps[0] if steps else ""]
        verb = "has no use for" if "unknown" in what else "lacks"
        known = ", ".join(table.__struct_fields__)
        return f" lacks or misspells something: {_place(steps, data)} {verb} {first!r}. Known there: {known}."
    lists = {"checks": ("checks", '["lesson"]'), "kernels": ("[kernels] modules", '["numpy"]')}
    if steps[0] in lists and (steps[0] == "checks" or len(steps) > 1):
        name, example = lists[steps[0]]
        given = data["checks"] if steps[0] == "checks" else data["kernels"]["modules"]
        return f": {name} must be a list of names, as {example}, not {given!r}."
    value: Any = data
    for step in steps:
        value = value[step]
    wanted = _WANTED.get(steps[-1]) or _WANTED[first]
    match steps:
        case [name]:
            wanted += {"object": f", [{name}]", "array": f", each below a line [[{name}]]"}.get(first, "")
        case ["weeks", int()]:
            name = _place(steps, data)
        case ["weeks", number, key]:
            name = f"{key} of {_place(['weeks', number], data)}"
        case [group, key]:
            name = f"[{group}] {key}"
    shown = repr(value) if isinstance(value, str) else value  # a date as it was written
    return f": {name} must be {wanted}, not {shown}."


def _place(steps: list[Any], data: dict[str, Any]) -> str:
    """What a table of course.toml is called."""
    match steps:
        case []:
            return "it"
        case ["weeks", number]:
            week = data["weeks"][number]
            name = week.get("name") if isinstance(week, dict) else None
            return name if isinstance(name, str) else f"[[weeks]] number {number + 1}"
    return f"[{steps[0]}]"


def _check_tutor(path: Path, tutor: Tutor) -> None:
    """Both are written into the notebooks' code, between quotes."""
    for key, pattern, wanted in (
        ("address", r"(https?://[^\s\"\\{}]+)?", 'an address such as "https://example.org/v1"'),
        ("model", r"[^\s\"\\{}]*", "a model's name"),
    ):
        value = getattr(tutor, key)
        if not re.fullmatch(pattern, value):
            raise CourseError(f"{path}: [tutor] {key} must be {wanted}, not {value!r}.")
    if tutor.address and not tutor.model:
        raise CourseError(f"{path}: [tutor] has an address and no model. Name the model that is asked there.")


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
    for key, together in (("cell_seconds", "all_cells_seconds"), ("test_seconds", "question_seconds")):
        one, all_ = getattr(whole, key), getattr(whole, together)
        if one > all_:
            raise CourseError(
                f"{path}: limit {key} is {one:g}, but {together} is only {all_:g}. Make {together} at least as large."
            )
