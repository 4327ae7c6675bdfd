"""Tokens in a week's source notebook, which are filled in from `course.toml`: URLs and a few words.

    {{colab}}      the released notebook on Colab
    {{published}}  the beginning of the URL of a file in the students' repository, before the file's path
    {{files}}      the same, up to the name of one of the week's other files
    {{narration}}  the same, up to the name of a file of the week's narration
    {{week}}       the week's name
    {{deadline}}   when the week is due, in words
    {{drawing_NAME}}  the drawing assets/drawings/NAME.svg itself, as a data: URL
    {{tutor_address}}, {{tutor_model}}   of the assistant that a notebook's `tutor` asks; empty if course.toml has none
    {{hand_in_address}}                  of the server that takes hand-ins; empty if course.toml has none

They are filled in when a master is read, so that the release, the grader and a student's notebook have the same text.
"""

import base64
import json
import re
from collections.abc import Container
from pathlib import Path

import msgspec

from coursekit.engine.shared.errors import CourseError

PLACEHOLDER = "your-name"  # the owner in a new course.toml
ASSETS = "assets"
EXPLORER = "explorer"  # the folder of ASSETS that is published
DRAWING = re.compile(r"\{\{drawing_(\w+)\}\}")
NO_DEADLINE = "the date that your course has set"
TOKEN = re.compile(r"\{\{(\w+)\}\}")


def path_in_course(published: str, weeks: Container[str]) -> str:
    """Return the path in the course folder of a file that the students' repository has.

    >>> path_in_course("explorer/index.html", []), path_in_course("week1/values.csv", ["week1"])
    ('assets/explorer/index.html', 'source/week1/values.csv')

    Args:
        weeks: names of the course's weeks, of which each has a folder there.
    """
    folder = published.partition("/")[0]
    if folder in weeks:
        return f"source/{published}"
    return f"{ASSETS}/{published}" if folder == EXPLORER else published


def drawings(folder: Path) -> dict[str, str]:
    """Return the SVG files of the course's folder of drawings as data: URLs, by token."""
    return {
        f"drawing_{path.stem}": f"data:image/svg+xml;base64,{base64.b64encode(path.read_bytes()).decode()}"
        for path in folder.glob("*.svg")
    }


class Repository(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The students' repository on GitHub, which `course publish` fills and badges link to.

    `branch` may be a tag. `demo` allows the placeholder as the owner; the notebooks' links then lead nowhere.
    """

    owner: str
    name: str
    branch: str = "main"
    demo: bool = False

    def refuse_placeholder(self) -> None:
        """Raise CourseError if course.toml does not yet name the students' repository."""
        if self.owner == PLACEHOLDER and not self.demo:
            raise CourseError(
                f"course.toml: [repository] still has owner = {PLACEHOLDER!r}, so no link in the notebooks would lead "
                "anywhere. Write the owner and the name of the students' repository there. (demo = true allows the "
                "placeholder, to try things out.)"
            )

    def colab(self, week: str, notebook: str) -> str:
        """Return the URL of the released notebook on Colab."""
        path = f"{self.owner}/{self.name}/blob/{self.branch}/{week}/{notebook}.ipynb"
        return f"https://colab.research.google.com/github/{path}"

    def files(self, folder: str = "") -> str:
        """Return the URL of the repository or one of its folders, to which a file's path can be appended."""
        base = f"https://raw.githubusercontent.com/{self.owner}/{self.name}/{self.branch}/"
        return f"{base}{folder}/" if folder else base

    def addresses(self, week: str, notebook: str) -> dict[str, str]:
        """Return a week's URLs, by token."""
        return {
            "colab": self.colab(week, notebook),
            "published": self.files(),
            "files": self.files(week),
            "narration": self.files(f"narration/{week}"),
        }


def fill_in(data: bytes, values: dict[str, str]) -> bytes:
    """Return a source notebook's bytes with these tokens filled in; an invalid notebook is returned as it is.

    >>> fill_in(b'{"cells": [{"source": "# {{week}}, {{colour}}"}]}', {"week": "week1"}).decode()
    '{\\n "cells": [\\n  {\\n   "source": "# week1, {{colour}}"\\n  }\\n ]\\n}\\n'
    """
    if b"{{" not in data:
        return data
    try:
        content = json.loads(data)
        for cell in content["cells"]:
            source = cell.get("source", "")
            text = source if isinstance(source, str) else "".join(source)
            filled = TOKEN.sub(lambda token: values.get(token[1], token[0]), text)
            if filled != text:
                cell["source"] = filled
    except (ValueError, KeyError, TypeError, AttributeError):
        return data
    return json.dumps(content, ensure_ascii=False, indent=1).encode() + b"\n"
