"""The course folder: the paths of each stage's files, and the settings in `course.toml`."""

import os
import re
import tomllib
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args, get_type_hints

import msgspec
from msgspec import Meta

from coursekit.course.addresses import ASSETS, NO_DEADLINE, Repository, drawings, fill_in
from coursekit.engine.shared.data_files import DataFile
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.file_names import is_left_over
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import Master, read_master

# Requirements for the values of course.toml. Without a description, the type or the bounds suffice.
_WORDS = "words in quotes"
_NOTEBOOK = Meta(pattern=r"(?<!\.ipynb)\Z", description="the name of a file without .ipynb, in quotes")
_DEADLINE = Meta(description=f'{_WORDS}, as "Sunday, 7 March, 23:59"')
_MOMENT = "a date and time with its offset from UTC, without quotes, as 2027-03-07T23:59:00+01:00"
_DUE = Meta(tz=True, description=_MOMENT)
_ADDRESS = Meta(
    pattern=r"\A(https?://[^\s\"\\{}]+)?\Z", description='an address such as "https://example.org/v1"'
)
_MODEL = Meta(pattern=r"\A[^\s\"\\{}]*\Z", description="a model's name")

MAX_DATA_FILES = 500  # beside one notebook: each kernel gets a link to each


class Week(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One week of course.toml; `name` is the nbgrader assignment, `notebook` its file without .ipynb."""

    name: str
    notebook: Annotated[str, _NOTEBOOK]
    title: str
    minutes: int
    deadline: Annotated[str, _DEADLINE] = ""  # in words, as students read it
    due: Annotated[datetime, _DUE] | None = None  # the last moment that is on time, see `Late`


class Late(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cost of being late, for weeks with a due time. `per_day` and `at_most` are per cent of the week's points."""

    per_day: Annotated[float, Meta(ge=0, le=100)] = 0  # for each day that has begun
    grace_minutes: Annotated[float, Meta(ge=0, le=10080)] = 0  # a delay up to this is not late
    at_most: Annotated[float, Meta(ge=0, le=100)] = 100


Shown = Literal["all", "count", "nothing"]
ALL: Final = "all"  # as of visible tests
COUNT: Final = "count"  # how many of each question were passed
NOTHING: Final = "nothing"


class HiddenTests(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a student reads of hidden tests while their own due time has not passed; after it, everything."""

    before_due: Annotated[Shown, Meta(description='"all", "count" or "nothing"')] = COUNT


Counts = Literal["best on time", "latest", "last on time"]
BEST_ON_TIME: Final = "best on time"
LATEST: Final = "latest"


class HandIns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Handing in from the notebooks to `course serve`.

    Attributes:
        address: where students reach the server; without one, notebooks make a file to upload.
        attempts, minutes: a student may hand in a week so often; after each of these times once more.
        counts: which of a student's hand-ins counts.
        megabytes: how large one may be.
    """

    address: Annotated[str, _ADDRESS] = ""
    attempts: Annotated[int, Meta(ge=1, le=1000)] = 10
    minutes: Annotated[float, Meta(ge=0.1, le=10080)] = 30
    counts: Annotated[Counts, Meta(description='"best on time", "latest" or "last on time"')] = BEST_ON_TIME
    megabytes: Annotated[int, Meta(ge=1, le=100)] = 20


class Kernels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Modules that kernels import before a notebook that uses them. If torch is one, tests get real tensors."""

    modules: Annotated[tuple[str, ...], Meta(description='a list of names, as ["numpy"]')] = ()


class Tutor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The assistant that `tutor` in the notebooks asks: the URL of an OpenAI-compatible service, up to its /v1.

    Without one, `tutor` asks Colab's assistant. Students have their own key in TUTOR_KEY. Both values are written into
    the notebooks' code, between quotes.
    """

    address: Annotated[str, _ADDRESS] = ""
    model: Annotated[str, _MODEL] = ""


class LimitSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The limits that an instructor may set, with their bounds, beyond which all kernels would end at once or never."""

    cell_seconds: Annotated[float, Meta(ge=0.1, le=3600)] = Limits.cell_seconds
    test_seconds: Annotated[float, Meta(ge=0.1, le=3600)] = Limits.test_seconds
    all_cells_seconds: Annotated[float, Meta(ge=1, le=86400)] = Limits.all_cells_seconds
    question_seconds: Annotated[float, Meta(ge=0.1, le=86400)] = Limits.question_seconds
    memory_mb: Annotated[int, Meta(ge=256, le=1 << 20)] = Limits.memory_mb
    scratch_mb: Annotated[int, Meta(ge=1, le=1 << 20)] = Limits.scratch_mb
    output_kb: Annotated[int, Meta(ge=1, le=1 << 20)] = Limits.output_kb


class CourseSettings(msgspec.Struct, forbid_unknown_fields=True):
    """The content of course.toml as it is written, with each of its tables."""

    title: str
    repository: Repository
    weeks: Annotated[tuple[Week, ...], Meta(description="a list of tables, each below a line [[weeks]]")]
    contact: str = ""
    limits: LimitSettings = LimitSettings()
    kernels: Kernels = Kernels()
    tutor: Tutor = Tutor()
    late: Late = Late()
    hidden_tests: HiddenTests = HiddenTests()
    hand_ins: HandIns = HandIns()
    checks: Annotated[tuple[str, ...], Meta(description='a list of names, as ["lesson"]')] = ()
    narration: dict[str, Any] = {}


@dataclass(frozen=True)
class Course:
    """A course folder, with the settings from its course.toml."""

    root: Path
    title: str
    repository: Repository
    limits: Limits
    weeks: tuple[Week, ...]
    contact: str = ""  # the person whom students ask, in words
    tutor: Tutor = Tutor()
    late: Late = Late()
    hidden_tests: HiddenTests = HiddenTests()
    hand_ins: HandIns = HandIns()
    checks: tuple[str, ...] = ()  # names of entry points in the group `coursekit.checks`
    narration: dict[str, Any] = field(default_factory=dict, compare=False)  # [narration], as it is written
    results_folder: Path | None = None  # a preview's, instead of autograded/

    def week(self, name: str) -> Week:
        """Return the week with this name.

        Raises:
            CourseError: course.toml has no such week.
        """
        weeks = {week.name: week for week in self.weeks}
        if name not in weeks:
            raise CourseError(f"course.toml has no week {name!r}. It has: {', '.join(weeks)}.")
        return weeks[name]

    def select(self, names: list[str]) -> list[Week]:
        """Return the named weeks, or all weeks if `names` is empty."""
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
        """The folder that grading writes."""
        return self.results_folder or self.root / "autograded"

    def autograded(self, student: str, week: Week) -> Path:
        return self.results / student / week.name

    def feedback(self, student: str, week: Week) -> Path:
        return self.root / "feedback" / student / week.name

    def master(self, week: Week) -> Master:
        """Return the week's master.

        Raises:
            CourseError: the source notebook is missing or broken.
        """
        return read_master(self.notebook(week), week.name, week.notebook, self.data_files(week))

    def data_files(self, week: Week) -> tuple[DataFile, ...]:
        """Return the files beside a week's source notebook, and in folders there, sorted by name.

        Notebooks are none, and neither is what editors, Jupyter and operating systems leave there.

        Raises:
            CourseError: one of them cannot be read, or there are too many.
        """
        folder = self.source(week).parent
        found = []
        try:
            for where, _, names in os.walk(folder):
                for path in (os.path.join(where, name) for name in names):
                    name = os.path.relpath(path, folder)
                    if not (is_left_over(name) or name.endswith(".ipynb")) and os.path.isfile(path):
                        found.append(DataFile.at(os.path.realpath(path), name))
        except OSError as error:
            raise CourseError(
                f"{error.filename or folder} cannot be read ({error.strerror}). It is beside the notebook of "
                f"{week.name}: make it readable, or put it elsewhere."
            ) from error
        if len(found) > MAX_DATA_FILES:
            raise CourseError(
                f"source/{week.name}/ has {len(found)} files beside its notebook; at most {MAX_DATA_FILES} may be. "
                "Put them into one archive."
            )
        return tuple(sorted(found, key=lambda file: file.name))

    def notebook(self, week: Week) -> bytes:
        """Return the source notebook's bytes, with its tokens filled in.

        Raises:
            CourseError: it cannot be read.
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
        """Return a source notebook's bytes with this week's tokens filled in."""
        words = {"week": week.name, "deadline": week.deadline or NO_DEADLINE}
        if b"{{drawing_" in data:
            words |= drawings(self.root / ASSETS / "drawings")
        words |= {f"tutor_{key}": value for key, value in msgspec.structs.asdict(self.tutor).items()}
        words["hand_in_address"] = self.hand_ins.address
        return fill_in(data, self.repository.addresses(week.name, week.notebook) | words)


def open_course(root: Path) -> Course:
    """Return the course in the folder `root`.

    Raises:
        CourseError: course.toml is missing or invalid.
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
    try:
        settings = msgspec.convert(data, CourseSettings)
    except msgspec.ValidationError as error:
        raise CourseError(f"{path}{_explain(str(error), data)}") from error
    if settings.tutor.address and not settings.tutor.model:
        raise CourseError(f"{path}: [tutor] has an address and no model. Name the model that is asked there.")
    # Not from `settings`, in which a whole number has become a float.
    limits = Limits(**data.get("limits", {}), modules=settings.kernels.modules)
    for key, sum_key in (("cell_seconds", "all_cells_seconds"), ("test_seconds", "question_seconds")):
        part, whole = getattr(limits, key), getattr(limits, sum_key)
        if part > whole:
            sentence = f"[limits] {key} is {part:g}, but {sum_key} is only {whole:g}. Raise {sum_key}."
            raise CourseError(f"{path}: {sentence}")
    names = [week.name for week in settings.weeks]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise CourseError(f"{path} has the week {twice[0]!r} twice. Each week needs a name of its own.")
    others = msgspec.structs.asdict(settings)
    del others["limits"], others["kernels"]
    return Course(root=root, limits=limits, **others)


def _explain(error: str, data: dict[str, Any]) -> str:
    """Return msgspec's sentence in the words of course.toml, to follow the file's path.

    >>> _explain("Object contains unknown field `size` - at `$.tutor`", {"tutor": {"size": 3}})
    " lacks or misspells something: [tutor] has no use for 'size'. Known there: address, model."
    >>> _explain("Expected `str`, got `int` - at `$.contact`", {"contact": 3})
    ': contact must be words in quotes, not 3.'
    """
    complaint, _, path = error.partition(" - at ")
    steps = re.findall(r"\w+", path)
    # The type and name of the value's table, a template for the value's name there, and the table's values.
    table: Any = CourseSettings
    owner, template, values = "it", "{}", data
    table_type = get_type_hints(CourseSettings)[steps[0]] if steps else None
    if steps and steps[0] == "weeks" and len(steps) > 1:
        week = data["weeks"][int(steps[1])]
        week_name = week.get("name") if isinstance(week, dict) else None
        owner = week_name if isinstance(week_name, str) else f"[[weeks]] number {int(steps[1]) + 1}"
        if not isinstance(week, dict):
            return f": {owner} must be a table, not {week!r}."
        table, template, values, steps = Week, f"{{}} of {owner}", week, steps[2:]
    elif hasattr(table_type, "__struct_fields__") and isinstance(data[steps[0]], dict):
        owner = f"[{steps[0]}]"
        table, template, values, steps = table_type, f"{owner} {{}}", data[steps[0]], steps[1:]
    if complaint.startswith("Object "):
        problem = "has no use for" if "unknown" in complaint else "lacks"
        known = ", ".join(table.__struct_fields__)
        return f" lacks or misspells something: {owner} {problem} {complaint.split('`')[1]!r}. Known there: {known}."
    key = steps[0]
    shown = repr(values[key]) if isinstance(values[key], str) else values[key]  # a date as it was written
    return f": {template.format(key)} must be {_requirement(table, key)}, not {shown}."


def _requirement(table: type, key: str) -> str:
    """Return the requirement for a value of course.toml."""
    declared = get_type_hints(table, include_extras=True)[key]
    for annotated in (declared, *get_args(declared)):
        for meta in getattr(annotated, "__metadata__", ()):
            whole = "whole " if annotated.__origin__ is int else ""
            return str(meta.description or f"a {whole}number from {meta.ge} to {meta.le}")
    return {str: _WORDS, int: "a whole number", bool: "true or false"}.get(declared, f"a table, [{key}]")
