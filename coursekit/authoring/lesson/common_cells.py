"""Cells that no author writes twice: the same in every week, or made from the week's questions.

The first week's notebook has those that all weeks share, `setup` and `tools`. Each section begins with its narration's
text and player. The last three cells of a week ask the tutor, tell which questions pass their visible tests, and make
the file that is handed in. After a change of any of this,

    python -m coursekit.authoring.lesson.common_cells

in the course folder brings all source notebooks up to date.
"""

import json
import sys
from pathlib import Path
from typing import Any

from coursekit.authoring.lesson.listening import heading_cell, is_player, player_cell
from coursekit.authoring.narration.manifest import read_manifest
from coursekit.authoring.narration.script import read_script
from coursekit.course.config import Course, Week, open_course
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import TEST, Master

COMMAND = "python -m coursekit.authoring.lesson.common_cells"
SAME = ("setup", "tools")
TUTOR, PROGRESS, HAND_IN = "tutor", "progress", "hand-in"
FORM = {"cellView": "form"}  # folded on Colab only: elsewhere there is a line to edit, or to read
FOLDED = FORM | {"jupyter": {"source_hidden": True}}

_TUTOR = """# @title Stuck? Ask the tutor: type a question, then run this cell.
question = ""  # @param {type: "string"}
tutor(question)"""
_HAND_IN = """# @title Hand in: type your student id, run this cell, and upload the file that it makes.
student_id = ""  # @param {type: "string"}
hand_in(student_id)"""


def progress_source(master: Master) -> str:
    """The source of the cell that tells which questions pass, from the master's questions and visible tests."""
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


def _last_cells(master: Master) -> list[tuple[str, str, dict[str, Any]]]:
    """(id, source, metadata) of a week's last cells."""
    return [
        (TUTOR, _TUTOR, FORM),
        (PROGRESS, progress_source(master), FOLDED),
        (HAND_IN, _HAND_IN, FORM),
    ]


def check_last_cells(master: Master) -> list[str]:
    """The last cells are those that the questions give."""
    wanted = _last_cells(master)
    names = ", ".join(f"`{name}`" for name, *_ in wanted)
    problems = []
    last = master.cells[-len(wanted) :]
    if len(last) < len(wanted):
        return [f"the notebook ends before its last cells, {names}"]
    for (name, source, _), cell in zip(wanted, last, strict=True):
        if cell.cell_id != name or cell.repeated:
            problems.append(f"the last cells are not {names}, tagged `skip-grading`")
        elif cell.source != source:
            problems.append(f"cell {name} no longer agrees with the questions: run `{COMMAND}`")
    return problems


def check_same(course: Course, week: Week) -> list[str]:
    """What all weeks share is the same here as in the first week."""
    first, here = (_cells(_read(course, item)) for item in (course.weeks[0], week))
    problems = []
    for name in SAME:
        if name not in here:
            problems.append(f"there is no cell {name}, which all weeks share")
        elif _text(here[name]) != _text(first[name]):
            problems.append(f"cell {name} differs from {course.weeks[0].name}'s: run `{COMMAND}`")
    return problems


def bring_up_to_date(course: Course) -> list[str]:
    """Write these cells into every source notebook; gives the names of the weeks that changed."""
    shared = _cells(_read(course, course.weeks[0]))
    changed = []
    for week in course.weeks:
        notebook = _read(course, week)
        cells = _cells(notebook)
        for name in SAME:
            cells[name]["source"] = shared[name]["source"]
        last = _last_cells(course.master(week))
        names = {name for name, *_ in last}
        notebook["cells"] = [
            cell for cell in _with_players(course, week, notebook["cells"]) if cell.get("id") not in names
        ]
        notebook["cells"] += [_code(name, source, metadata) for name, source, metadata in last]
        data = json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
        path = course.source(week)
        if path.read_text(encoding="utf-8") != data:
            path.write_text(data, encoding="utf-8")
            changed.append(week.name)
    return changed


def _with_players(course: Course, week: Week, cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """These cells, each section's heading with its text and its player as the script and the manifest give them."""
    root = course.root / "narration"
    entries = read_manifest(root)
    found = []
    for cell in cells:
        if is_player(cell.get("id", ""), _text(cell)):
            continue
        found.append(cell)
        if not (name := cell["metadata"].get("course", {}).get("narration")):
            continue
        script = read_script(root / week.name / f"{name}.md")
        entry = entries.get(f"{week.name}/{name}")
        heading = _text(cell).partition("\n")[0]
        cell["source"] = heading_cell(heading, name, script, entry).splitlines(keepends=True)
        if entry:
            found.append(_code(*player_cell(heading, name, script), FORM))
    return found


def _code(name: str, source: str, metadata: dict[str, Any]) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": name,
        "metadata": {**metadata, "tags": ["skip-grading"]},
        "outputs": [],
        "source": source.splitlines(keepends=True),
    }


def _read(course: Course, week: Week) -> dict[str, Any]:
    """The source notebook as it is in the file: its addresses are not filled in."""
    return json.loads(course.source(week).read_text(encoding="utf-8"))


def _cells(notebook: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {cell.get("id", ""): cell for cell in notebook["cells"]}


def _text(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


if __name__ == "__main__":
    try:
        print("\n".join(bring_up_to_date(open_course(Path.cwd()))) or "Nothing had to be changed.")
    except CourseError as error:
        sys.exit(str(error))
