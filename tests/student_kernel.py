"""Running cells in a student kernel: see the fixtures `kernel` and `start_kernel` in conftest.py."""

from textwrap import dedent

from coursekit.engine.shared.outputs import OutputBudget

COMPUTES = "import time\nend = time.{}_time() + {}\nwhile time.{}_time() < end: pass"


def computes(seconds, clock="thread"):
    """A cell that uses so many CPU seconds of its thread or its process."""
    return COMPUTES.format(clock, seconds, clock)


def run(kernel, source, seconds=20, room=1024):
    """Execute a cell; `room` is what it may output, in KiB."""
    return kernel.execute(
        dedent(source), seconds, room if isinstance(room, OutputBudget) else OutputBudget(room)
    )


def text(execution):
    """What a cell has printed."""
    return "".join(output.get("text", "") for output in execution.outputs)
