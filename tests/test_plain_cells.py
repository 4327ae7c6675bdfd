"""Cells that are Python already: IPython would have left them as they are, and none of them awaits anything."""

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from IPython.core.async_helpers import _should_be_async
from IPython.core.inputtransformer2 import TransformerManager

from coursekit.course.bank import read_bank
from coursekit.course.config import open_course
from coursekit.engine.kernel.plain_python import as_python

COURSE = open_course(Path(__file__).parent.parent)
PIECES = st.sampled_from(
    [
        "x = 1",
        "\n",
        "\n\n",
        " ",
        "    y",
        "...",
        ">>> ",
        "In [3]: ",
        "In[3]: x",
        "%time",
        "%%bash",
        "!ls",
        "= !ls",
        "?",
        "f?",
    ]
    + [
        "# c",
        "'''",
        '"',
        "\\\n",
        "await f()",
        "async def f(): await g()",
        ";",
        ",",
        "/f 1",
        "(",
        ")",
        "if x:",
        "\t",
        "\f",
    ]
    + [
        "\r\n",
        "\u2028",
        "é",
        "\\d",
        "pass",
        "[x for x in y]",
        "lambda: (yield)",
        "\x00",
        "...: y",
        "def f():\n  return 1",
    ]
)


def agrees(source: str) -> bool:
    """Whether the short way was taken; it must lead where IPython's does."""
    if (short := as_python(source)) is None:
        return False
    assert short == TransformerManager().transform_cell(source)
    assert not _should_be_async(short)
    return True


@pytest.mark.slow
def test_every_cell_of_the_course_and_every_answer_of_the_bank():
    sources = [
        cell.source for week in COURSE.weeks for cell in COURSE.master(week).cells if cell.kind == "code"
    ]
    sources += [answer.source for week in COURSE.weeks for answer in read_bank(COURSE, week)]
    assert len(sources) > 1200 and all(agrees(source) for source in sources if source.strip())


@given(st.lists(PIECES, max_size=9).map("".join))
def test_whatever_python_can_read_ipython_leaves_alone(source):
    agrees(source)


@pytest.mark.parametrize(
    "source",
    [
        "%time f()",
        "%%bash\nls",
        "!ls",
        "x = !ls",
        "f?",
        "await f()",
        "  x = 1",
        "x = (",
        ">>> x",
        "In [1]: x",
        "x\n...",
        "a\x00",
    ],
)
def test_ipython_is_asked_for_the_rest(source):
    assert as_python(source) is None


def test_code_that_no_parser_bears_is_left_to_ipython():
    deep = "(" * 5000 + ")" * 5000
    with pytest.raises((SyntaxError, MemoryError, RecursionError)):
        ast.parse(deep)
    assert as_python(deep) is None


def test_a_backslash_is_not_warned_of_twice(recwarn):
    assert as_python("x = '\\d'") == "x = '\\d'\n"
    assert len(recwarn) == 0
