"""A week's notebooks in real kernels: filled in, and as students get it, each from top to bottom.

The kernel runs in a folder of its own.
"""

import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import psutil
from nbclient import NotebookClient

from coursekit.course import Course, Week
from coursekit.master import SOLUTION_CELL, TEST, Master
from coursekit.release import companions, generate

MAX_SECONDS = 60
MAX_CELL_SECONDS = 20
MAX_TRAINING_SECONDS = 30  # of a cell tagged `training`
MIN_FIGURES = 5
GO_ON = "raises-exception"  # JupyterLab and nbclient go on after an error in a cell with this tag
# What a figure's title says of where its numbers are from.
ORIGINS = ("untrained", "trained", "random", "by hand", "formula", "measured", "counted", "drawing")
_TITLES = "application/x-course-titles"
# Runs before the notebook: each displayed figure carries the titles of its axes along, for us.
_LISTEN = f"""
import matplotlib.figure as _figure
def _titles(figure, include=None, exclude=None):
    titles = [title for axes in figure.axes for title in (axes.get_title(loc) for loc in ("left", "center", "right"))]
    return {{"{_TITLES}": [figure.get_suptitle(), *titles]}}
_figure.Figure._repr_mimebundle_ = _titles
del _figure, _titles
"""


@dataclass
class Run:
    """What came of running a notebook.

    Attributes:
        outputs: (cell id, nbformat output) for each output, in order.
        seconds: {cell id: seconds}. Of each cell the lesser of wall clock and the kernel's CPU seconds: a busy
            machine makes the first long, two threads the second.
    """

    outputs: list[tuple[str, nbformat.NotebookNode]] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)


def execute(
    data: bytes, beside: Iterable[Path] = (), *, python: str = sys.executable, timeout: int = 300
) -> Run:
    """Run a notebook in an ordinary Jupyter kernel, on through its errors.

    Args:
        data: the notebook.
        beside: files that lie beside it.
        python: interpreter with ipykernel that runs it.
        timeout: seconds of wall clock a cell.
    """
    notebook = nbformat.reads(data.decode(), 4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(_LISTEN, id="listen-for-titles"))
    run = Run()
    began: dict[int, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory(prefix="course-run-") as folder:
        for path in beside:
            shutil.copy(path, folder)
        client = NotebookClient(
            notebook,
            allow_errors=True,
            kernel_name="python3",
            timeout=timeout,
            resources={"metadata": {"path": folder}},
        )
        manager = client.create_kernel_manager()
        manager.kernel_spec.argv[0] = python

        def used() -> tuple[float, float]:
            times = psutil.Process(manager.provisioner.pid).cpu_times()
            return time.perf_counter(), times.user + times.system

        def start(cell, cell_index):
            began[cell_index] = used()

        def end(cell, cell_index, **_):
            spent = [now - then for now, then in zip(used(), began[cell_index], strict=True)]
            run.seconds[cell.id] = min(spent)

        client.on_cell_execute, client.on_cell_executed = start, end
        # On a busy machine threads that wait for one another by spinning take ten times as long.
        client.execute(env=os.environ | {"OMP_WAIT_POLICY": "PASSIVE"})
    for cell in notebook.cells[1:]:
        run.outputs += [(cell.id, output) for output in cell.get("outputs", [])]
    return run


def errors(run: Run) -> list[tuple[str, str, str]]:
    """(cell id, exception's name, its message) for each cell that failed."""
    return [
        (cell, output.ename, output.evalue) for cell, output in run.outputs if output.output_type == "error"
    ]


def check_filled(run: Run, master: Master) -> list[str]:
    """Problems of a run of the filled-in notebook: errors, warnings, figures without words, time."""
    problems = [f"cell {cell} raises {name}: {text[:200]}" for cell, name, text in errors(run)]
    text: dict[str, str] = {}
    figures: list[tuple[str, list[str]]] = []
    for cell, output in run.outputs:
        if output.get("name") == "stderr":
            problems.append(f"cell {cell} writes on stderr: {output.text[:200]}")
        elif output.get("name") == "stdout":
            text[cell] = text.get(cell, "") + output.text
        if "image/png" in output.get("data", {}):
            figures.append((cell, output.data.get(_TITLES, [])))
    if len(figures) < MIN_FIGURES:
        problems.append(f"the notebook shows {len(figures)} figures; at least {MIN_FIGURES} are wanted")
    for cell, titles in figures:
        if not text.get(cell, "").strip():
            problems.append(f"the figure of cell {cell} has no words beside it: print what it shows")
        if not any(origin in title.lower() for title in titles for origin in ORIGINS):
            problems.append(
                f"no title of the figure of cell {cell} says where its numbers are from ({', '.join(ORIGINS)}): "
                f"{'; '.join(filter(None, titles)) or 'it has none'}"
            )
    ids = {cell.grade_id: cell.cell_id for cell in master.cells if cell.role == TEST}
    problems += [
        f"test {test} does not print that it passed"
        for test, cell in ids.items()
        if f"{test}: passed" not in text.get(cell, "")
    ]
    return problems + _check_seconds(run, master)


def _check_seconds(run: Run, master: Master) -> list[str]:
    problems = []
    total = sum(run.seconds.values())
    if total > MAX_SECONDS:
        problems.append(f"the filled notebook takes {total:.0f} s; at most {MAX_SECONDS} are allowed")
    for cell in master.cells:
        most = MAX_TRAINING_SECONDS if "training" in cell.tags else MAX_CELL_SECONDS
        if run.seconds.get(cell.cell_id, 0) > most:
            problems.append(
                f"cell {cell.cell_id} takes {run.seconds[cell.cell_id]:.0f} s; at most {most} are allowed"
            )
    return problems


def check_unfilled(run: Run, master: Master) -> list[str]:
    """Problems of a run of the students' notebook: it ends, and nothing fails but what is missing."""
    found = errors(run)
    problems = []
    questions = "|".join(question.id for question in master.questions)
    for cell, name, message in found:
        if name == "NotImplementedError":
            if not re.match(rf"week {master.number}, ({questions}): \S", message):
                problems.append(f"unfilled, cell {cell} raises NotImplementedError: {message[:200]}")
        elif name != "NameError":
            problems.append(f"unfilled, cell {cell} raises {name}: {message[:200]}")
    raising = {cell for cell, _, _ in found}
    for cell in master.cells:
        may = cell.cell_id in raising or cell.role in (SOLUTION_CELL, TEST)
        if may and GO_ON not in cell.tags:
            problems.append(
                f"cell {cell.cell_id} may raise and lacks the tag {GO_ON}: Run All would end there, and the last cell "
                "never be seen"
            )
    if not found:
        problems.append("unfilled, nothing fails: are there solutions in the release?")
    return problems


def check_runs(course: Course, week: Week, master: Master) -> tuple[list[str], dict[str, float]]:
    """Both runs. Gives problems, and the counts `figures` and `seconds`.

    Filled in, the notebook has its files beside it; unfilled, it has none, as on Colab.
    """
    filled = execute(course.notebook(week), companions(course, week))
    unfilled = execute(generate(course, week))  # not the file: before the first release there is none
    figures = sum("image/png" in output.get("data", {}) for _, output in filled.outputs)
    counts = {"figures": figures, "seconds": sum(filled.seconds.values())}
    return check_filled(filled, master) + check_unfilled(unfilled, master), counts
