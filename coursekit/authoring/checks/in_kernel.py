"""Code for the kernel in which `execution` runs a notebook.

That may be another Python's, so this imports nothing from coursekit. Its results are outputs of the MIME types below.
"""

import time
from functools import wraps

FIGURE = (
    "application/x-course-figure+json"  # of a figure: its `titles`, and the `points` of its smallest text
)
THREADS = "application/x-course-threads"  # of a cell that trains: the most threads that torch had in it
PACE = "application/x-course-pace"  # how many CPU seconds a fixed piece of work took


def watch_cells_and_measure_pace():
    """Have the cells that follow describe figures and report threads, and measure the machine's pace."""
    describe_figures()
    watch_threads()
    measure_pace()


def describe_figures():
    """Have each displayed figure carry its titles and its smallest text size, if matplotlib is installed."""
    try:
        from matplotlib.figure import Figure
        from matplotlib.text import Text
    except ImportError:
        return

    def description(figure, include=None, exclude=None):
        positions = ("left", "center", "right")
        titles = [
            title for axes in figure.axes for title in (axes.get_title(position) for position in positions)
        ]
        shown = [text for text in figure.findobj(Text) if text.get_text().strip() and text.get_visible()]
        points = min((text.get_fontsize() for text in shown), default=None)
        return {FIGURE: {"titles": [figure.get_suptitle(), *titles], "points": points}}

    Figure._repr_mimebundle_ = description


def watch_threads():
    """Have each cell that calls `backward`, or an optimizer's `step`, report the most threads that torch had then.

    torch is imported as part of the first cell that mentions it, and counts towards that cell's time.
    """
    from IPython import get_ipython
    from IPython.display import display

    events, counts = get_ipython().events, []

    def count_threads(*_):
        import torch

        counts.append(torch.get_num_threads())

    def patch_torch(info):
        if "torch" not in info.raw_cell:
            return
        events.unregister("pre_run_cell", patch_torch)
        try:
            import torch
            from torch.optim.optimizer import register_optimizer_step_pre_hook
        except ImportError:
            return
        backward = torch.autograd.backward

        @wraps(backward)
        def counting_backward(*tensors, **options):
            count_threads()
            return backward(*tensors, **options)

        torch.autograd.backward = counting_backward
        register_optimizer_step_pre_hook(count_threads)

    def report(result):
        if counts:
            display({THREADS: str(max(counts))}, raw=True)
            counts.clear()

    events.register("pre_run_cell", patch_torch)
    events.register("post_run_cell", report)


def measure_pace():
    """Report the CPU seconds that a fixed piece of work takes."""
    import numpy as np
    from IPython.display import display

    matrix, total, start = np.full((64, 64), 1 / 64), 0, time.process_time()
    for number in range(6000):
        matrix = np.tanh(matrix @ matrix) + 1 / 64
        total += sum(range(number % 500))
    display({PACE: str(time.process_time() - start)}, raw=True)
