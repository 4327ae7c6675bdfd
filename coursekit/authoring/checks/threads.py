"""How many threads torch uses in cells that train, whatever the machine's number of cores.

On matrices as small as a lesson's, more threads cost more time than they save, and on a busy machine each waits for
another that has no core: what takes seconds alone takes minutes there.
"""

import nbformat

from coursekit.engine.shared.master import Master

# torch's default in the kernel that runs a notebook: more than one even on a machine with one core.
DEFAULT = "2"
ENVIRONMENT = {"OMP_NUM_THREADS": DEFAULT, "MKL_NUM_THREADS": DEFAULT}
THREADS = "application/x-course-threads"
# Runs before the notebook: each cell that goes back through a graph, or lets an optimizer step, tells the most threads
# that it did so with. torch is imported in the first cell that mentions it, so that the time counts there.
WATCH = f"""
def _watch():
    from functools import wraps
    from IPython import get_ipython
    from IPython.display import display
    events, seen = get_ipython().events, []
    def listen(info):
        if "torch" not in info.raw_cell:
            return
        events.unregister("pre_run_cell", listen)
        try:
            import torch
            from torch.optim.optimizer import register_optimizer_step_pre_hook
        except ImportError:
            return
        def note(*_):
            seen.append(torch.get_num_threads())
        backward = torch.autograd.backward
        @wraps(backward)
        def noted(*tensors, **options):
            note()
            return backward(*tensors, **options)
        torch.autograd.backward = noted
        register_optimizer_step_pre_hook(note)
    def tell(result):
        if seen:
            display({{"{THREADS}": str(max(seen))}}, raw=True)
            seen.clear()
    events.register("pre_run_cell", listen)
    events.register("post_run_cell", tell)
_watch()
del _watch
"""


def threads_of(outputs: list[tuple[str, nbformat.NotebookNode]]) -> dict[str, int]:
    """{cell id: the most threads that torch had while the cell trained}, for each cell of a run that trained."""
    return {cell: int(output.data[THREADS]) for cell, output in outputs if THREADS in output.get("data", {})}


def check_threads(outputs: list[tuple[str, nbformat.NotebookNode]], master: Master) -> list[str]:
    """Problems of a run of the filled-in notebook: each cell that trains has one thread.

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
