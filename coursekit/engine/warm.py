"""What the fork servers import for a week, before any kernel is asked for."""

import re
from collections.abc import Iterable

from coursekit.engine.limits import Limits


def modules_of(cells: Iterable[tuple[str, Iterable[str]]], limits: Limits) -> list[str]:
    """The course's modules, and what these import only when they are first used.

    The first optimizer of torch's imports its compiler, which takes a second in each kernel.

    Args:
        cells: (source, tags) of each code cell.

    >>> modules_of([("adam = torch.optim.Adam(parts)", []), ("1 + 1", ["setup"])], Limits(modules=("torch",)))
    ['torch', 'torch._dynamo']
    >>> modules_of([("adam = torch.optim.Adam(parts)", ["training", "skip-grading"])], Limits(modules=("torch",)))
    ['torch']
    """
    graded = (source for source, tags in cells if "skip-grading" not in tags)
    optimizes = "torch" in limits.modules and any(re.search(r"\boptim\b", source) for source in graded)
    return [*limits.modules, *(["torch._dynamo"] if optimizes else [])]
