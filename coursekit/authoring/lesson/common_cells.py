"""Cells that no author writes twice: the same in every week, or made from a script or from the week's questions.

All weeks have the cells `setup` and `tools` of the first week. `tools` and a week's first cell list what a notebook can
import while it is graded. A section with a narration begins with its text and,
if there is audio, a player and a link; the link works where no code runs, as on GitHub, too. The last three cells of a
week ask the tutor, report which questions pass their visible tests, and make the file to hand in.
After a change of any of this,

    python -m coursekit.authoring.lesson.common_cells

in the course folder brings all source notebooks up to date.
"""

import json
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from coursekit.authoring.lesson.packages import importable
from coursekit.authoring.lesson_cells import HAND_IN, PROGRESS, TUTOR, is_player
from coursekit.authoring.narration.manifest import Entry, read_manifest
from coursekit.authoring.narration.script import read_script
from coursekit.course.config import Course, Week, open_course
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import TEST, Master

COMMAND = "python -m coursekit.authoring.lesson.common_cells"
TOOLS = "tools"
SHARED_CELLS = ("setup", TOOLS)
WIDTH = 116  # characters of a line
SUMMARY = "<details><summary>What your notebook can import while it is graded</summary>"
WHILE_GRADED = "Python's own modules, {modules} and {last}. There is no network and no GPU."
# Where the lists of modules are: in the cell `tools`; and in the notebook's first cell, above the words "Handing in".
LISTED_FOR_CODE = re.compile(r'^IMPORTABLE = """.*?"""$', re.MULTILINE | re.DOTALL)
LISTED_FOR_STUDENTS = re.compile(
    rf"^(?:{SUMMARY}.*?</details>\n\n)?(?=\*\*Handing in:)", re.MULTILINE | re.DOTALL
)
FORM = {"cellView": "form"}  # folded on Colab only: JupyterLab shows the line to edit or to read
FOLDED = FORM | {"jupyter": {"source_hidden": True}}
# {number of words in a script: the length that its cells state, at about 150 words per minute}
LENGTHS = {
    range(60, 113): "about 30 seconds",
    range(113, 188): "about 1 minute",
    range(188, 241): "about 90 seconds",
}

_TUTOR = """# @title Stuck? Ask the tutor: type a question, then run this cell.
question = ""  # @param {type: "string"}
tutor(question)"""
_HAND_IN = """# @title Hand in: type your student id, run this cell, and upload the file that it makes.
student_id = ""  # @param {type: "string"}
hand_in(student_id)"""


def check_common_cells(course: Course, week: Week, master: Master) -> Iterator[str]:
    """Yield a sentence for each of these cells that is out of date, missing, left over or in the wrong place."""
    try:
        current = {_id(cell): cell for cell in read_source(course, week).cells}
        expected = {_id(cell): cell for cell in _up_to_date(course, week, master).cells}
    except CourseError as error:
        yield str(error)
        return
    changed = [name for name in expected if current.get(name) != expected[name]]
    for name in changed:
        yield f"cell {name} is not what the first week, the script or the questions give: run `{COMMAND}`"
    for name in current.keys() - expected.keys():
        yield f"the player {name} has no audio to play: run `{COMMAND}`"
    if not changed and [name for name in current if name in expected] != list(expected):
        yield f"a player or one of the last cells is not in its place: run `{COMMAND}`"


def bring_up_to_date(course: Course) -> list[str]:
    """Write these cells into every source notebook; return the names of the weeks that changed."""
    return [
        week.name
        for week in course.weeks
        if write_source(course, week, _up_to_date(course, week, course.master(week)))
    ]


def length_of(script: str) -> str:
    """Return a script's length, such as "about 1 minute"; "" when it is too short or too long."""
    return next((label for words, label in LENGTHS.items() if len(script.split()) in words), "")


def read_source(course: Course, week: Week) -> NotebookNode:
    """Return the source notebook as it is in the file, with placeholders for URLs."""
    return nbformat.read(course.source(week), 4)


def write_source(course: Course, week: Week, notebook: NotebookNode) -> bool:
    """Write the source notebook if it has changed, and return whether it has."""
    path, text = course.source(week), nbformat.writes(notebook) + "\n"
    changed = path.read_text(encoding="utf-8") != text
    if changed:
        path.write_text(text, encoding="utf-8")
    return changed


def _up_to_date(course: Course, week: Week, master: Master) -> NotebookNode:
    """Return the source notebook with these cells as they would be written now."""
    first, notebook = read_source(course, course.weeks[0]), read_source(course, week)
    for name in SHARED_CELLS:
        _cell(notebook, name, week).source = _cell(first, name, course.weeks[0]).source
    modules, tools = importable(course), _cell(notebook, TOOLS, week)
    listed = f'IMPORTABLE = """\n{textwrap.fill(" ".join(modules), WIDTH)}\n"""'
    tools.source = _replaced(LISTED_FOR_CODE, listed, tools.source, TOOLS, week)
    sentence = textwrap.fill(WHILE_GRADED.format(modules=", ".join(modules[:-1]), last=modules[-1]), WIDTH)
    title = notebook.cells[0]
    folded = f"{SUMMARY}\n\n{sentence}\n\n</details>\n\n"
    title.source = _replaced(LISTED_FOR_STUDENTS, folded, title.source, "title", week)
    last = [
        _code(TUTOR, _TUTOR, FORM),
        _code(PROGRESS, progress_source(master), FOLDED),
        _code(HAND_IN, _HAND_IN, FORM),
    ]
    names = {cell.id for cell in last}
    notebook.cells = [
        *(cell for cell in _with_players(course, week, notebook.cells) if _id(cell) not in names),
        *last,
    ]
    return notebook


def _replaced(pattern: re.Pattern[str], text: str, source: str, cell: str, week: Week) -> str:
    """Return the source with this text in the one place where it belongs.

    Raises:
        CourseError: there is no such place.
    """
    replaced, count = pattern.subn(lambda _: text, source, count=1)
    if not count:
        raise CourseError(
            f"{week.name}: the cell {cell} has no place for the list of modules, /{pattern.pattern}/."
        )
    return replaced


def _cell(notebook: NotebookNode, name: str, week: Week) -> NotebookNode:
    for cell in notebook.cells:
        if _id(cell) == name:
            return cell
    raise CourseError(f"{week.name} has no cell {name}, which all weeks share.")


def _with_players(course: Course, week: Week, cells: list[NotebookNode]) -> Iterator[NotebookNode]:
    """Yield the cells, each section with its script's text and, if the manifest has its audio, a player."""
    root = course.root / "narration"
    entries = read_manifest(root)
    for cell in cells:
        if is_player(_id(cell), cell.source):
            continue
        yield cell
        if name := cell.metadata.get("course", {}).get("narration"):
            script = read_script(root / week.name / f"{name}.md")
            entry = entries.get(f"{week.name}/{name}")
            heading = cell.source.partition("\n")[0]
            cell.source = _heading_source(heading, name, script, entry)
            if entry:
                yield _player(heading, name, script)


def _heading_source(heading: str, name: str, script: str, entry: Entry | None) -> str:
    """Return the source of a section's first cell; `entry` is the script's entry in the manifest, if it has audio."""
    parts = [heading]
    if entry:
        voice = ", synthetic voice" if entry.synthetic else ""
        parts.append(
            f"*Listen: run the next cell, or [play it here]({{{{narration}}}}{name}.mp3) "
            f"({length_of(script)}{voice}).*"
        )
    return "\n\n".join([*parts, "<details><summary>Read</summary>", script.strip(), "</details>"])


def _player(heading: str, name: str, script: str) -> NotebookNode:
    """Return the cell that plays a section's audio.

    >>> _player("## 6. Why divide by $\\\\sqrt{d_k}$?", "06_scaling", "word " * 130).source
    '# @title Listen: Why divide by √d_k? (about 1 minute)\\nlisten("06_scaling")'
    """
    title = re.sub(r"^## (\d+\. )?", "", heading)
    title = re.sub(r"\\sqrt\{(.*?)\}", r"√\1", title).replace("$", "")
    source = f'# @title Listen: {title} ({length_of(script)})\nlisten("{name}")'
    return _code(f"play-{name.replace('_', '-')}", source, FORM)


def progress_source(master: Master) -> str:
    """Return the source of the cell that reports which questions pass, from their titles and visible tests."""
    hidden = {cell.grade_id for cell in master.cells if cell.role == TEST and cell.hidden}
    lines = ["# @title Which questions pass their visible tests?", "show_progress(", "    {"]
    for question in master.questions:
        title = json.dumps(question.title, ensure_ascii=False)
        tests = [test for test in question.tests if test not in hidden]
        if tests:
            lines += [f"        {title}: [", *(f'            "{test}",' for test in tests), "        ],"]
        else:
            lines.append(f"        {title}: [],")
    return "\n".join([*lines, "    }", ")"])


def _id(cell: NotebookNode) -> str:
    return cell.get("id", "")


def _code(name: str, source: str, metadata: dict[str, Any]) -> NotebookNode:
    return nbformat.v4.new_code_cell(source, id=name, metadata={**metadata, "tags": ["skip-grading"]})


if __name__ == "__main__":
    try:
        print("\n".join(bring_up_to_date(open_course(Path.cwd()))) or "Nothing had to be changed.")
    except CourseError as error:
        sys.exit(str(error))
