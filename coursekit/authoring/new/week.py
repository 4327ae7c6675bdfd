"""new-week: an entry in course.toml, and a notebook with a first cell and a setup cell."""

import json
import re
from pathlib import Path

import nbformat

from coursekit.authoring.new import cells
from coursekit.authoring.todo import TODO
from coursekit.course.config import Course, Week, open_course
from coursekit.engine.shared.errors import CourseError
from coursekit.files import write_atomically

NAME = re.compile(r"week\d+_[a-z0-9_]+")
TITLE = f"""# {{title}}

**About {{minutes}} minutes**

{TODO}: what students will build here, in two or three sentences, and what they need to know first.

Run the cells from the top. Replace each `raise NotImplementedError` line with your own code; the tests below it tell
you what is still wrong. Tests that show no code are hidden: they run after you have handed in. When you have finished,
hand in this file."""
SETUP = f"""# Run this first.
# {TODO}: what this week's code and tests import. Tests may use whatever is defined here."""


def make_week(course: Course, name: str, title: str, minutes: int) -> Path:
    """Write a week for an author to fill in; gives the notebook's path.

    Args:
        name: `week<number>_<topic>`, which is the week's name everywhere; the notebook is named for the topic.

    Raises:
        CourseError: the name cannot be a week's, or there is such a week already.
    """
    if not NAME.fullmatch(name):
        raise CourseError(
            f"{name!r} cannot be a week's name: write week, its number, _ and its topic in small letters and digits, "
            "as in week2_spread."
        )
    topic = name.partition("_")[2]
    week = Week(name=name, notebook=topic, title=title, minutes=minutes)
    path = course.source(week)
    if name in [other.name for other in course.weeks] or path.exists():
        raise CourseError(f"There is a week {name} already. Take another name, or edit {path}.")
    notebook = nbformat.v4.new_notebook(
        cells=[
            cells.markdown("title", TITLE.format(title=title, minutes=minutes)),
            cells.code("setup", SETUP, "setup"),
        ],
        metadata={
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
    )
    settings = course.root / "course.toml"
    text = settings.read_text(encoding="utf-8").rstrip("\n")
    entry = {"name": name, "notebook": topic, "title": title}
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items()]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, cells.write(notebook))
    write_atomically(
        settings, "\n".join([text, "", "[[weeks]]", *lines, f"minutes = {minutes}", ""]).encode()
    )
    open_course(course.root)  # it must still be one
    return path
