"""Keep the text that experiments print in the reference's run in their discussions, for students who cannot train.

A student who has not finished an answer cannot run the training that needs it, nor the cells below; yet the text and
the written question go on to discuss them. So the discussion of each experiment from a notebook's first training
on ends with the text that the reference printed.

    python -m coursekit.authoring.lesson.reference_run WEEK ...     in the course folder: run it, write its text
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from coursekit.authoring.checks.execution import NotebookRun, errors, execute
from coursekit.authoring.lesson.common_cells import read_source, write_source
from coursekit.authoring.lesson.findings import DISCUSSION, ends_beside_guess, findings, printed, skipped
from coursekit.course.config import Course, Week, open_course
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import GIVEN, Cell, Master

HEADING = "In the reference run, this experiment prints:"
BLOCK = re.compile(rf"\n{HEADING}\n\n```text\n(.*?)\n```\n(?=\n</details>)", re.DOTALL)
END = "\n</details>"


def experiments(master: Master) -> Iterator[tuple[Cell, Cell]]:
    """Yield (an experiment's cell, its discussion) for each experiment from the first training on."""
    begun = False
    for cell, below in zip(master.cells, master.cells[1:], strict=False):
        begun |= "training" in cell.tags
        if begun and cell.role == GIVEN and ends_beside_guess(cell) and below.source.startswith(DISCUSSION):
            yield cell, below


def stored(discussion: str) -> str | None:
    """Return the reference run's text in a discussion; None if it has none."""
    match = BLOCK.search(discussion)
    return match[1] if match else None


def with_stored(discussion: str, text: str) -> str:
    """Return the discussion with this text as the reference run's.

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
    """Yield a sentence for each discussion that lacks the reference run's text, or a finding of this run in it.

    Numbers and text in quotation marks may differ, as they do between processors.
    """
    for cell, discussion in experiments(master):
        text = stored(discussion.source)
        missing = [
            finding.sentence
            for finding in findings(run)
            if finding.cell == cell.cell_id and (text is None or _words(finding.sentence) not in _words(text))
        ]
        if text is None or missing:
            problem = f"does not have {missing[0]!r}" if text else "is missing"
            yield (
                f"cell {discussion.cell_id}: what the reference run prints {problem}; "
                f"run `python -m coursekit.authoring.lesson.reference_run {master.week}`"
            )


def _words(text: str) -> str:
    return re.sub(r"(?<!\w)'[^']*'(?!\w)|[\W\d_]+", " ", text)


def write(course: Course, week: Week) -> int:
    """Run the week's reference, store its experiments' texts, and return how many discussions have changed.

    The text of an optional experiment is kept if this run skipped it. If a cell fails, nothing is stored.
    """
    run = execute(course.notebook(week), course.data_files(week))
    if failed := errors(run):
        where, name, message = failed[0]
        raise CourseError(f"{week.name}: cell {where} raises {name}: {message[:200]}. Nothing was stored.")
    notebook = read_source(course, week)
    changed = 0
    for cell, discussion in experiments(course.master(week)):
        if not skipped(cell, run):
            node = notebook.cells[discussion.index]
            new_source = with_stored(node.source, printed(run, cell.cell_id))
            changed += new_source != node.source
            node.source = new_source
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
