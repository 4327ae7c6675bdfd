"""`%timeit` for a notebook that is graded: the statement runs once.

IPython's `%timeit` repeats it for 0.2 to 2 seconds, seven times. How long that takes depends on the machine, and nobody
reads the result.
"""

from typing import Any

from IPython.core.magic import Magics, line_cell_magic, magics_class, needs_local_scope, no_var_expand
from IPython.core.magics.execution import ExecutionMagics

OPTIONS = "n:r:tcp:qov:"  # IPython's


@magics_class
class TimeitOnce(Magics):
    """The magic, with IPython's options; those for the number of runs are ignored."""

    @no_var_expand
    @needs_local_scope
    @line_cell_magic
    def timeit(self, line: str = "", cell: str | None = None, local_ns: Any = None) -> Any:
        """Time one run of a statement."""
        options, statement = self.parse_options(
            line, OPTIONS, posix=False, strict=False, preserve_non_opts=True
        )
        kept_options = [f"-{name}{value}" for name, value in options.items() if name not in ("n", "r")]
        assert self.shell is not None
        execution_magics: ExecutionMagics = self.shell.magics_manager.registry["ExecutionMagics"]
        return execution_magics.timeit(" ".join(["-n1", "-r1", *kept_options, statement]), cell, local_ns)
