"""What plain nbgrader has to do as well, where this folder's nbgrader_config.py is in force."""

from pathlib import Path

import nbformat
from nbconvert.preprocessors import Preprocessor

from coursekit.course import open_course


class FillIn(Preprocessor):
    """Fills in the addresses when nbgrader makes a release; leaves every other notebook as it is."""

    def preprocess(self, nb, resources):
        week = Path(resources.get("metadata", {}).get("path", ""))
        if week.parent.name == "source":
            course = open_course(week.parent.parent)
            data = course.fill_in(course.week(week.name), nbformat.writes(nb).encode())
            nb = nbformat.reads(data.decode(), as_version=4)
        return nb, resources
