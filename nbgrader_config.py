"""nbgrader's settings, so that `nbgrader ...` and the formgrader work in this folder too.

Start both from this folder: nbgrader reads this file from the working directory.
"""

import logging
import warnings

from coursekit.formgrader import forget_after_each_request, read_times_as_recorded

c = get_config()  # noqa: F821 (nbgrader gives it)

# source/ release/ submitted/ autograded/ feedback/ and gradebook.db lie beside this file: nbgrader's default.
c.CourseDirectory.course_id = "transformer"
# The gradebook on PostgreSQL instead of gradebook.db: docs/gradebook.md. Its password does not belong in this file.
# c.CourseDirectory.db_url = "postgresql+psycopg://course@db.example.org/course"

# A solution region becomes one comment: the line that raises stands after the region in each solution cell.
c.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE"}
c.ClearSolutions.text_stub = "YOUR ANSWER HERE"

# The addresses in a source notebook, as `course release` fills them in.
c.NotebookExporter.preprocessors = ["coursekit.plain_nbgrader.FillIn"]

c.Execute.timeout = (
    60  # seconds a cell on the clock: with imports and training, which `course grade` does not repeat
)

# What a student handed in is shown in a TA's browser, by a server that can run code: nothing active gets there.
c.HTMLExporter.sanitize_html = True
c.HTMLExporter.filters = {
    "markdown2html": "coursekit.safe_html.markdown",
    "clean_html": "coursekit.safe_html.clean",
}
c.HTMLExporter.preprocessors = ["coursekit.safe_html.Safe"]

c.ExchangeFactory.list = "coursekit.formgrader.NoExchange"
forget_after_each_request()
read_times_as_recorded()

c.NbGrader.log_level = logging.WARNING
c.FormgradeExtension.debug = False
# SQLAlchemy 2 warns of a cascade that nbgrader 0.9 does not use; the rows that it writes are complete.
warnings.filterwarnings("ignore", message=r"Object of type <Submitted\w+> not in session")
