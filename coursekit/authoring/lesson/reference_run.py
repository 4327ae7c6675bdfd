"""What experiments print in the reference's run, kept in the folded discussions, for those who cannot train.

A student who has not finished an answer cannot run the training that needs it, nor what follows; the text goes on and
the written question asks about it all the same. So the discussion of each experiment from a notebook's first training
on ends with what the reference printed.

    python -m coursekit.authoring.lesson.reference_run WEEK ...     in the course folder: runs it, writes what it prints
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from coursekit.authoring.checks.execution import NotebookRun, errors, execute
from coursekit.authoring.lesson.common_cells import read_source, write_source
from coursekit.authoring.lesson.findings import DISCUSSION, ends_beside_guess, findings, printed, skipped
from coursekit.authoring.release import companions
from coursekit.course.config import Course, Week, open_course
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import GIVEN, Cell, Master

HEADING = "In the reference run, this experiment prints:"
BLOCK = re.compile(rf"\n{HEADING}\n\n```text\n(.*?)\n```\n(?=\n</details>)", re.DOTALL)
END = "\n</details>"


def experiments(master: Master) -> Iterator[tuple[Cell, Cell]]:
    """Yield (experiment, its discussion) for each from the first training on."""
    begun = False
    for cell, below in zip(master.cells, master.cells[1:], strict=False):
        begun |= "training" in cell.tags
        if begun and cell.role == GIVEN and ends_beside_guess(cell) and below.source.startswith(DISCUSSION):
            yield cell, below


def stored(discussion: str) -> str | None:
    """Return what the reference run printed, according to a discussion, or None."""
    found = BLOCK.search(discussion)
    return found[1] if found else None


def with_stored(discussion: str, text: str) -> str:
    """Return the discussion with this text as what the reference run printed.

    >>> print(with_stored("<details><summary>Why</summary>\\n\\nSo.\\n\\n</details>", "3 of 4"))
    <details><summary>Why</summary>
    <BLANKLINE>
    So.
    <BLANKLINE>
    In the reference run, this experiment prints:
    <BLANKLINE>
    ```text
    3 of 4
    ```
    <BLANKLINE>
    </details>
    """
    before, end, after = BLOCK.sub("", discussion).rpartition(END)
    return f"{before}\n{HEADING}\n\n```text\n{text}\n```\n{end}{after}"


def check_stored(run: NotebookRun, master: Master) -> Iterator[str]:
    """Each has it, with the sentences of today's findings.

    Numbers and what is in quotation marks may differ, as they do between processors.
    """
    for cell, discussion in experiments(master):
        text = stored(discussion.source)
        missing = [
            one.sentence
            for one in findings(run)
            if one.cell == cell.cell_id and (text is None or _words(one.sentence) not in _words(text))
        ]
        if text is None or missing:
            what = f"does not have {missing[0]!r}" if text else "is missing"
            yield (
                f"cell {discussion.cell_id}: what the reference run prints {what}; "
                f"run `python -m coursekit.authoring.lesson.reference_run {master.week}`"
            )


def _words(text: str) -> str:
    return re.sub(r"(?<!\w)'[^']*'(?!\w)|[\W\d_]+", " ", text)


def write(course: Course, week: Week) -> int:
    """Run the week's reference, store what its experiments print, and return how many discussions have changed.

    What an optional experiment printed is kept where this run did without it. If a cell fails, nothing is stored.
    """
    run = execute(course.notebook(week), companions(course, week))
    if failed := errors(run):
        where, name, message = failed[0]
        raise CourseError(f"{week.name}: cell {where} raises {name}: {message[:200]}. Nothing was stored.")
    notebook = read_source(course, week)
    changed = 0
    for cell, discussion in experiments(course.master(week)):
        if not skipped(cell, run):
            node = notebook.cells[discussion.index]
            text = with_stored(node.source, printed(run, cell.cell_id))
            changed += text != node.source
            node.source = text
    write_source(course, week, notebook)
    return changed


def main(weeks: list[str]) -> int:
    course = open_course(Path.cwd())
    for name in weeks:
        print(f"{name}: {write(course, course.week(name))} discussions changed")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except CourseError as error:
        sys.exit(str(error))
