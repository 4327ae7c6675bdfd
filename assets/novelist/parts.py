"""The parts that week 8's notebook builds, out of its own cells: the model that is trained is the one students meet."""

import contextlib
import io
from pathlib import Path
from types import SimpleNamespace

from coursekit.course.config import open_course

ROOT = Path(__file__).parents[2]
CELLS = (
    "setup",
    "earlier-weeks",
    "target-mask",
    "shifted-loss",
    "warmup-rate",
    # the optional part
    "given-week-5",
    "novel-model",
    "novel-sampling",
    "novel-write",
)


def read_parts(wanted: tuple[str, ...] = CELLS) -> SimpleNamespace:
    """What these cells of the instructor's notebook define, such as `LanguageModel` and `shifted_loss`."""
    course = open_course(ROOT)
    cells = {cell.cell_id: cell.source for cell in course.master(course.week("week8_transformer")).cells}
    names: dict = {}
    with contextlib.redirect_stdout(io.StringIO()):
        for name in wanted:
            exec(compile(cells[name], f"<cell {name}>", "exec"), names)
    return SimpleNamespace(**names)
