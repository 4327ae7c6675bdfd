"""Which modules the fork servers import for a week."""

import re
from collections.abc import Iterable

from coursekit.engine.shared.limits import Limits


def modules_to_import(cells: Iterable[tuple[str, Iterable[str]]], limits: Limits) -> list[str]:
    """Return those of the course's modules that the week's graded cells import, and torch's compiler if needed.

    torch is always among them where the course has it, since tensors are sent as values. Creating the first optimizer
    imports torch's compiler, which takes a second.

    Args:
        cells: (source, tags) of each code cell.

    >>> limits = Limits(modules=("torch", "numpy", "seaborn"))
    >>> modules_to_import([("import numpy as np", ["setup"]), ("import seaborn", ["skip-grading"])], limits)
    ['torch', 'numpy']
    >>> modules_to_import([("adam = torch.optim.Adam(parts)", [])], limits)
    ['torch', 'torch._dynamo']
    """
    graded = "\n".join(source for source, tags in cells if "skip-grading" not in tags)
    imports = " ".join(re.findall(r"^(?:import|from) .*", graded, re.MULTILINE))  # not those inside functions

    def imported(name: str) -> bool:
        return re.search(rf"\b{re.escape(name.partition('.')[0])}\b", imports) is not None

    modules = [name for name in limits.modules if name == "torch" or imported(name)]
    optimizes = "torch" in modules and re.search(r"\boptim\b", graded)
    return [*modules, *(["torch._dynamo"] if optimizes else [])]
