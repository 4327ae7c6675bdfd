"""Checks of a lesson's runs: figures with words, tests that say that they passed, stubs that name their question."""

import base64
import re
from collections.abc import Iterator

from coursekit.authoring.checks.execution import NotebookRun, errors
from coursekit.authoring.checks.in_kernel import FIGURE
from coursekit.authoring.lesson.findings import FINDING, printed
from coursekit.engine.shared.master import TEST, Master

MIN_FIGURES = 5
# JupyterLab and Colab shrink a picture that is wider than the page, and its labels with it. 9 points are 12.5 pixels.
MAX_PIXELS, MIN_POINTS = 920, 9
# Words for where a figure's numbers are from, one of which its title must have.
ORIGINS = ("untrained", "trained", "random", "by hand", "formula", "measured", "counted", "drawing")


def check_figures(run: NotebookRun) -> Iterator[str]:
    """Yield a sentence if there are too few figures, and for each that is illegible or lacks text or an origin."""
    cells_with_text = {
        cell
        for cell, output in run.outputs
        if FINDING in output.get("data", {}) or (output.get("name") == "stdout" and output.text.strip())
    }
    figures = [
        (cell, output.data.get(FIGURE, {}), output.data["image/png"])
        for cell, output in run.outputs
        if "image/png" in output.get("data", {})
    ]
    if len(figures) < MIN_FIGURES:
        yield f"the notebook shows {len(figures)} figures; at least {MIN_FIGURES} are wanted"
    for cell, description, picture in figures:
        titles, points = description.get("titles", []), description.get("points")
        if cell not in cells_with_text:
            yield f"the figure of cell {cell} has no text next to it: print what it shows"
        if not any(origin in title.lower() for title in titles for origin in ORIGINS):
            yield (
                f"no title of the figure of cell {cell} says where its numbers are from ({', '.join(ORIGINS)}): "
                f"{'; '.join(filter(None, titles)) or 'it has none'}"
            )
        if (pixels := _width(picture)) > MAX_PIXELS:
            yield f"the figure of cell {cell} is {pixels} pixels wide; more than {MAX_PIXELS} would be shrunk"
        if points is not None and points < MIN_POINTS:
            yield (
                f"the smallest text in the figure of cell {cell} is {points:g} points; at least {MIN_POINTS} are wanted"
            )


def _width(picture: str) -> int:
    """Return the width in pixels from the header of a PNG in base64."""
    return int.from_bytes(base64.b64decode(picture[:32])[16:20])


def check_tests_say(run: NotebookRun, master: Master) -> list[str]:
    """Return a sentence for each test of the filled notebook that does not print that it passed."""
    return [
        f"test {cell.grade_id} does not print that it passed"
        for cell in master.cells
        if cell.role == TEST and f"{cell.grade_id}: passed" not in printed(run, cell.cell_id)
    ]


def check_stubs_say(run: NotebookRun, master: Master) -> list[str]:
    """Return a sentence for each stub's error in the unfilled notebook that does not name the week and a question."""
    questions = "|".join(question.id for question in master.questions)
    return [
        f"unfilled, cell {cell} raises NotImplementedError: {message[:200]}"
        for cell, name, message in errors(run)
        if name == "NotImplementedError"
        and not re.match(rf"week {master.number}, ({questions}): \S", message)
    ]
