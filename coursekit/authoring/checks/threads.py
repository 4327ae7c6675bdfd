"""How many threads torch uses in cells that train, whatever the machine's number of cores.

On matrices as small as a lesson's, more threads cost more time than they save, and on a busy machine each waits for
another that has no core: what takes seconds alone takes minutes there.
"""

import nbformat

from coursekit.authoring.checks.in_kernel import THREADS
from coursekit.engine.shared.master import Master

# torch's default in the kernel that runs a notebook: more than one even on a machine with one core.
DEFAULT = "2"
ENVIRONMENT = {"OMP_NUM_THREADS": DEFAULT, "MKL_NUM_THREADS": DEFAULT}


def threads_of(outputs: list[tuple[str, nbformat.NotebookNode]]) -> dict[str, int]:
    """Return {cell id: the most threads that torch had while the cell trained} for each cell of a run that trained."""
    return {cell: int(output.data[THREADS]) for cell, output in outputs if THREADS in output.get("data", {})}


def check_threads(outputs: list[tuple[str, nbformat.NotebookNode]], master: Master) -> list[str]:
    """Return the problems of a run of the filled-in notebook: each cell that trains has one thread.

    Args:
        outputs: (cell id, nbformat output) for each output of the run, in order.
        master: says which cells are setup cells.
    """
    setup = f"cell {master.setup[0].cell_id}" if master.setup else "a cell tagged `setup`"
    return [
        f"cell {cell} trains, or computes gradients, with {number} threads, which wait for one another on a busy "
        f"machine: write torch.set_num_threads(1) in {setup}, and set no other number later"
        for cell, number in threads_of(outputs).items()
        if number > 1
    ]
