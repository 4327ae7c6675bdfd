"""Line magics of a notebook that is graded: one that does not exist here, or that fails, ends no cell.

`%lprun`, `%load_ext memory_profiler` and `%matplotlib widget` need packages that the grader may lack; the lines below
them do not. Cell magics that do not exist never come here: the reader takes them out of the notebook.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

# Magics that set how a notebook works or looks: no answer depends on what they do.
# fmt: off
NOTEBOOK_SETTINGS = frozenset(
    {
        "autoreload", "autosave", "cd", "conda", "config", "env", "gui", "load_ext", "mamba", "matplotlib",
        "micromamba", "notebook", "pip", "precision", "pylab", "reload_ext", "set_env", "unload_ext", "uv",
    }
)
# fmt: on


def report_missing(name: str) -> None:
    """Print that a line magic does not exist."""
    print(f"%{name} does not exist while the notebook is graded. It was skipped.", file=sys.stderr)


@contextmanager
def tolerate_failure(name: str) -> Iterator[None]:
    """Return a context for a magic: if one of NOTEBOOK_SETTINGS fails, a message is printed, and the cell goes on."""
    try:
        yield
    except (MemoryError, RecursionError):
        raise
    except Exception as error:
        if name not in NOTEBOOK_SETTINGS:
            raise
        print(
            f"{type(error).__name__}: {error}\n%{name} failed. The rest of the cell was run.", file=sys.stderr
        )
