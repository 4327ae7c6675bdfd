"""The notebooks in `templates/`, filled in."""

import json
from importlib.resources import files

import nbformat

TEMPLATES = files("coursekit.authoring.new") / "templates"


def fill_template(name: str, values: dict[str, str]) -> nbformat.NotebookNode:
    """Return a template as a notebook, with each placeholder replaced by its value."""
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    for placeholder, value in values.items():
        text = text.replace(placeholder, json.dumps(value)[1:-1])
    return nbformat.from_dict(json.loads(text))


def write_notebook(notebook: nbformat.NotebookNode) -> bytes:
    """Return a source notebook's bytes."""
    return nbformat.writes(notebook, version=4).encode() + b"\n"
