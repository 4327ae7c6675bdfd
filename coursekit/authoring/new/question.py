"""new-question: the cells of a question, and the files for its answers in the bank."""

import builtins
import json
import keyword
import re
from pathlib import Path

import nbformat

from coursekit.authoring.new import cells
from coursekit.authoring.todo import TODO
from coursekit.course.config import Course, Week
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import SOLUTION_CELL, TEST, WRITTEN, Master, defined_names
from coursekit.files import write_together

ID = re.compile(r"[a-z][a-z0-9_]{0,40}")
TASK = f"""### Question {{number}}. {{title}}

{TODO}: what is to be written: its name, what goes in and what comes out, and what happens in edge cases.
"""
# The form of this course's lessons has a line and three hints; any other course's question one hint.
LESSON = f"""
*{TODO} minutes, difficulty {TODO} of 5, {{points}} points*

<details><summary>Hint 1: the idea</summary>

{TODO}: what to think of first.

</details>
<details><summary>Hint 2: the plan</summary>

{TODO}: the steps, in words.

</details>
<details><summary>Hint 3: almost the answer</summary>

{TODO}: the step where most students get stuck.

</details>"""
HINT = f"""
<details><summary>Hint</summary>

{TODO}: the step where most students get stuck.

</details>"""
SOLUTION = f'''def {{name}}(value):
    """{TODO}: what it returns, given what."""
    ### BEGIN SOLUTION
    raise NotImplementedError("{TODO}: the reference answer")
    ### END SOLUTION
    raise NotImplementedError("question {{number}}: write {{name}}")'''
VISIBLE = f"""# Test: {TODO}, in a few words: an example worked out by hand
assert {{name}}(1) == 1, "{TODO}: another example; what is wrong, the likely reason, and where to look\""""
HIDDEN = f"""# Test: {TODO}, in a few words: what only a right answer gets right
### BEGIN HIDDEN TESTS
assert {{name}}(2) == 2, "{TODO}: what is wrong, without giving the answer away"
### END HIDDEN TESTS"""
RIGHT = f'''"""{{name}}: {TODO}: how this right answer differs from the reference.

Question: {{name}}
"""

def {{name}}(value):
    raise NotImplementedError("{TODO}")
'''
WRONG = f'''"""{{name}}: {TODO}: the mistake that students make.

Question: {{name}}
Fails: {TODO}: which of {{name}}_by_hand, {{name}}_hidden it fails
Tell: {TODO}: the one sentence that a student with this mistake should read.
"""

def {{name}}(value):
    raise NotImplementedError("{TODO}")
'''


def make_question(course: Course, week: Week, name: str, title: str, points: int) -> list[Path]:
    """Write a question after the week's last one, for an author to fill in; gives the files written.

    Half of the points are on a visible test, the rest on a hidden one.

    Args:
        name: of the question, and of the function that it asks for.

    Raises:
        CourseError: the name cannot be one, or is taken; there are too few points for two tests.
    """
    master = course.master(week)
    if not ID.fullmatch(name):
        raise CourseError(
            f"{name!r} cannot be a question's name, since the function that it asks for has the same name: use small "
            "letters, digits and _, as in running_mean. To ask for a class, put it in place of the function."
        )
    if keyword.iskeyword(name) or name in (*dir(builtins), *defined_names(master.setup_source)):
        raise CourseError(
            f"{name!r} cannot be a question's name, since it has another meaning already. Take another name."
        )
    if points < 2:
        raise CourseError("A question needs 2 points at least: one for a visible test, one for a hidden one.")
    taken = {cell.grade_id for cell in master.cells} | {cell.cell_id for cell in master.cells}
    keys = [name, f"{name}_by_hand", f"{name}_hidden", f"{name}_task"]
    if clash := [key for key in keys if key in taken or key.replace("_", "-") in taken]:
        raise CourseError(f"{week.name} has a cell {clash[0]} already. Take another name for the question.")
    words = {"name": name, "number": len(master.questions) + 1, "points": points}
    words["title"] = title or name.replace("_", " ").capitalize()
    visible = (points + 1) // 2
    new = [
        cells.markdown(
            f"{name}_task".replace("_", "-"),
            (TASK + (LESSON if "lesson" in course.checks else HINT)).format(**words),
        ),
        cells.solution(name, SOLUTION.format(**words)),
        cells.test(f"{name}_by_hand", VISIBLE.format(**words), visible),
        cells.test(f"{name}_hidden", HIDDEN.format(**words), points - visible),
    ]
    answers = course.answers(week)
    bank = {
        answers / "right" / f"{name}_other_way.py": RIGHT.format(**words).encode(),
        answers / "wrong" / f"{name}_mistake.py": WRONG.format(**words).encode(),
    }
    if there := [path for path in bank if path.exists()]:
        raise CourseError(f"{there[0]} exists already. Move it away, or take another name for the question.")
    source = course.source(week)
    notebook = nbformat.from_dict(json.loads(source.read_bytes()))
    place = _place(master)
    notebook.cells[place:place] = new
    files = {**bank, source: cells.write(notebook)}
    write_together(files)
    return list(files)


def _place(master: Master) -> int:
    """After the last cell of a question; with none yet, at the end."""
    of_questions = [cell.index for cell in master.cells if cell.role in (SOLUTION_CELL, TEST, WRITTEN)]
    return max(of_questions) + 1 if of_questions else len(master.cells)
