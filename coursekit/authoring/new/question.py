"""new-question: the cells of a question, and the files for its answers in the bank."""

import builtins
import json
import keyword
import re
from pathlib import Path

import nbformat

from coursekit.authoring.new.week import fill_template, write_notebook
from coursekit.authoring.release import TODO
from coursekit.course.config import Course, Week
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import GIVEN, Master, defined_names
from coursekit.files import write_together

NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")
RIGHT = f'''"""{{name}}: {TODO}: how this right answer differs from the reference.

Question: {{name}}
"""

def {{name}}(value):
    raise NotImplementedError("{TODO}")
'''
WRONG = f'''"""{{name}}: {TODO}: the mistake that students make.

Question: {{name}}
Mistakes: {TODO}: slip or concept, for each thing that is wrong
Deserves: {TODO}: which share of the points is fair, such as 60 %
Fails: {TODO}: which of {{name}}_by_hand, {{name}}_hidden it fails
Tell: {TODO}: the one sentence that a student with this mistake should read.
"""

def {{name}}(value):
    raise NotImplementedError("{TODO}")
'''


def make_question(course: Course, week: Week, name: str, title: str, points: int) -> list[Path]:
    """Write a question after the week's last one, for an author to fill in; return the files written.

    Half of the points are on a visible test, the rest on a hidden one.

    Args:
        name: of the question, and of the function that it asks for.

    Raises:
        CourseError: the name is not valid or is taken; there are too few points for two tests.
    """
    master = course.master(week)
    _check_name(name, master)
    if points < 2:
        raise CourseError("A question needs 2 points at least: one for a visible test, one for a hidden one.")
    key = name.replace("_", "-")
    cells = fill_template(
        "question.ipynb",
        {
            "question_name": name,
            "question-name": key,
            "QUESTION_NUMBER": str(len(master.questions) + 1),
            "QUESTION_TITLE": title or name.replace("_", " ").capitalize(),
            "QUESTION_POINTS": str(points),
        },
    ).cells
    # A lesson's question has three hints, and a line with its minutes and difficulty; any other question has one hint.
    plain, lesson, _, visible, hidden = cells
    cells.remove(plain if "lesson" in course.checks else lesson)
    cells[0].id = f"{key}-task"
    visible.metadata.nbgrader.points = (points + 1) // 2
    hidden.metadata.nbgrader.points = points // 2
    taken = {cell.grade_id for cell in master.cells} | {cell.cell_id for cell in master.cells}
    if clash := [cell.id for cell in cells if taken & {cell.id, cell.id.replace("-", "_")}]:
        shortest = min(clash, key=len)  # among ids of the question's cells, this is its name
        raise CourseError(f"{week.name} has a cell {shortest} already. Take another name for the question.")
    files = {
        course.answers(week) / "right" / f"{name}_other_way.py": RIGHT.format(name=name).encode(),
        course.answers(week) / "wrong" / f"{name}_mistake.py": WRONG.format(name=name).encode(),
    }
    if existing := [path for path in files if path.exists()]:
        raise CourseError(
            f"{existing[0]} exists already. Move it away, or take another name for the question."
        )
    source = course.source(week)
    notebook = nbformat.from_dict(json.loads(source.read_bytes()))
    index = max((cell.index + 1 for cell in master.cells if cell.role != GIVEN), default=len(master.cells))
    notebook.cells[index:index] = cells
    files[source] = write_notebook(notebook)
    write_together(files)
    return list(files)


def _check_name(name: str, master: Master) -> None:
    """Raise CourseError if the function that the question asks for cannot have this name."""
    if not NAME.fullmatch(name):
        raise CourseError(
            f"{name!r} cannot be a question's name, since the function that it asks for has the same name: use small "
            "letters, digits and _, as in running_mean. To ask for a class, put it in place of the function."
        )
    if keyword.iskeyword(name) or name in (*dir(builtins), *defined_names(master.setup_source)):
        raise CourseError(
            f"{name!r} cannot be a question's name, since it has another meaning already. Take another name."
        )
