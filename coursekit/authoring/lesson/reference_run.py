"""What experiments print in the reference's run, kept behind the fold below them, for those who cannot train.

Who has not finished an answer cannot run the training that needs it, nor what comes after it; the text goes on and the
written question asks about it all the same. So the discussion of each experiment from a notebook's first training on
ends with what the reference printed.

    python -m coursekit.authoring.lesson.reference_run WEEK ...     in the course folder: run it, write what it says
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from coursekit.authoring.checks.execution import NotebookRun, errors, execute
from coursekit.authoring.lesson.findings import DISCUSSION, MEASURED, ends_beside_guess, findings, skipped
from coursekit.authoring.release import companions
from coursekit.course.config import Course, Week, open_course
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import GIVEN, Cell, Master

HEADING = "In the reference run, this experiment prints:"
BLOCK = re.compile(rf"\n{HEADING}\n\n```text\n(.*?)\n```\n(?=\n</details>)", re.DOTALL)
END = "\n</details>"
NOT_SAID = re.compile(r"\x1b\[[0-9;]*m|^.*\d%\|.*\n", re.MULTILINE)  # colours; bars of progress


def experiments(master: Master) -> Iterator[tuple[Cell, Cell]]:
    """(experiment, its discussion) of each from the first training on."""
    begun = False
    for cell, below in zip(master.cells, master.cells[1:], strict=False):
        begun |= "training" in cell.tags
        if begun and cell.role == GIVEN and ends_beside_guess(cell) and below.source.startswith(DISCUSSION):
            yield cell, below


def printed(run: NotebookRun, cell: str) -> str:
    """What a cell said in a run, its findings included; not its progress, nor the line about the guess."""
    parts = []
    for name, output in run.outputs:
        data = output.get("data", {})
        if name == cell and output.get("name") == "stdout":
            parts.append(output.text)
        elif name == cell and "text/plain" in data and "image/png" not in data and MEASURED not in data:
            parts.append(data["text/plain"] + "\n")
    return NOT_SAID.sub("", "".join(parts)).strip("\n")


def stored(discussion: str) -> str | None:
    """What a discussion says that the reference run printed, or None."""
    found = BLOCK.search(discussion)
    return found[1] if found else None


def with_stored(discussion: str, text: str) -> str:
    """The discussion with this text as what the reference run printed.

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


def check_stored(run: NotebookRun, master: Master) -> list[str]:
    """Each has it, with the sentences of today's findings.

    Numbers may differ, and what is in quotation marks: they do between processors.
    """
    problems = []
    for cell, discussion in experiments(master):
        text = stored(discussion.source)
        said = [one.sentence for one in findings(run) if one.cell == cell.cell_id]
        missing = [sentence for sentence in said if text is None or _words(sentence) not in _words(text)]
        if text is None or missing:
            what = f"does not have {missing[0]!r}" if text else "is missing"
            problems.append(
                f"cell {discussion.cell_id}: what the reference run prints {what}; "
                f"run `python -m coursekit.authoring.lesson.reference_run {master.week}`"
            )
    return problems


def _words(text: str) -> str:
    return re.sub(r"(?<!\w)'[^']*'(?!\w)|[\W\d_]+", " ", text)


def write(course: Course, week: Week) -> int:
    """Run the week's reference and store what its experiments print. Gives how many discussions have changed.

    What an optional experiment printed is kept where this run did without it.

    Raises:
        CourseError: a cell fails. Nothing is stored.
    """
    run = execute(course.notebook(week), companions(course, week))
    if failed := errors(run):
        where, name, message = failed[0]
        raise CourseError(f"{week.name}: cell {where} raises {name}: {message[:200]}. Nothing was stored.")
    path = course.source(week)  # as it is in the file: `course.notebook` has filled in the addresses
    notebook = json.loads(path.read_text(encoding="utf-8"))
    changed = 0
    for cell, discussion in experiments(course.master(week)):
        if skipped(cell, run):
            continue
        node = notebook["cells"][discussion.index]
        old = "".join(node["source"])
        new = with_stored(old, printed(run, cell.cell_id))
        changed += new != old
        node["source"] = new.splitlines(keepends=True)
    path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return changed


def main(weeks: list[str]) -> int:
    """Write them for these weeks."""
    course = open_course(Path.cwd())
    for name in weeks:
        print(f"{name}: {write(course, course.week(name))} discussions changed")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except CourseError as error:
        sys.exit(str(error))
