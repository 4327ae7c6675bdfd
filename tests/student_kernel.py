"""Running cells in a student kernel: see the fixtures `kernel` and `start_kernel` in conftest.py."""

from textwrap import dedent

from coursekit.engine.shared.outputs import OutputBudget


def computes(seconds, clock="thread"):
    """A cell that uses so many CPU seconds of its thread or its process."""
    return f"import time\nend = time.{clock}_time() + {seconds}\nwhile time.{clock}_time() < end: pass"


def run(kernel, source, seconds=20, budget=1024):
    """Execute a cell; `budget` is an OutputBudget, or what the cell may output in KiB."""
    return kernel.execute(
        dedent(source), seconds, budget if isinstance(budget, OutputBudget) else OutputBudget(budget)
    )


def text(execution):
    """What a cell has printed."""
    return "".join(output.get("text", "") for output in execution.outputs)
