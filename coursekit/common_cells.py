"""Cells that no author writes twice: the same in every week, or made from the week's questions.

The first week's notebook has those that all weeks share, `setup` and `tools`. The last two cells of a week tell which
questions pass their visible tests, and make the file that is handed in. After a change of any of this,

    python -m coursekit.common_cells

in the course folder brings all source notebooks up to date.
"""

import json
from pathlib import Path
from typing import Any

from coursekit.course import Course, Week, open_course
from coursekit.master import TEST, Master

SAME = ("setup", "tools")
PROGRESS, HAND_IN = "progress", "hand-in"
FOLDED = {"cellView": "form", "jupyter": {"source_hidden": True}}

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


def check_last_cells(master: Master) -> list[str]:
    """The last two cells are those that the questions give."""
    wanted = [(PROGRESS, progress_source(master)), (HAND_IN, _HAND_IN)]
    problems = []
    last = master.cells[-2:]
    if len(last) < len(wanted):
        return [f"the notebook ends before its last cells, `{PROGRESS}` and `{HAND_IN}`"]
    for (name, source), cell in zip(wanted, last, strict=True):
        if cell.cell_id != name or "skip-grading" not in cell.tags:
            problems.append(f"the last cells are not `{PROGRESS}` and `{HAND_IN}`, tagged `skip-grading`")
        elif cell.source != source:
            problems.append(
                f"cell {name} is not what the questions give now: run `python -m coursekit.common_cells`"
            )
    return problems


def check_same(course: Course, week: Week) -> list[str]:
    """What all weeks share is the same here as in the first week."""
    first, here = (_cells(_read(course, item)) for item in (course.weeks[0], week))
    problems = []
    for name in SAME:
        if name not in here:
            problems.append(f"there is no cell {name}, which all weeks share")
        elif _text(here[name]) != _text(first[name]):
            problems.append(
                f"cell {name} is not that of {course.weeks[0].name}: run `python -m coursekit.common_cells`"
            )
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
        for name, source, more in (
            (PROGRESS, progress_source(course.master(week)), FOLDED),
            (
                HAND_IN,
                _HAND_IN,
                {"cellView": "form"},
            ),  # elsewhere than on Colab there is a line to edit in it
        ):
            if name not in cells:
                new = {
                    "cell_type": "code",
                    "execution_count": None,
                    "id": name,
                    "metadata": {},
                    "outputs": [],
                }
                notebook["cells"].append(new)
                cells[name] = new
            cells[name]["metadata"] = {**more, "tags": ["skip-grading"]}
            cells[name]["source"] = source.splitlines(keepends=True)
        data = json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
        path = course.source(week)
        if path.read_text(encoding="utf-8") != data:
            path.write_text(data, encoding="utf-8")
            changed.append(week.name)
    return changed


def _read(course: Course, week: Week) -> dict[str, Any]:
    """The source notebook as it lies there: its addresses are not filled in."""
    return json.loads(course.source(week).read_text(encoding="utf-8"))


def _cells(notebook: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {cell.get("id", ""): cell for cell in notebook["cells"]}


def _text(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


if __name__ == "__main__":
    print("\n".join(bring_up_to_date(open_course(Path.cwd()))) or "Nothing had to be changed.")
