"""What nbgrader's own commands do differently in a course folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.preprocessors import Preprocessor
from nbgrader.converters import Autograde, GenerateFeedback, NbGraderException

from coursekit.course.config import open_course

# Set in the environment, this lets nbgrader's own grader and pages work in a course folder.
ALLOW = "PLAIN_NBGRADER"
_REFUSALS = {
    Autograde: (
        "`nbgrader autograde` would run students' code without a sandbox, replace the results of `course grade` and "
        "take marks back. Run `course grade` instead."
    ),
    GenerateFeedback: (
        "`nbgrader generate_feedback` would replace the students' pages with some that show hidden tests. "
        "Run `course feedback` instead."
    ),
}


def refuse_what_would_overwrite_ours() -> None:
    """Let `nbgrader autograde` and `nbgrader generate_feedback` end with a sentence before they touch anything."""
    for converter, sentence in _REFUSALS.items():
        converter.start = _refusal(
            f"{sentence} To run nbgrader's own command anyway, set the environment variable {ALLOW}=1."
        )


def _refusal(sentence: str) -> Callable[[Any], None]:
    def start(converter: Any) -> None:
        converter.log.error(sentence)
        raise NbGraderException(sentence)

    return start


class FillIn(Preprocessor):
    """Fills in the addresses when nbgrader makes a release; leaves every other notebook as it is."""

    def preprocess(
        self, nb: nbformat.NotebookNode, resources: dict[str, Any]
    ) -> tuple[nbformat.NotebookNode, dict[str, Any]]:
        week = Path(resources.get("metadata", {}).get("path", ""))
        if week.parent.name == "source":
            course = open_course(week.parent.parent)
            data = course.fill_in(course.week(week.name), nbformat.writes(nb).encode())
            nb = nbformat.reads(data.decode(), as_version=4)
        return nb, resources
