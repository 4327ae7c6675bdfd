"""What the fork servers import for a week, before any kernel is asked for."""

import re
from collections.abc import Iterable

from coursekit.engine.limits import Limits


def modules_of(cells: Iterable[tuple[str, Iterable[str]]], limits: Limits) -> list[str]:
    """Those of the course's modules that the week's graded cells name, and what these import when they are first used.

    torch is always among them where the course has it, since it makes tensors travel. Its first optimizer imports its
    compiler, which takes a second in each kernel.

    Args:
        cells: (source, tags) of each code cell.

    >>> limits = Limits(modules=("torch", "numpy", "seaborn"))
    >>> modules_of([("import numpy as np", ["setup"]), ("import seaborn", ["skip-grading"])], limits)
    ['torch', 'numpy']
    >>> modules_of([("adam = torch.optim.Adam(parts)", [])], limits)
    ['torch', 'torch._dynamo']
    """
    graded = [source for source, tags in cells if "skip-grading" not in tags]

    def named(word: str) -> bool:
        return any(re.search(rf"\b{re.escape(word)}\b", source) for source in graded)

    modules = [name for name in limits.modules if name == "torch" or named(name.partition(".")[0])]
    return [*modules, *(["torch._dynamo"] if "torch" in modules and named("optim") else [])]
