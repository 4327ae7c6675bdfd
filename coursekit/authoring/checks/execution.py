"""Run a week's notebook in real kernels from top to bottom, once filled in and once as students get it.

Each kernel runs in a temporary folder of its own.
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
from typing import Any, NamedTuple

import nbformat
import psutil
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError

from coursekit.authoring.checks import in_kernel
from coursekit.authoring.checks.addresses import served
from coursekit.authoring.release import generate
from coursekit.course.config import Course, Week
from coursekit.engine.shared.data_files import DataFile
from coursekit.engine.shared.file_names import importable_modules
from coursekit.engine.shared.master import SOLUTION_CELL, TEST, Master

MAX_SECONDS = 60
MAX_CELL_SECONDS = 20
MAX_TRAINING_SECONDS = 30  # of a cell tagged `training`
GO_ON = "raises-exception"  # JupyterLab and nbclient go on after an error in a cell with this tag
# While the first client is made, traitlets replaces the names of classes by the classes. With two threads at once it
# would replace them twice, and the second time fails ("import_item accepts strings").
_MAKING_A_CLIENT = threading.Lock()
# More than one thread for torch even on one core, so that `check_threads` finds a notebook that sets no number.
THREADS = {"OMP_NUM_THREADS": "2", "MKL_NUM_THREADS": "2"}
# CPU seconds of `in_kernel.measure_pace` on the machine for which the limits are; a slower or busy one is allowed more.
PACE_SECONDS = 0.5
# BEFORE and AFTER are cells that run before and after the notebook's, and leave no name in it.
SOURCE = Path(in_kernel.__file__).read_text(encoding="utf-8")
BEFORE = f"""\
import sys, types
sys.modules["course_in_kernel"] = types.ModuleType("course_in_kernel")
exec({SOURCE!r}, vars(sys.modules["course_in_kernel"]))
sys.modules["course_in_kernel"].watch_cells_and_measure_pace()
del sys, types"""
AFTER = '__import__("course_in_kernel").measure_pace()'


@dataclass
class NotebookRun:
    """The outputs and times of a notebook's run."""

    # (cell id, output), in order
    outputs: list[tuple[str, nbformat.NotebookNode]] = field(default_factory=list)
    # {cell id: the lesser of wall clock and the kernel's CPU seconds}: a busy machine lengthens the first, two threads
    # the second.
    seconds: dict[str, float] = field(default_factory=dict)
    # How many times as long as PACE_SECONDS a fixed piece of work took here, at least 1.
    slowness: float = 1

    @property
    def figures(self) -> int:
        """The number of figures that it shows."""
        return sum("image/png" in output.get("data", {}) for _, output in self.outputs)


class Runs(NamedTuple):
    """Both runs of a week's notebook."""

    filled: NotebookRun
    unfilled: NotebookRun


def execute(
    data: bytes, beside: Iterable[DataFile] = (), *, python: str = sys.executable, timeout: int = 300
) -> NotebookRun:
    """Run a notebook in an ordinary Jupyter kernel, going on after errors; return its outputs and times.

    A cell that ends its kernel, or takes too long, is the last to run; its error says so.

    Args:
        data: the notebook.
        beside: files that are copied next to it.
        python: an interpreter that has ipykernel, to run it.
        timeout: seconds of wall clock that a cell may take.
    """
    notebook = nbformat.reads(data.decode(), 4)
    first, last = (
        nbformat.v4.new_code_cell(source, id=f"course-{len(source)}") for source in (BEFORE, AFTER)
    )
    cells = notebook.cells
    notebook.cells = [first, *cells, last]
    run = NotebookRun()
    began: list[tuple[str, float, float]] = []  # (cell id, wall clock, CPU seconds) when a cell began
    with (
        tempfile.TemporaryDirectory(prefix="course-run-") as folder,
        tempfile.TemporaryDirectory(prefix="course-") as sockets,
        tempfile.TemporaryFile() as stderr,
    ):
        for file in beside:
            place = Path(folder, file.name)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file.path, place)
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
        # Files, and no ports: another program may take a free port before the kernel does, which then dies.
        manager.transport, manager.connection_file = "ipc", str(Path(sockets, "kernel.json"))

        def clocks() -> tuple[float, float]:
            provisioner: Any = manager.provisioner  # a LocalProvisioner
            times = psutil.Process(provisioner.pid).cpu_times()
            return time.perf_counter(), times.user + times.system

        def start(cell, cell_index):
            began.append((cell.id, *clocks()))

        def end(cell, cell_index, **_):
            run.seconds[cell.id] = min(now - then for now, then in zip(clocks(), began[-1][1:], strict=True))

        client.on_cell_execute, client.on_cell_executed = start, end
        # On a busy machine threads that wait for one another by spinning take ten times as long.
        environment = os.environ | THREADS | {"OMP_WAIT_POLICY": "PASSIVE"}
        try:
            # Its stderr goes to a file, since a kernel that is shut down at an awkward moment prints a traceback.
            client.execute(env=environment, stderr=stderr)
        except (DeadKernelError, CellTimeoutError) as error:
            stopped = [cell for cell in cells if began and cell.id == began[-1][0]]
            if not stopped:  # in `first` or `last`: no cell of the notebook can have the error as its output
                raise
            message = str(error).strip().splitlines()[0]
            if isinstance(error, DeadKernelError):
                stderr.seek(0)
                message += f" {stderr.read()[-2000:].decode(errors='replace').strip()}"
            # In place of what the cell printed, and of the KeyboardInterrupt by which a kernel is shut down.
            stopped[0].outputs = [
                nbformat.v4.new_output("error", ename=type(error).__name__, evalue=message.strip())
            ]
    run.outputs = [(cell.id, output) for cell in cells for output in cell.get("outputs", [])]
    for cell in (first, last):
        run.seconds.pop(cell.id, None)
    paces = [
        float(output.data[in_kernel.PACE]) / PACE_SECONDS
        for cell in (first, last)
        for output in cell.outputs
        if in_kernel.PACE in output.get("data", {})
    ]
    run.slowness = max(1, sum(paces) / len(paces)) if paces else 1
    return run


def errors(run: NotebookRun) -> list[tuple[str, str, str]]:
    """Return (cell id, exception's name, its message) for each error among the outputs."""
    return [
        (cell, output.ename, output.evalue) for cell, output in run.outputs if output.output_type == "error"
    ]


def check_filled(run: NotebookRun, master: Master) -> list[str]:
    """Return the problems of a run of the filled-in notebook: errors, text on stderr, time."""
    problems = [f"cell {cell} raises {name}: {text[:200]}" for cell, name, text in errors(run)]
    problems += [
        f"cell {cell} writes on stderr: {output.text[:200]}"
        for cell, output in run.outputs
        if output.get("name") == "stderr"
    ]
    slowness_note = f" (here, {run.slowness:.2g} times as slow)" if run.slowness > 1 else ""
    limited = [("the filled notebook", sum(run.seconds.values()), MAX_SECONDS)]
    for cell in master.cells:
        allowed = MAX_TRAINING_SECONDS if "training" in cell.tags else MAX_CELL_SECONDS
        limited.append((f"cell {cell.cell_id}", run.seconds.get(cell.cell_id, 0), allowed))
    return problems + [
        f"{name} takes {seconds:.0f} s; at most {allowed * run.slowness:.0f} are allowed{slowness_note}"
        for name, seconds, allowed in limited
        if seconds > allowed * run.slowness
    ]


def check_unfilled(run: NotebookRun, master: Master) -> list[str]:
    """Return the problems of a run of the students' notebook: it must reach its end, and only missing answers raise."""
    failed = errors(run)
    raising = {key for key, _, _ in failed}
    problems = [
        f"unfilled, cell {key} raises {name}: {message[:200]}{_advice(name, message, master)}"
        for key, name, message in failed
        if name not in ("NotImplementedError", "NameError")
    ]
    problems += [
        f"cell {cell.cell_id} may raise and lacks the tag {GO_ON}: Run All would end there, and the last cell never be "
        "seen"
        for cell in master.cells
        if (cell.cell_id in raising or cell.role in (SOLUTION_CELL, TEST)) and GO_ON not in cell.tags
    ]
    return problems or ([] if failed else ["unfilled, nothing fails: are there solutions in the release?"])


def _advice(name: str, message: str, master: Master) -> str:
    """Return what to do, as a further sentence, if a cell lacks one of the week's files; else ""."""
    names = [file.name for file in master.data_files]
    words = {"FileNotFoundError": names, "ModuleNotFoundError": importable_modules(names)}.get(name, [])
    if any(f"'{word}'" in message for word in words):
        return (
            ". On Colab no other file is beside the notebook: have the cell download it from {{files}} where it is not "
            "there, as docs/authoring.md shows"
        )
    return ""


def threads_of(run: NotebookRun) -> dict[str, int]:
    """Return {cell id: the most threads that torch had} for each cell that trained or computed gradients."""
    key = in_kernel.THREADS
    return {cell: int(output.data[key]) for cell, output in run.outputs if key in output.get("data", {})}


def check_threads(run: NotebookRun, master: Master) -> list[str]:
    """Return a sentence for each cell that trains or computes gradients with more than one thread.

    On matrices as small as a lesson's, more threads cost more time than they save, and on a busy machine each waits for
    another that has no core, so that seconds become minutes.
    """
    setup = f"cell {master.setup[0].cell_id}" if master.setup else "a cell tagged `setup`"
    return [
        f"cell {cell} trains, or computes gradients, with {number} threads, which wait for one another on a busy "
        f"machine: write torch.set_num_threads(1) in {setup}, and set no other number later"
        for cell, number in threads_of(run).items()
        if number > 1
    ]


def run_both(course: Course, week: Week) -> Runs:
    """Run the notebook filled in, with its files beside it, and unfilled; return both runs.

    On Colab no file is beside a notebook. So if this one links to Colab, the unfilled run has no files beside it and
    has to download them; the addresses of the students' repository then lead to the files of this course folder.
    """
    released = generate(course, week)  # not the file: before the first release there is none
    files = course.data_files(week)
    on_colab = course.repository.colab(week.name, week.notebook).encode() in released
    with ThreadPoolExecutor(1) as pool, served(files if on_colab else ()) as address:
        if on_colab:
            released = released.replace(course.repository.files(week.name).encode(), address.encode())
        unfilled = pool.submit(execute, released, () if on_colab else files)
        filled = execute(course.notebook(week), files)
        return Runs(filled, unfilled.result())
