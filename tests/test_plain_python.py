"""Cells that are plain Python: IPython would leave them as they are."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from IPython.core.inputtransformer2 import TransformerManager

from coursekit.course.bank import read_bank
from coursekit.course.config import open_course
from coursekit.engine.kernel.plain_python import is_plain_python

COURSE = open_course(Path(__file__).parent.parent)
PYTHON = [
    "x = 1",
    "pass",
    "...",
    "if x:",
    "    y",
    "def f():\n  return 1",
    "await f()",
    "lambda: (yield)",
    "# c",
    "\\d",
]
IPYTHON = [
    "%time",
    "%%bash",
    "!ls",
    "= !ls",
    "?",
    "f?",
    ";",
    ",",
    "/f 1",
    ">>> ",
    "In [3]: ",
    "In[3]: x",
    "...: y",
]
SPACES = ["\n", "\n\n", " ", "\t", "\f", "\r\n", "\u2028", "\\\n"]
PIECES = st.sampled_from([*PYTHON, *IPYTHON, *SPACES, "'''", '"', "(", ")", "é", "\x00"])


def ipython_agrees(source: str) -> bool:
    """Return whether a cell is plain Python; if it is, IPython must not change it."""
    if not is_plain_python(source):
        return False
    assert TransformerManager().transform_cell(source) == source.removesuffix("\n") + "\n"
    return True


@pytest.mark.slow
def test_all_cells_of_the_course_and_answers_of_the_bank_are_plain_python():
    sources = [
        cell.source for week in COURSE.weeks for cell in COURSE.master(week).cells if cell.kind == "code"
    ]
    sources += [answer.source for week in COURSE.weeks for answer in read_bank(COURSE, week)]
    assert len(sources) > 1200 and all(ipython_agrees(source) for source in sources if source.strip())


@given(st.lists(PIECES, max_size=9).map("".join))
def test_ipython_does_not_change_plain_python(source):
    ipython_agrees(source)


@pytest.mark.parametrize(
    "source",
    ["", "%time f()", "%%bash\nls", "!ls", "x = !ls", "f?", "  x = 1", "x = (", ">>> x", "In [1]: x", "a\x00"]
    + ["x = '''\n  \n'''", "(" * 5000 + ")" * 5000],
)
def test_ipython_transforms_everything_else(source):
    assert not is_plain_python(source)


def test_warnings_of_a_cell_are_left_for_its_run(recwarn):
    assert is_plain_python("x = '\\d'")
    assert len(recwarn) == 0
