"""The table of weeks in the README of the course folder, and the badges, which the students' README has, too."""

import re
from pathlib import Path

from coursekit.course.config import Course, Week
from coursekit.files import write_atomically

BEGIN, END = "<!-- weeks: `course release` writes this table -->", "<!-- end of weeks -->"
TABLE = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
BADGE = "[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]({})"


def badge(course: Course, week: Week) -> str:
    """Return a link to the week on Colab, as Markdown."""
    return BADGE.format(course.repository.colab(week.name, week.notebook))


def stale(course: Course) -> str:
    """Return a sentence if `write` would change the README's table; "" if not, or if there is no table."""
    path = course.root / "README.md"
    if not path.is_file() or _with_table(course, path) == path.read_text(encoding="utf-8"):
        return ""
    return "README.md's table of weeks does not agree with course.toml. Run `course release`."


def write(course: Course) -> None:
    """Write the table in the course folder's README again, if it has one."""
    path = course.root / "README.md"
    if stale(course):
        write_atomically(path, _with_table(course, path).encode())


def _with_table(course: Course, path: Path) -> str:
    rows = [
        f"| {number} | [{week.title}](release/{week.name}/{week.notebook}.ipynb) | {badge(course, week)} |"
        for number, week in enumerate(course.weeks, 1)
    ]
    table = "\n".join([BEGIN, "", "| week | topic | Colab |", "| --- | --- | --- |", *rows, "", END])
    return TABLE.sub(lambda _: table, path.read_text(encoding="utf-8"))
