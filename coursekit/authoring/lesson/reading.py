"""What a student meets in a week's core: how much there is to read, how much code is not folded, how long it takes.

Core is what is visible on the page. What is behind a `<details>` is told by its summary's first word: `Read` is the
narration, `Hint` belongs to its question, `Optional` is optional, and everything else is opened by the way.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from coursekit.authoring.lesson.findings import EXPERIMENT, folded
from coursekit.authoring.narration.manifest import read_manifest
from coursekit.course.config import Course, Week
from coursekit.engine.shared.master import GIVEN, TEST, WRITTEN, Cell, Master

MAX_CORE_WORDS = 2500
MAX_OPEN_LINES = 15
WORDS_PER_MINUTE = 200
MINUTES_PER_EXPERIMENT = 2  # to guess, run and look; its discussion is read at WORDS_PER_MINUTE
TOLERANCE = 0.15
BEHIND = re.compile(r"<details><summary>(.*?)</summary>(.*?)</details>", re.DOTALL)
WORD = re.compile(r"[^\W\d_][\w'’-]*")
# Not read as words: code blocks, formulas, HTML, addresses. A formula neither begins nor ends with a space.
NO_WORDS = re.compile(
    r"^```.*?^```$|\$\$.*?\$\$|\$(?!\s)(?:[^$\n]|\n(?!\n))*(?<!\s)\$|<[^>]*>|(?<=\])\([^)]*\)",
    re.DOTALL | re.MULTILINE,
)
OPTIONAL = "Optional"


@dataclass(frozen=True)
class Time:
    """Minutes of a week.

    Attributes:
        reading: the core's text, and its narration once.
        experiments: guesses, runs and discussions of the core.
        optional: text and experiments of what is optional.
    """

    reading: float
    experiments: float
    optional: float


def words(markdown: str) -> int:
    """How many words a text has.

    >>> words("The *cat* saw $x_1$ [here](https://example.org), `once`.")
    5
    """
    return len(WORD.findall(NO_WORDS.sub(" ", markdown)))


def core_words(master: Master) -> int:
    """Words that are visible on the page, outside `<details>`."""
    return sum(words(BEHIND.sub(" ", cell.source)) for cell in _texts(master))


def reckon(course: Course, week: Week, master: Master) -> Time:
    """How long a week takes, but for its questions, whose minutes their authors say."""
    entries = read_manifest(course.root / "narration")
    seconds = sum(entry.seconds for name, entry in entries.items() if name.startswith(f"{week.name}/"))
    core = core_words(master) / WORDS_PER_MINUTE
    optional = sum(words(_optional(cell.source)) for cell in _texts(master)) / WORDS_PER_MINUTE
    experiments = 0.0
    for is_optional, discussion in _experiments(master):
        minutes = MINUTES_PER_EXPERIMENT + words(discussion) / WORDS_PER_MINUTE
        if is_optional:
            optional += minutes
        else:
            experiments += minutes
    return Time(core + seconds / 60, experiments, optional)


def check_core(master: Master) -> list[str]:
    """A student can read the core in one sitting; tests and long given code are folded under a title."""
    problems = []
    if (count := core_words(master)) > MAX_CORE_WORDS:
        problems.append(
            f"the core has {count} words; at most {MAX_CORE_WORDS} may be outside `<details>`: say it in fewer, or "
            "put what is optional behind `<details><summary>Optional: ...</summary>`"
        )
    for cell in master.cells:
        if cell.kind != "code":
            continue
        is_folded, lines = folded(master, cell), len(cell.source.splitlines())
        if cell.role == TEST and not (is_folded and cell.source.startswith("# @title Test: ")):
            problems.append(f"test {cell.grade_id} is not folded under `# @title Test: ...`")
        elif cell.role == GIVEN and "setup" not in cell.tags and not is_folded and lines > MAX_OPEN_LINES:
            problems.append(
                f"cell {cell.cell_id} has {lines} lines and is not folded: split it to at most {MAX_OPEN_LINES}, or "
                "fold it under `# @title ...`"
            )
    return problems


def check_time(course: Course, week: Week, master: Master) -> list[str]:
    """The first cell's minutes for reading, experiments and what is optional are right to within 15 %."""
    time = reckon(course, week, master)
    stated = stated_time(master)
    problems = []
    for what, minutes in (
        ("reading and listening", time.reading),
        ("experiments", time.experiments),
        ("what is optional", time.optional),
    ):
        if abs(stated[what] - minutes) > max(TOLERANCE * minutes, 1):
            problems.append(
                f"the first cell says {stated[what]} minutes for {what}; it takes about {minutes:.0f}"
            )
    return problems


def stated_time(master: Master) -> dict[str, int]:
    """The minutes in the first cell's table that belong to no question; 0 where it has no such row."""
    rows = ("reading and listening", "experiments", "what is optional")
    found = {
        row: re.search(rf"^\| \| {row} \| (\d+) \| \|$", master.cells[0].source, re.MULTILINE) for row in rows
    }
    return {row: int(match[1]) if match else 0 for row, match in found.items()}


def _texts(master: Master) -> Iterator[Cell]:
    return (cell for cell in master.cells if cell.kind == "markdown" and cell.role != WRITTEN)


def _optional(source: str) -> str:
    return "\n\n".join(text for title, text in BEHIND.findall(source) if title.startswith(OPTIONAL))


def _experiments(master: Master) -> Iterator[tuple[bool, str]]:
    """(whether it is optional, its discussion) of each experiment."""
    for index, cell in enumerate(master.cells):
        if cell.kind == "markdown" and EXPERIMENT in cell.source:
            discussion = master.cells[index + 3].source if index + 3 < len(master.cells) else ""
            yield EXPERIMENT in _optional(cell.source), discussion
