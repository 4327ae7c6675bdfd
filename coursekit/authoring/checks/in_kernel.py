"""Runs in the kernel of a notebook that `execution` runs, which may be another Python's: no import from this package.

What it finds out comes back as outputs of the types below.
"""

import time
from functools import wraps

FIGURE = "application/x-course-figure+json"  # of a figure: its `titles`, and the size of its smallest text
THREADS = "application/x-course-threads"  # of a cell that trains: the most threads that torch had meanwhile
PACE = "application/x-course-pace"  # how many CPU seconds a fixed piece of work took


def start():
    """Watch what comes, and measure the machine."""
    describe_figures()
    watch_threads()
    measure_pace()


def describe_figures():
    """Have each displayed figure carry its titles and its smallest text size."""
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
        return {FIGURE: {"titles": [figure.get_suptitle(), *titles], "points": points}}

    Figure._repr_mimebundle_ = described


def watch_threads():
    """Have each cell that computes gradients, or lets an optimizer step, report its number of threads.

    torch is imported in the first cell that mentions it, so that the time counts there.
    """
    from IPython import get_ipython
    from IPython.display import display

    events, seen = get_ipython().events, []

    def note(*_):
        import torch

        seen.append(torch.get_num_threads())

    def listen(info):
        if "torch" not in info.raw_cell:
            return
        events.unregister("pre_run_cell", listen)
        try:
            import torch
            from torch.optim.optimizer import register_optimizer_step_pre_hook
        except ImportError:
            return
        backward = torch.autograd.backward

        @wraps(backward)
        def noted(*tensors, **options):
            note()
            return backward(*tensors, **options)

        torch.autograd.backward = noted
        register_optimizer_step_pre_hook(note)

    def report(result):
        if seen:
            display({THREADS: str(max(seen))}, raw=True)
            seen.clear()

    events.register("pre_run_cell", listen)
    events.register("post_run_cell", report)


def measure_pace():
    """Report how long a fixed piece of work takes."""
    import numpy as np
    from IPython.display import display

    matrix, total, start = np.full((64, 64), 1 / 64), 0, time.process_time()
    for number in range(6000):
        matrix = np.tanh(matrix @ matrix) + 1 / 64
        total += sum(range(number % 500))
    display({PACE: str(time.process_time() - start)}, raw=True)
