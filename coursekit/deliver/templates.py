"""HTML from templates: every string is escaped, and nothing in it hides, reorders or overwrites what a reader sees."""

import base64
import hashlib
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from coursekit.deliver.text import is_blank, make_visible, shorten
from coursekit.engine.coordinator.sentences import kind_in_words, sentence
from coursekit.engine.shared.errors import CourseError
from coursekit.files import write_atomically

_HERE = Path(__file__).parent


def points(number: float) -> str:
    """Return a score with at most two decimals and no trailing zeros: 3, 2.5, 0.33."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def count(number: float, noun: str, plural: str = "") -> str:
    """Return a number with its noun: 1 test, 2 tests, 1.5 points."""
    return f"{points(number)} {noun}" if number == 1 else f"{points(number)} {plural or noun + 's'}"


class Templates:
    """The Jinja templates in some folders of `deliver`, and the file of the only script that their pages may run.

    Args:
        folders: the last one has page.css; each of the others has a stylesheet named after it.
        shared: variables of all templates; base.html needs `skip_link_to`, the name of what its first link leads to.
    """

    def __init__(self, *folders: str, script: str = "", **shared: Any) -> None:
        text = (_HERE / script).read_text(encoding="utf-8") if script else ""
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        self.script_source = f"'sha256-{digest}'" if script else "'none'"
        self._environment = Environment(
            loader=FileSystemLoader([_HERE, *(_HERE / folder for folder in folders)]),
            autoescape=True,
            undefined=StrictUndefined,
            finalize=_finalize,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        filters = {"points": points, "count": count, "comma": lambda number: f"{number:,}"}
        self._environment.filters |= filters | {"sentence": sentence, "kind_in_words": kind_in_words}
        self._environment.tests["blank"] = is_blank
        self._environment.globals |= shared | {
            "styles": ["page.css", *(f"{folder}.css" for folder in folders[-2::-1])],
            "script": text,
            "script_source": self.script_source,
            "shorten": shorten,
        }

    def render(self, template: str, **values: Any) -> str:
        """Return the page, or the part of one, that a template makes from these values."""
        return self._environment.get_template(template).render(values)


def _finalize(value: object) -> object:
    """Return a string made visible, and any other value as it is: a macro returns Markup, which is visible already."""
    return make_visible(value) if type(value) is str else value


def write_page(path: Path, text: str) -> Path:
    """Write a page whole or not at all, and return its path.

    Raises:
        CourseError: it cannot be written.
    """
    try:
        write_atomically(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise CourseError(f"{path} cannot be written ({error.strerror}).") from error
    return path
