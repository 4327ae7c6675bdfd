"""The result of one submission: the contract between the engine and everything that reads marks.

`docs/result.md` describes each field for people, `docs/result.schema.json` for programs; this module is the only place
where result.json is made or read.

    python -m coursekit.engine.shared.result > docs/result.schema.json
"""

import json
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from coursekit.engine.shared.limits import Calibration
from coursekit.engine.shared.reasons import FAULTS, Flag, TestReason, Values

SCHEMA = 7
_SCALARS = {str, float, int, bool, type(None)}

# What became of a submission, from best to worst.
GRADED: Final = "graded"  # as handed in
REPAIRED: Final = "repaired"  # its structure was repaired first, see `repairs`
STOPPED: Final = (
    "stopped"  # a test, or what it had started, met a limit or ended Python; others keep their marks
)
UNREADABLE: Final = "unreadable"  # not a notebook: nothing could be run
FAULT: Final = "fault"  # the grader itself failed: the next run grades again
Status = Literal["graded", "repaired", "stopped", "unreadable", "fault"]

# What became of a test.
PASSED: Final = "passed"
FAILED: Final = "failed"  # an assert of the test was not true
ERROR: Final = "error"  # something raised, in the student's code or in the test
# STOPPED, as above: which limit it meets first, or whether Python ends before, may differ between machines.
NOT_RUN: Final = "not_run"
Outcome = Literal["passed", "failed", "error", "stopped", "not_run"]
# The same in a table's cell, on the terminal and on pages.
SIGNS: dict[str, str] = {PASSED: ".", FAILED: "F", ERROR: "E", STOPPED: "S", NOT_RUN: "-"}


@dataclass
class Comparison:
    """What a student's code returned and what a test expected, as the test itself compared them.

    The tables hold the two innermost dimensions around `place`, where these are small; of a list, one row.
    """

    found: str  # type and shape, as in "float32 (2, 3)"
    expected: str
    entries: int = 0  # compared; 0: the shapes differ, or there are too many to compare
    differing: int = 0  # of these entries
    largest: str = ""  # the largest difference of two numbers; "" where not all are numbers
    place: list[int] = field(default_factory=list)  # index of that difference, or of the first one
    here: list[str] = field(default_factory=list)  # the values at `place`: found, expected
    found_table: list[list[str]] = field(default_factory=list)
    expected_table: list[list[str]] = field(default_factory=list)
    marked: list[list[bool]] = field(default_factory=list)  # which entries of the tables differ


class Verdict(NamedTuple):
    """The outcome of a test, with the reason and the trace if it was not passed."""

    outcome: Outcome
    reason: TestReason | None = None  # None: passed
    message: str = ""  # for the student
    trace: str = ""  # of what their code gave
    comparison: Comparison | None = None


@dataclass
class QuestionResult:
    id: str
    title: str
    score: float | None  # None: a person has to grade it
    max_score: float


@dataclass
class TestResult:
    __test__ = False  # not a class for pytest to collect

    id: str
    question: str
    points: float
    score: float
    outcome: Outcome
    message: str
    hidden: bool
    name: str = ""  # what it tries, in words
    reason: TestReason | None = None  # why it was not passed
    trace: str = ""  # an abridged record of what the student's code gave in a test that it did not pass
    comparison: Comparison | None = None  # with what the test expected, if the test shows it
    digest: str = ""  # of all that the verdict rests on; "": it is not kept in a regrade


@dataclass(frozen=True)
class Note:
    """A repair of the submission's structure, a flag (something that a TA must look at) or a stop.

    `coordinator.sentences` makes the sentence for it.
    """

    kind: str  # a code: Repair, Flag or Stop
    _: KW_ONLY
    cell: str = ""  # the cell's grade_id or id, "" for the whole notebook
    values: Values = field(default_factory=dict)  # what the sentence names, see `reasons.NOTE_VALUES`


@dataclass(frozen=True)
class Result:
    student: str
    week: str
    status: Status
    score: float  # sum over tests
    max_score: float  # sum of the tests' points; written questions are in neither sum
    needs_review: bool
    questions: list[QuestionResult] = field(default_factory=list)
    tests: list[TestResult] = field(default_factory=list)
    repairs: list[Note] = field(default_factory=list)
    flags: list[Note] = field(default_factory=list)
    stops: list[Note] = field(default_factory=list)  # what ended, or was ended, before it was done
    seconds: float = 0.0  # of wall clock, for which grading took
    by_clock: bool = False  # a time limit was met, so the next run grades again
    calibration: Calibration = field(default_factory=Calibration)  # by which limits were stretched
    hashes: dict[str, str] = field(default_factory=dict)  # of "master", "submission", "engine" and "notebook"
    receipts: dict[str, str] = field(default_factory=dict)  # of the files that arrived, by name
    hidden_seed: int = 0  # from which hidden tests drew their inputs
    schema: int = SCHEMA

    @property
    def provisional(self) -> bool:
        """Whether the next run grades the submission again: it may have another outcome, although nothing changed."""
        return self.faulty or self.by_clock or any(flag.kind == Flag.MISSING_PACKAGE for flag in self.flags)

    @property
    def faulty(self) -> bool:
        """Whether the grader itself failed on it."""
        return any(flag.kind in FAULTS for flag in self.flags)

    def to_json(self) -> str:
        """The text of result.json: keys in a fixed order, so two equal results are equal bytes."""
        import msgspec  # not at the top: the reader and the examiner have notes and outcomes without it, and are small

        data = _as_dict(self)
        line = json_bytes({"schema": data.pop("schema"), **data})
        return msgspec.json.format(line, indent=1).decode() + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Result":
        """Read a result.json.

        Raises:
            ValueError: not JSON, or not what `to_json` writes: another schema, a field too many, too few or of
                another type. Says where.
        """
        import msgspec

        try:
            data = msgspec.json.decode(text)
            if not isinstance(data, dict) or data.get("schema") != SCHEMA:
                raise ValueError(f"not a result of schema {SCHEMA}")
            result = msgspec.convert(data, cls)
        except msgspec.DecodeError as error:
            raise ValueError(f"not a result of schema {SCHEMA}: {error}") from error
        # msgspec passes over what a dataclass does not know, and fills in what is missing.
        if _as_dict(result) != data:
            raise ValueError(f"not a result of schema {SCHEMA}: it has other fields")
        return result

    @classmethod
    def read(cls, path: Path) -> "Result | None":
        """The result at a path; None when there is none or it is not one (a half-written file never is)."""
        try:
            return cls.from_json(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return None


def _as_dict(value: Any) -> Any:
    """`dataclasses.asdict` without copies, which took most of the time in which a class's results are read."""
    if isinstance(value, list):
        return [_as_dict(item) for item in value]
    names = getattr(value, "__dataclass_fields__", None)
    if names is None:
        return value
    return {
        name: item if type(item := getattr(value, name)) in _SCALARS else _as_dict(item) for name in names
    }


def json_bytes(value: Any) -> bytes:
    """JSON on one line, with "?" in place of half a surrogate pair, which an output or a file's name may hold.

    >>> json_bytes({"text": "\\ud800", "name": "stdout"})
    b'{"text":"?","name":"stdout"}'
    """
    import msgspec

    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def json_schema() -> str:
    """The text of docs/result.schema.json: what a result.json holds, as JSON Schema 2020-12."""
    import msgspec

    schema = msgspec.json.schema(Result)
    for name, table in schema["$defs"].items():
        if "properties" not in table:  # an enum
            continue
        table |= {"required": list(table["properties"]), "additionalProperties": False}
        for value in table["properties"].values():
            value.pop("default", None)  # of our constructors: in a file every field is written
        if name == "Result":
            table["properties"]["schema"] = {"const": SCHEMA}
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}, indent=1) + "\n"


if __name__ == "__main__":
    print(json_schema(), end="")
