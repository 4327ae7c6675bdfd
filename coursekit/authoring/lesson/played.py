"""What the form of a lesson asks of its notebook's runs: figures with words, tests that say that they passed, stubs."""

import base64
import re

from coursekit.authoring.checks.execution import FIGURE, NotebookRun, errors
from coursekit.authoring.lesson.findings import findings
from coursekit.engine.shared.master import TEST, Master

MIN_FIGURES = 5
# Where a picture is wider than its place in JupyterLab or on Colab, it is shrunk, and its labels with it. 9 points are
# 12.5 pixels.
MAX_PIXELS, MIN_POINTS = 920, 9
# What a figure's title says of where its numbers are from.
ORIGINS = ("untrained", "trained", "random", "by hand", "formula", "measured", "counted", "drawing")


def check_figures(run: NotebookRun) -> list[str]:
    """There are enough, each legible, with words beside it and a title that says where its numbers are from."""
    text = _printed(run)
    figures = [
        (cell, output.data.get(FIGURE, {}), output.data["image/png"])
        for cell, output in run.outputs
        if "image/png" in output.get("data", {})
    ]
    problems = []
    if len(figures) < MIN_FIGURES:
        problems.append(f"the notebook shows {len(figures)} figures; at least {MIN_FIGURES} are wanted")
    for cell, about, picture in figures:
        titles, points = about.get("titles", []), about.get("points")
        if not text.get(cell, "").strip():
            problems.append(f"the figure of cell {cell} has no text next to it: print what it shows")
        if not any(origin in title.lower() for title in titles for origin in ORIGINS):
            problems.append(
                f"no title of the figure of cell {cell} says where its numbers are from ({', '.join(ORIGINS)}): "
                f"{'; '.join(filter(None, titles)) or 'it has none'}"
            )
        if (pixels := _width(picture)) > MAX_PIXELS:
            problems.append(
                f"the figure of cell {cell} is {pixels} pixels wide; more than {MAX_PIXELS} would be shrunk"
            )
        if points is not None and points < MIN_POINTS:
            problems.append(
                f"the smallest text in the figure of cell {cell} is {points:g} points; at least {MIN_POINTS} are wanted"
            )
    return problems


def _width(picture: str) -> int:
    """Pixels, from the header of a PNG in base64."""
    return int.from_bytes(base64.b64decode(picture[:32])[16:20])


def check_tests_say(run: NotebookRun, master: Master) -> list[str]:
    """Each test of the filled notebook prints that it passed."""
    text = _printed(run)
    return [
        f"test {cell.grade_id} does not print that it passed"
        for cell in master.cells
        if cell.role == TEST and f"{cell.grade_id}: passed" not in text.get(cell.cell_id, "")
    ]


def check_stubs_say(run: NotebookRun, master: Master) -> list[str]:
    """What a stub raises in the unfilled notebook names the week and the question."""
    questions = "|".join(question.id for question in master.questions)
    return [
        f"unfilled, cell {cell} raises NotImplementedError: {message[:200]}"
        for cell, name, message in errors(run)
        if name == "NotImplementedError"
        and not re.match(rf"week {master.number}, ({questions}): \S", message)
    ]


def _printed(run: NotebookRun) -> dict[str, str]:
    """{cell: what it printed, and its findings}."""
    text: dict[str, str] = {}
    for cell, output in run.outputs:
        if output.get("name") == "stdout":
            text[cell] = text.get(cell, "") + output.text
    for said in findings(run):
        text[said.cell] = f"{text.get(said.cell, '')}{said.sentence}\n"
    return text
