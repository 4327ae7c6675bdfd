"""The students' README: the weeks with their badges, how to hand in, how marks come about."""

import ast
import sys
from collections.abc import Iterator
from contextlib import suppress

from coursekit.authoring import lesson_cells
from coursekit.authoring.narration.manifest import read_manifest
from coursekit.authoring.readme import badge
from coursekit.course.addresses import ASSETS
from coursekit.course.config import Course, Week
from coursekit.engine.shared.master import Master
from coursekit.engine.shared.syntax import ONE_AT_A_TIME

SUPPLIED = {"IPython", "google"}  # by whatever runs a notebook; by Colab alone
PAGE = """# {title}

{weeks}

## How to begin

Click the badge of a week: the notebook opens on Google Colab, where nothing has to be installed. Choose "Save a copy in
Drive" from Colab's File menu first, because the notebook behind the badge does not keep what you write. Then run the
cells from top to bottom. Where a cell says `raise NotImplementedError`, you write the code, and the test cells below it
say at once what is right and what to look at.{narration}{heard}

You can also work on your own machine: download the week's folder and open its notebook in JupyterLab or VS Code. It
needs Python 3.11 or newer{packages}.
{tutor}
## How to hand in

{hand_in}

## How marks come about

- Each question has points of its own, and each test in it has some of them. The tests that you see say what is wrong.
  Others are hidden; they, too, check that your code does what its docstring says.
- Your notebook is run again from top to bottom, away from your machine. What counts is what your functions return then.
- Questions are graded independently of one another. If a later question uses your answer to an earlier one, it is
  graded with a correct version of that answer, so one mistake does not cost you points twice.
- Written answers are read by a person.
- You get a page that says for each test what came out, and what to look at.
{explorer}{contact}"""

# Of what only some notebooks have.
NARRATION = " Each section begins with its narration, to hear or to read."
TUTOR = """
## When you are stuck

Each question has three hints, which go from the general idea to almost the exact line. `tutor("why is my mask upside
down?")`, in one of the last cells, asks an assistant that knows the notebook and gives hints, not answers: on Colab its
own, elsewhere one that your course has set up. It sees an answer of yours only if you name its cell. If no assistant is
available, `tutor` shows you the notebook's own hints one at a time. You may give a week's `tutor.txt` to any other
assistant: its rules and the notebook are in it.
"""
HAND_IN_CELL = """\
Type your student id into the notebook's last cell and run it. It makes one file, named for the week and for you, and
prints a receipt; on Colab your browser downloads the file. Hand it in, as it is, where your instructor collects them.
It need not be finished, and it need not pass all tests: what is right in it counts. The page with your feedback shows
the receipt again, so that you know which file has arrived. Should the cell not work, download the notebook by hand (on
Colab: File, Download, Download .ipynb) and hand in that."""
HAND_IN = """\
Download the notebook (on Colab: File, Download, Download .ipynb) and hand that file in, as it is, where your instructor
collects them. It need not be finished, and it need not pass all tests: what is right in it counts."""

EXPLORER = """
## Attention, cell by cell

[explorer/index.html](explorer/index.html) is a page in which a small encoder runs: pick a sentence and a head, and
follow the arithmetic of any cell. Download it and open it in a browser; it needs no network.
"""
HEARD = """
The voice is synthetic: {voices}. The audio is in `narration/`."""


def students_page(course: Course, weeks: list[Week]) -> str:
    """README.md of the students' repository, as Markdown."""
    deadlines = any(week.deadline for week in weeks)
    head = ["week", "topic", "about", "points", *(["due"] if deadlines else []), "open"]
    rows = [head, ["---"] * len(head)]
    for week in weeks:
        number = 1 + course.weeks.index(week)
        row = [str(number), f"[{week.title}]({week.name}/{week.notebook}.ipynb)", f"{week.minutes} minutes"]
        row += [f"{course.master(week).points:g}"]
        row += [week.deadline or "is not set yet"] if deadlines else []
        rows.append([*row, badge(course, week)])
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    contact = f"\n## Whom to ask\n\n{course.contact}\n" if course.contact else ""
    explorer = EXPLORER if (course.root / ASSETS / "explorer" / "index.html").is_file() else ""
    names = {week.name for week in weeks}
    entries = read_manifest(course.root / "narration")
    voices = {
        f"{entry.engine} ({entry.licence})"
        for name, entry in entries.items()
        if entry.synthetic and name.partition("/")[0] in names
    }
    heard = HEARD.format(voices=", ".join(sorted(voices))) if voices else ""
    masters = [course.master(week) for week in weeks]
    cells = {cell.cell_id for master in masters for cell in master.cells}
    scripts = [path for name in names for path in (course.root / "narration" / name).glob("*.md")]
    return PAGE.format(
        title=course.title,
        weeks=table,
        narration=NARRATION if scripts else "",
        heard=heard,
        packages=_packages(masters),
        tutor=TUTOR if lesson_cells.TUTOR in cells else "",
        hand_in=HAND_IN_CELL if lesson_cells.HAND_IN in cells else HAND_IN,
        explorer=explorer,
        contact=contact,
    )


def _packages(masters: list[Master]) -> str:
    """ " with torch and numpy": what the setup cells import that is no part of Python, in the order of its use."""
    found: dict[str, None] = {}
    for master in masters:
        with suppress(SyntaxError), ONE_AT_A_TIME:
            found |= dict.fromkeys(_imports(ast.parse(master.setup_source)))
    names = [name for name in found if name not in sys.stdlib_module_names | SUPPLIED]
    return f" with {' and '.join(filter(None, [', '.join(names[:-1]), names[-1]]))}" if names else ""


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]
