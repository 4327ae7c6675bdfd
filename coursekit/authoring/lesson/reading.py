"""How much a week's core asks of a student: words to read, code that is not folded, minutes.

The core is the text of the page outside `<details>`. Of what is inside, the text below a summary that begins with
`Optional` has minutes of its own, the narration (`Read`) has those of its audio, and hints and other asides are not
counted.
"""

import re
from collections.abc import Iterator

from coursekit.authoring.lesson.findings import EXPERIMENT, folded
from coursekit.authoring.narration.manifest import read_manifest
from coursekit.course.config import Course, Week
from coursekit.engine.shared.master import GIVEN, TEST, WRITTEN, Cell, Master

MAX_CORE_WORDS = 2500
MAX_OPEN_LINES = 15  # of a given cell that is not folded
WORDS_PER_MINUTE = 200
MINUTES_PER_EXPERIMENT = 2  # to guess, run and look; its discussion is read at WORDS_PER_MINUTE
TOLERANCE = 0.15
DETAILS = re.compile(r"<details><summary>(.*?)</summary>(.*?)</details>", re.DOTALL)
WORD = re.compile(r"[^\W\d_][\w'’-]*")
# Not read as words: code blocks, formulas, HTML, URLs. A formula neither begins nor ends with a space.
NO_WORDS = re.compile(
    r"^```.*?^```$|\$\$.*?\$\$|\$(?!\s)(?:[^$\n]|\n(?!\n))*(?<!\s)\$|<[^>]*>|(?<=\])\([^)]*\)",
    re.DOTALL | re.MULTILINE,
)
OPTIONAL = "Optional"
# The rows of the first cell's table that belong to no question: reading the core's text and hearing its narration;
# guesses, runs and discussions of the core; texts and experiments of optional parts.
READING, EXPERIMENTS, OPTIONAL_PARTS = "reading and listening", "experiments", "what is optional"


def count_words(markdown: str) -> int:
    """Return the number of words in a Markdown text.

    >>> count_words("The *cat* saw $x_1$ [here](https://example.org), `once`.")
    5
    """
    return len(WORD.findall(NO_WORDS.sub(" ", markdown)))


def count_core_words(master: Master) -> int:
    """Return the number of words outside `<details>`."""
    return sum(count_words(DETAILS.sub(" ", cell.source)) for cell in _text_cells(master))


def estimated_minutes(course: Course, week: Week, master: Master) -> dict[str, float]:
    """Return {row of the first cell's table: minutes} for READING, EXPERIMENTS and OPTIONAL_PARTS."""
    entries = read_manifest(course.root / "narration")
    seconds = sum(entry.seconds for name, entry in entries.items() if name.startswith(f"{week.name}/"))
    minutes = {
        READING: count_core_words(master) / WORDS_PER_MINUTE + seconds / 60,
        EXPERIMENTS: 0.0,
        OPTIONAL_PARTS: sum(count_words(_optional_text(cell.source)) for cell in _text_cells(master))
        / WORDS_PER_MINUTE,
    }
    for cell in _text_cells(master):
        if EXPERIMENT in cell.source:  # the introduction: guess, code and discussion are the cells below
            row = OPTIONAL_PARTS if EXPERIMENT in _optional_text(cell.source) else EXPERIMENTS
            discussion = "".join(below.source for below in master.cells[cell.index + 3 : cell.index + 4])
            minutes[row] += MINUTES_PER_EXPERIMENT + count_words(discussion) / WORDS_PER_MINUTE
    return minutes


def stated_minutes(master: Master) -> dict[str, int]:
    """Return {row: minutes} as the first cell's table has them; 0 where it has no such row."""
    minutes = {}
    for row in (READING, EXPERIMENTS, OPTIONAL_PARTS):
        match = re.search(rf"^\| \| {row} \| (\d+) \| \|$", master.cells[0].source, re.MULTILINE)
        minutes[row] = int(match[1]) if match else 0
    return minutes


def check_time(course: Course, week: Week, master: Master) -> list[str]:
    """Return a sentence for each row of minutes in the first cell that is wrong by more than 15 % and 1 minute."""
    stated = stated_minutes(master)
    return [
        f"the first cell says {stated[row]} minutes for {row}; it takes about {minutes:.0f}"
        for row, minutes in estimated_minutes(course, week, master).items()
        if abs(stated[row] - minutes) > max(TOLERANCE * minutes, 1)
    ]


def check_core(master: Master) -> Iterator[str]:
    """Yield a sentence if the core has too many words, and for each test or long given cell that is not folded."""
    if (count := count_core_words(master)) > MAX_CORE_WORDS:
        yield (
            f"the core has {count} words; at most {MAX_CORE_WORDS} may be outside `<details>`: say it in fewer, or "
            "put what is optional into `<details><summary>Optional: ...</summary>`"
        )
    for cell in master.cells:
        if cell.kind != "code":
            continue
        is_folded, lines = folded(master, cell), len(cell.source.splitlines())
        if cell.role == TEST and not (is_folded and cell.source.startswith("# @title Test: ")):
            yield f"test {cell.grade_id} is not folded under `# @title Test: ...`"
        elif cell.role == GIVEN and "setup" not in cell.tags and not is_folded and lines > MAX_OPEN_LINES:
            yield (
                f"cell {cell.cell_id} has {lines} lines and is not folded: split it to at most {MAX_OPEN_LINES}, or "
                "fold it under `# @title ...`"
            )


def _text_cells(master: Master) -> Iterator[Cell]:
    return (cell for cell in master.cells if cell.kind == "markdown" and cell.role != WRITTEN)


def _optional_text(source: str) -> str:
    return "\n\n".join(text for title, text in DETAILS.findall(source) if title.startswith(OPTIONAL))
