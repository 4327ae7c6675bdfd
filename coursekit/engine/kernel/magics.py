"""Line magics of a notebook that is graded: one that does not exist here, or cannot be had, ends no cell.

`%lprun`, `%load_ext memory_profiler` and `%matplotlib widget` need packages that the grader may lack; the lines below
them do not. Cell magics that do not exist are the reader's task: see `reader.repair.shape`.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

# Magics that arrange how a notebook works or looks: no answer depends on what they do.
# fmt: off
OF_THE_NOTEBOOK = frozenset(
    {
        "autoreload", "autosave", "cd", "conda", "config", "env", "gui", "load_ext", "mamba", "matplotlib",
        "micromamba", "notebook", "pip", "precision", "pylab", "reload_ext", "set_env", "unload_ext", "uv",
    }
)
# fmt: on


def say_missing(name: str) -> None:
    """Print that a line magic does not exist."""
    print(f"%{name} does not exist while the notebook is graded. It was skipped.", file=sys.stderr)


@contextmanager
def may_fail(name: str) -> Iterator[None]:
    """A context in which an error of a magic in OF_THE_NOTEBOOK is a message and nothing else."""
    try:
        yield
    except (MemoryError, RecursionError):
        raise
    except Exception as error:
        if name not in OF_THE_NOTEBOOK:
            raise
        print(
            f"{type(error).__name__}: {error}\n%{name} failed. The rest of the cell was run.", file=sys.stderr
        )
