"""new-week: an entry in course.toml and a notebook. All new cells are made from the notebooks in `templates/`."""

import json
import re
from importlib.resources import files
from pathlib import Path

import nbformat

from coursekit.course.config import Course, Week, open_course
from coursekit.engine.shared.errors import CourseError
from coursekit.files import write_atomically

TEMPLATES = files("coursekit.authoring.new") / "templates"
NAME = re.compile(r"week\d+_[a-z0-9_]+")


def make_week(course: Course, name: str, title: str, minutes: int) -> Path:
    """Write a week for an author to fill in; return the notebook's path.

    Args:
        name: `week<number>_<topic>`, which is the week's name everywhere; the notebook is named for the topic.

    Raises:
        CourseError: the name is not valid, or there is such a week already.
    """
    if not NAME.fullmatch(name):
        raise CourseError(
            f"{name!r} cannot be a week's name: write week, its number, _ and its topic in small letters and digits, "
            "as in week2_spread."
        )
    topic = name.partition("_")[2]
    path = course.source(Week(name=name, notebook=topic, title=title, minutes=minutes))
    if name in [other.name for other in course.weeks] or path.exists():
        raise CourseError(f"There is a week {name} already. Take another name, or edit {path}.")
    notebook = fill_template("week.ipynb", {"WEEK_TITLE": title, "WEEK_MINUTES": str(minutes)})
    entry = {"name": name, "notebook": topic, "title": title, "minutes": minutes}
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items()]
    settings = course.root / "course.toml"
    text = settings.read_text(encoding="utf-8").rstrip("\n")
    write_atomically(path, write_notebook(notebook))
    write_atomically(settings, "\n".join([text, "", "[[weeks]]", *lines, ""]).encode())
    open_course(course.root)  # raises CourseError if course.toml cannot be read now
    return path


def fill_template(name: str, values: dict[str, str]) -> nbformat.NotebookNode:
    """Return a template as a notebook, with each placeholder replaced by its value."""
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    for placeholder, value in values.items():
        text = text.replace(placeholder, json.dumps(value)[1:-1])
    return nbformat.from_dict(json.loads(text))


def write_notebook(notebook: nbformat.NotebookNode) -> bytes:
    """Return a source notebook's bytes."""
    return nbformat.writes(notebook, version=4).encode() + b"\n"
