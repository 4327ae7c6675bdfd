"""A week's notebooks in real kernels: filled in, and as students get it, each from top to bottom.

The kernel runs in a folder of its own.
"""

import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
import psutil
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError

from coursekit.authoring.checks.threads import ENVIRONMENT, WATCH
from coursekit.authoring.release import companions, generate
from coursekit.course.config import Course, Week
from coursekit.engine.shared.master import SOLUTION_CELL, TEST, Master

MAX_SECONDS = 60
MAX_CELL_SECONDS = 20
MAX_TRAINING_SECONDS = 30  # of a cell tagged `training`
GO_ON = "raises-exception"  # JupyterLab and nbclient go on after an error in a cell with this tag
# Of an output that is a figure: its `titles`, and the `points` of its smallest text.
FIGURE = "application/x-course-figure+json"
# traitlets replaces the names of classes by the classes when the first client is made: by two threads at once, it tries
# to do so a second time, which fails ("import_item accepts strings").
_MAKING_A_CLIENT = threading.Lock()
# Runs before the notebook: each displayed figure carries along what its picture does not tell.
_LISTEN = f"""
def _listen():
    try:
        from matplotlib.figure import Figure
        from matplotlib.text import Text
    except ImportError:
        return
    def described(figure, include=None, exclude=None):
        places = ("left", "center", "right")
        titles = [title for axes in figure.axes for title in (axes.get_title(place) for place in places)]
        seen = [text for text in figure.findobj(Text) if text.get_text().strip() and text.get_visible()]
        points = min((text.get_fontsize() for text in seen), default=None)
        return {{"{FIGURE}": {{"titles": [figure.get_suptitle(), *titles], "points": points}}}}
    Figure._repr_mimebundle_ = described
_listen()
del _listen
"""
# Runs before the notebook and behind it: says how many CPU seconds a fixed piece of work takes then. Budgets in
# seconds are for a machine at the pace below; one that is slower, or shared just now, is allowed as much more.
PACE = "application/x-course-pace"
PACE_SECONDS = 0.5
_WORK = f"""
def _work():
    import time
    import numpy as np
    from IPython.display import display
    matrix, total, start = np.full((64, 64), 1 / 64), 0, time.process_time()
    for number in range(6000):
        matrix = np.tanh(matrix @ matrix) + 1 / 64
        total += sum(range(number % 500))
    display({{"{PACE}": str(time.process_time() - start)}}, raw=True)
_work()
del _work
"""


@dataclass
class NotebookRun:
    """What came of running a notebook.

    Attributes:
        outputs: (cell id, nbformat output) for each output, in order.
        seconds: {cell id: seconds}. Of each cell the lesser of wall clock and the kernel's CPU seconds: a busy
            machine makes the first long, two threads the second.
        slowness: how many times as long the same work took here as on the machine of the budgets, at least 1.
    """

    outputs: list[tuple[str, nbformat.NotebookNode]] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    slowness: float = 1

    @property
    def figures(self) -> int:
        """How many it shows."""
        return sum("image/png" in output.get("data", {}) for _, output in self.outputs)


@dataclass(frozen=True)
class Runs:
    """Both runs of a week's notebook."""

    filled: NotebookRun
    unfilled: NotebookRun


def execute(
    data: bytes, beside: Iterable[Path] = (), *, python: str = sys.executable, timeout: int = 300
) -> NotebookRun:
    """Run a notebook in an ordinary Jupyter kernel, on through its errors.

    A cell that ends its kernel, or takes too long, is the last to run; its error says so.

    Args:
        data: the notebook.
        beside: files that are put next to it.
        python: interpreter with ipykernel that runs it.
        timeout: seconds of wall clock a cell.
    """
    notebook = nbformat.reads(data.decode(), 4)
    own = len(notebook.cells)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(_LISTEN + WATCH + _WORK, id="listen-for-titles"))
    notebook.cells.append(nbformat.v4.new_code_cell(_WORK, id="at-the-end"))
    run = NotebookRun()
    began: dict[int, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory(prefix="course-run-") as folder:
        for path in beside:
            shutil.copy(path, folder)
        with _MAKING_A_CLIENT:
            client = NotebookClient(
                notebook,
                allow_errors=True,
                kernel_name="python3",
                timeout=timeout,
                resources={"metadata": {"path": folder}},
            )
            manager = client.create_kernel_manager()
        assert manager.kernel_spec is not None
        manager.kernel_spec.argv[0] = python
        # It warns of TCP, which is on this machine alone.
        manager.kernel_spec.argv.append("--IPKernelApp.log_level=ERROR")

        def used() -> tuple[float, float]:
            provisioner: Any = manager.provisioner  # a LocalProvisioner
            times = psutil.Process(provisioner.pid).cpu_times()
            return time.perf_counter(), times.user + times.system

        def start(cell, cell_index):
            began[cell_index] = used()

        def end(cell, cell_index, **_):
            spent = [now - then for now, then in zip(used(), began[cell_index], strict=True)]
            run.seconds[cell.id] = min(spent)

        client.on_cell_execute, client.on_cell_executed = start, end
        # On a busy machine threads that wait for one another by spinning take ten times as long.
        environment = os.environ | ENVIRONMENT | {"OMP_WAIT_POLICY": "PASSIVE"}
        # A kernel that is shut down at an awkward moment prints a traceback.
        with tempfile.TemporaryFile() as said:
            try:
                client.execute(env=environment, stderr=said)
            except (DeadKernelError, CellTimeoutError) as error:
                last = max(began, default=0)
                if (
                    not 1 <= last <= own
                ):  # in a cell of ours: no cell of the notebook has it among its outputs
                    raise
                said.seek(0)
                what = str(error).strip().splitlines()[0]
                if isinstance(error, DeadKernelError):
                    what += f" {said.read()[-2000:].decode(errors='replace').strip()}"
                # In place of the KeyboardInterrupt by which a kernel is shut down.
                notebook.cells[last].outputs = [
                    nbformat.v4.new_output("error", ename=type(error).__name__, evalue=what.strip())
                ]
    for cell in notebook.cells[1 : own + 1]:
        run.outputs += [(cell.id, output) for output in cell.get("outputs", [])]
    paces = []
    for cell in (notebook.cells[0], notebook.cells[-1]):
        run.seconds.pop(cell.id, None)
        paces += [
            float(output.data[PACE]) / PACE_SECONDS
            for output in cell.get("outputs", [])
            if PACE in output.get("data", {})
        ]
    run.slowness = max(1, sum(paces) / len(paces)) if paces else 1
    return run


def errors(run: NotebookRun) -> list[tuple[str, str, str]]:
    """(cell id, exception's name, its message) for each cell that failed."""
    return [
        (cell, output.ename, output.evalue) for cell, output in run.outputs if output.output_type == "error"
    ]


def check_filled(run: NotebookRun, master: Master) -> list[str]:
    """Problems of a run of the filled-in notebook: errors, warnings, time."""
    problems = [f"cell {cell} raises {name}: {text[:200]}" for cell, name, text in errors(run)]
    problems += [
        f"cell {cell} writes on stderr: {output.text[:200]}"
        for cell, output in run.outputs
        if output.get("name") == "stderr"
    ]
    return problems + _check_seconds(run, master)


def _check_seconds(run: NotebookRun, master: Master) -> list[str]:
    problems = []
    here = f" (here, {run.slowness:.2g} times as slow)" if run.slowness > 1 else ""
    total, most = sum(run.seconds.values()), MAX_SECONDS * run.slowness
    if total > most:
        problems.append(f"the filled notebook takes {total:.0f} s; at most {most:.0f} are allowed{here}")
    for cell in master.cells:
        most = (MAX_TRAINING_SECONDS if "training" in cell.tags else MAX_CELL_SECONDS) * run.slowness
        if run.seconds.get(cell.cell_id, 0) > most:
            problems.append(
                f"cell {cell.cell_id} takes {run.seconds[cell.cell_id]:.0f} s; at most {most:.0f} are allowed{here}"
            )
    return problems


def check_unfilled(run: NotebookRun, master: Master) -> list[str]:
    """Problems of a run of the students' notebook: it ends, and nothing fails but what is missing."""
    found = errors(run)
    problems = []
    for key, name, message in found:
        if name not in ("NotImplementedError", "NameError"):
            problems.append(f"unfilled, cell {key} raises {name}: {message[:200]}")
    raising = {key for key, _, _ in found}
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


def run_both(course: Course, week: Week) -> Runs:
    """Side by side: the notebook filled in, with its files beside it, and unfilled, with none, as on Colab."""
    released = generate(course, week)  # not the file: before the first release there is none
    with ThreadPoolExecutor(1) as beside:
        unfilled = beside.submit(execute, released)
        filled = execute(course.notebook(week), companions(course, week))
        return Runs(filled, unfilled.result())


def check_runs(runs: Runs, master: Master) -> list[str]:
    """Problems of both."""
    return check_filled(runs.filled, master) + check_unfilled(runs.unfilled, master)
