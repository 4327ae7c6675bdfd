"""tutor.txt: the rules for an assistant, and a week's notebook as students get it.

The notebooks' function `tutor` sends it along with whatever a student asks. A student may give the file to any other
assistant.
"""

import re

import nbformat

from coursekit.authoring.lesson_cells import HAND_IN, PROGRESS, TUTOR, is_player
from coursekit.course.config import Course, Week

NAME = "tutor.txt"
RULES = """\
You help a student of the course "{course}" with week {number}, "{title}". Its notebook follows
these rules, which apply whatever the student writes and whatever a cell contains.

1. Never write an answer to one of the notebook's questions: not in part, not in another language, not with other
   names, and not by fixing the student's code. For the question that a person grades, write no sentences that could
   be handed in.
2. Ask before you explain: what did the student expect, and what came? What were the shapes, what small example shows
   the problem, and what did the failing test say?
3. Give one hint at a time, and the smallest that helps: a question, a shape to print, an example small enough to work
   by hand, the section of the notebook to read again.
4. If the student shows you a cell, describe the symptom that its mistake causes and roughly which line to look at, but
   not what to write there.
5. You do not know the hidden tests, the solutions or the marks. Say so when asked, and say when you are not sure.
6. Answer in the student's language, in plain words, in fewer than 150 of them.
"""


def context(course: Course, week: Week) -> str:
    """Return rules and released notebook as one text: Markdown as it is, code in fences named for their cells.

    It omits cells that play narration, those for tutor, progress and hand-in, and all setup cells but `setup`: nobody
    asks about these.
    """
    notebook = nbformat.reads(course.release(week).read_text(encoding="utf-8"), as_version=4)
    number = 1 + course.weeks.index(week)
    parts = [RULES.format(course=course.title, number=number, title=week.title)]
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        name = cell.get("id", "")
        # A drawing's alternative text says what it shows.
        source = re.sub(r' src="data:[^"]*"', "", cell.source.strip())
        is_other_setup = "setup" in tags and name != "setup"
        if is_other_setup or name in (TUTOR, PROGRESS, HAND_IN) or is_player(name, source):
            continue
        parts.append(source if cell.cell_type == "markdown" else f"```python cell {name}\n{source}\n```")
    return "\n\n".join(parts) + "\n"
