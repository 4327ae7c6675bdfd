"""`%timeit` for a notebook that is graded: the statement runs once.

IPython's own repeats it for 0.2 to 2 seconds, seven times over. How long that takes depends on the machine, and nobody
looks at what it measures.
"""

from typing import Any

from IPython.core.magic import Magics, line_cell_magic, magics_class, needs_local_scope, no_var_expand
from IPython.core.magics.execution import ExecutionMagics

OPTIONS = "n:r:tcp:qov:"  # as IPython's own has them


@magics_class
class Once(Magics):
    """The magic, with IPython's options; how often to run the statement is passed over."""

    @no_var_expand
    @needs_local_scope
    @line_cell_magic
    def timeit(self, line: str = "", cell: str | None = None, local_ns: Any = None) -> Any:
        """Time a statement, which runs once while the notebook is graded."""
        given, statement = self.parse_options(
            line, OPTIONS, posix=False, strict=False, preserve_non_opts=True
        )
        kept = [f"-{name}{value}" for name, value in given.items() if name not in ("n", "r")]
        assert self.shell is not None
        own: ExecutionMagics = self.shell.magics_manager.registry["ExecutionMagics"]
        return own.timeit(" ".join(["-n1", "-r1", *kept, statement]), cell, local_ns)
