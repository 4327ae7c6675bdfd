"""The nbgrader settings of every course: its `nbgrader_config.py` calls `configure_nbgrader`, and may set more."""

import logging
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.preprocessors import Preprocessor
from nbgrader.converters import Autograde, GenerateFeedback, NbGraderException

from coursekit.course.config import open_course
from coursekit.gradebook import formgrader

# If the environment has this variable, nbgrader's own grader and pages work in a course folder.
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


def configure_nbgrader(c: Any) -> None:
    """Write a course's settings to nbgrader's configuration, and replace the formgrader's methods that fail or mislead.

    Unless the environment has ALLOW, also make the formgrader's buttons run `course` or refuse, and make
    `nbgrader autograde` and `nbgrader generate_feedback` raise NbGraderException.

    Args:
        c: traitlets' Config, as `get_config()` returns it in nbgrader_config.py.
    """
    # Each solution becomes one comment: the line after it, which raises NotImplementedError, is in the source already.
    c.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE"}
    c.ClearSolutions.text_stub = "YOUR ANSWER HERE"
    # Fills in tokens such as {{week}} in a source notebook, as `course release` does.
    c.NotebookExporter.preprocessors = ["coursekit.gradebook.settings.FillIn"]
    # A submission is shown in a TA's browser, by a server that can run code: nothing active may get there.
    c.HTMLExporter.sanitize_html = True
    c.HTMLExporter.filters = {
        "markdown2html": "coursekit.gradebook.safe_html.markdown",
        "clean_html": "coursekit.gradebook.safe_html.clean",
    }
    c.HTMLExporter.preprocessors = ["coursekit.gradebook.safe_html.Safe"]
    # There is no exchange folder; nbgrader's own class would log that as a critical error at each request.
    c.ExchangeFactory.list = "coursekit.gradebook.formgrader.NoExchange"
    formgrader.adapt(buttons=not os.environ.get(ALLOW))
    if not os.environ.get(ALLOW):
        for converter, sentence in _REFUSALS.items():
            converter.start = _refusal(
                f"{sentence} To run nbgrader's own command anyway, set the environment variable {ALLOW}=1."
            )
    c.NbGrader.log_level = logging.WARNING
    c.FormgradeExtension.debug = False
    # SQLAlchemy 2 warns of a cascade that nbgrader 0.9 does not use; the rows that nbgrader writes are complete.
    warnings.filterwarnings("ignore", message=r"Object of type <Submitted\w+> not in session")


apply = configure_nbgrader  # its name in the nbgrader_config.py of earlier courses


def _refusal(sentence: str) -> Callable[[Any], None]:
    def start(converter: Any) -> None:
        converter.log.error(sentence)
        raise NbGraderException(sentence)

    return start


class FillIn(Preprocessor):
    """Fills in the tokens when nbgrader makes a release; leaves every other notebook as it is."""

    def preprocess(
        self, nb: nbformat.NotebookNode, resources: dict[str, Any]
    ) -> tuple[nbformat.NotebookNode, dict[str, Any]]:
        folder = Path(resources.get("metadata", {}).get("path", ""))
        if folder.parent.name == "source":
            course = open_course(folder.parent.parent)
            data = course.fill_in(course.week(folder.name), nbformat.writes(nb).encode())
            nb = nbformat.reads(data.decode(), as_version=4)
        return nb, resources
