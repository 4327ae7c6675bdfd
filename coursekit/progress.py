"""How a long task reports its progress."""

from collections.abc import Callable

Progress = Callable[[int, int], None]  # called with (what is done, the total)


def no_progress(done: int, total: int) -> None:
    """Report nothing."""
