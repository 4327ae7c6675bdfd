"""What one submission may use."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What one submission may use while it is graded, and what is there for it.

    Seconds as `kernels.clock.Clock` counts them, MiB, KiB.
    """

    cell_seconds: float = 3
    test_seconds: float = 3
    total_seconds: float = 30
    memory_mb: int = 1024
    output_kb: int = 2048
    modules: tuple[str, ...] = ()  # imported before a notebook begins; with torch, tensors travel as values
