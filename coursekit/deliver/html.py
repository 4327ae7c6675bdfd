"""Pages from templates: every string is escaped, and nothing in it hides, reorders or overwrites what a reader sees."""

from collections.abc import Iterable
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from coursekit.deliver.plain import blank, clean
from coursekit.engine.coordinator.sentences import kind_in_words, sentence


def points(number: float) -> str:
    """A score with at most two decimals and no trailing zeros: 3, 2.5, 0.33."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def count(number: float, noun: str, plural: str = "") -> str:
    """1 test, 2 tests, 1.5 points."""
    return f"{points(number)} {noun}" if number == 1 else f"{points(number)} {plural or noun + 's'}"


def environment(folders: Iterable[Path]) -> Environment:
    """Jinja for the templates in these folders."""
    made = Environment(
        loader=FileSystemLoader(list(folders)),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"points": points, "count": count, "comma": lambda number: f"{number:,}"}
    made.filters |= {"sentence": sentence, "kind_in_words": kind_in_words}
    made.tests["blank"] = blank
    return made


def _finalize(value: object) -> object:
    """Every string on its way into a page passes here; what a macro made (Markup) already has."""
    return clean(value) if type(value) is str else value
