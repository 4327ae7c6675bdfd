"""What a course asks of nbgrader. Its `nbgrader_config.py` calls `configure_nbgrader`, and may set more."""

import logging
import os
import warnings
from typing import Any

from coursekit.gradebook.formgrader import (
    buttons_call_ours,
    forget_after_each_request,
    pages_are_made_elsewhere,
    read_times_as_recorded,
)
from coursekit.gradebook.plain_nbgrader import ALLOW, refuse_what_would_overwrite_ours


def configure_nbgrader(c: Any) -> None:
    """Set it on nbgrader's configuration, and put right what the formgrader does wrong here.

    Args:
        c: traitlets' Config, as `get_config()` gives it in nbgrader_config.py.
    """
    # A solution region becomes one comment: the line that raises follows the region in each solution cell.
    c.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE"}
    c.ClearSolutions.text_stub = "YOUR ANSWER HERE"
    # The addresses in a source notebook, as `course release` fills them in.
    c.NotebookExporter.preprocessors = ["coursekit.gradebook.plain_nbgrader.FillIn"]
    # What a student handed in is shown in a TA's browser, by a server that can run code: nothing active gets there.
    c.HTMLExporter.sanitize_html = True
    c.HTMLExporter.filters = {
        "markdown2html": "coursekit.gradebook.safe_html.markdown",
        "clean_html": "coursekit.gradebook.safe_html.clean",
    }
    c.HTMLExporter.preprocessors = ["coursekit.gradebook.safe_html.Safe"]
    c.ExchangeFactory.list = "coursekit.gradebook.formgrader.NoExchange"
    forget_after_each_request()
    read_times_as_recorded()
    pages_are_made_elsewhere()
    if not os.environ.get(ALLOW):
        buttons_call_ours()
        refuse_what_would_overwrite_ours()
    c.NbGrader.log_level = logging.WARNING
    c.FormgradeExtension.debug = False
    # SQLAlchemy 2 warns of a cascade that nbgrader 0.9 does not use; the rows that it writes are complete.
    warnings.filterwarnings("ignore", message=r"Object of type <Submitted\w+> not in session")


apply = configure_nbgrader  # its name in the nbgrader_config.py of earlier courses
