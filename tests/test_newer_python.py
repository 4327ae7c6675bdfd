"""Code with the syntax of a newer Python than the grader's is flagged, and nobody blames the student for it."""

import json
import re
import sys

import pytest
from command import course_here
from drafts import handed_in, inserted
from quick import first
from small_course import cells, code, hand_in, make_course, master_of, triple_cells

from coursekit.doctor import COLAB_PYTHON, older_python
from coursekit.engine.coordinator.grade import grade
from coursekit.engine.reader.newer_python import first_python, newer_python_flags
from coursekit.engine.reader.repair import rebuild
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.reasons import Flag, TestReason
from coursekit.engine.shared.result import NOT_RUN

HERE = sys.version_info[:2]
MASTER = master_of(*cells(), *triple_cells())
DOUBLE = "def double(x):\n    return x + x\n"
NESTED = 'print(f"{d["a"]}")'
# What this Python cannot read yet, and the first that can.
UNREAD, FIRST = ('f"{d["a"]}"', (3, 12)) if HERE < (3, 12) else ('t"{d}"', (3, 14))
NEWER = {  # {code: the first Python that reads it}
    f'd = {{"a": 1}}\n{NESTED}': (3, 12),
    "d = {'a': 1}\nprint(f'{d['a']}')": (3, 12),
    'print(f"{"\\n".join(["a", "b"])}")': (3, 12),
    'x = 1\nprint(f"{f"{f"{x}"}"}")': (3, 12),
    'x = 1\nprint(f"{x # the count\n}")': (3, 12),
    'd = {"w": 8}\nprint(f"{3.14:{d["w"]}.2f}")': (3, 12),
    f"d = {{'a': 1}}\nawait g()\n{NESTED}": (3, 12),
    f"%matplotlib inline\nd = {{'a': 1}}\nfiles = !ls\n{NESTED}": (3, 12),
    f"%%time\nd = {{'a': 1}}\n{NESTED}": (3, 12),
    "def first[T](items: list[T]) -> T:\n    return items[0]": (3, 12),
    "def f[T: (int, float), *Ts, **P](x: T) -> T:\n    return x": (3, 12),
    "type Number = int | float": (3, 12),
    "try:\n    x = 1\nexcept ValueError, TypeError:\n    x = 2": (3, 14),
    "try:\n    x = 1\nexcept* ValueError, TypeError:\n    x = 2": (3, 14),
    'name = "x"\nt = t"hello {name}"': (3, 14),
}
WRONG_EVERYWHERE = [
    "x = " + "-" * 20_000 + "1",  # Python reads it, but not so deep
    "def f(x)\n    return x",
    "def f(x):\n    return (x + 1",
    "def f(x):\n    y = 1\n  return y",
    "if x = 1:\n    y = 2",
    'print(f"{x")',
    'print(f"{d["a"] d["b"]}")',
    "print x",
    "The softmax of a row is its exponentials over their sum.",
    "def f(x):\n<<<<<<< HEAD\n    return 1\n=======\n    return 2\n>>>>>>> b",
    "f(x) = 3",
    "f(a=1, 2)",
    "def f(x=1, y):\n    return x",
    "x = 012",
    "for (i = 0; i < 3; i++) {\n    x = i\n}",
    "def f[T(x):\n    return x",
    "match x:\n    case 1\n        pass",
    "None = 1",
    "%%bash\nif true; then ls; fi",
]


def flags(*, own=(), metadata=None, **answers):
    """The flags of a notebook with these answers, and cells of the student's own above them."""
    answers = {"double": DOUBLE, "triple": "def triple(x):\n    return 3 * x"} | answers
    above = [code("own", source) for source in own]
    notebook = json.loads(handed_in(MASTER, inserted("double", *above, above=True), answers))
    notebook["metadata"] |= metadata or {}
    return newer_python_flags(MASTER, rebuild(MASTER, json.dumps(notebook).encode()))


@pytest.mark.parametrize(("source", "version"), first(8, NEWER.items()))
def test_the_syntax_of_a_newer_python_is_recognised(source, version):
    assert first_python(source) == (version if version > HERE else None)
    found = flags(double=f"{source}\n{DOUBLE}")
    assert [(flag.kind, flag.cell) for flag in found] == [(Flag.NEWER_PYTHON, "double")] * (version > HERE)


@pytest.mark.parametrize("source", first(8, WRONG_EVERYWHERE))
def test_what_is_wrong_in_every_python_is_no_newer_one(source):
    assert first_python(source) is None
    assert flags(double=f"{DOUBLE}\n{source}") == []


@pytest.mark.parametrize(
    ("metadata", "flagged"),
    [
        ({"language_info": {"name": "python", "version": f"3.{FIRST[1]}.11"}}, True),
        ({"language_info": {"name": "python", "version": "3.10.12"}}, False),  # so it was an error there, too
        ({"language_info": {"name": "python", "version": "3.10.12"}, "colab": {"provenance": []}}, True),
        ({"language_info": {"name": "python"}, "colab": {}}, True),
        ({"language_info": {"name": "python"}}, True),
        ({"language_info": {"version": "3.999999"}}, True),
        ({"language_info": {"version": "9" * 5000}}, True),
        ({"language_info": {"version": ["3", 10]}}, True),
        ({"language_info": "3.10"}, True),
        ({}, True),
    ],
)
@pytest.mark.skipif(HERE >= FIRST, reason="this Python reads all that is here")
def test_a_notebook_says_on_which_python_it_ran(metadata, flagged):
    assert bool(flags(double=f"d = {{'a': 1}}\n{UNREAD}\n{DOUBLE}", metadata=metadata)) == flagged


def nested(name):
    return f'd = {{"a": 1}}\ndef {name}(x):\n    return {UNREAD}'


@pytest.mark.parametrize(
    ("own", "answer", "flagged"),
    [
        ([nested("helper")], "def double(x):\n    helper(x)\n    return x + x", True),
        ([nested("helper"), "def between(x):\n    return helper(x)"], "def double(x):\n    between(x)", True),
        ([f'd = {{"a": 1}}\nlabel = {UNREAD}'], "def double(x):\n    print(label)\n    return x + x", True),
        ([f"def Number(x):\n    return {UNREAD}"], "def double(x: Number):\n    return x + x", True),
        ([nested("unused"), f'd = {{"a": 1}}\n{UNREAD}'], DOUBLE, False),
        (["def helper(x)\n    return x"], "def double(x):\n    return helper(x)", False),
        ([nested("helper")], "def double(x):\n    return (x + x", False),
        (
            [nested("double")],
            'def double(x):\n    raise NotImplementedError("week 1, double: give back twice x")',
            True,
        ),
    ],
)
@pytest.mark.skipif(HERE >= FIRST, reason="this Python reads all that is here")
def test_a_cell_that_an_answer_needs_counts_for_its_question(own, answer, flagged):
    assert [flag.cell for flag in flags(own=own, double=answer)] == ["double"] * flagged


@pytest.mark.parametrize(
    ("own", "answer", "reasons", "flagged"),
    [
        ("", f"{DOUBLE}d = {{'a': 1}}\n{UNREAD}", {TestReason.NEWER_PYTHON}, ["double"]),
        ("", f"{DOUBLE}print('", {TestReason.UNDEFINED}, []),
        # What cannot be read was not needed after all: nobody has to look.
        (nested("helper"), "def double(x):\n    return x + x if True else helper(x)", {None}, []),
    ],
)
@pytest.mark.skipif(HERE >= FIRST, reason="this Python reads all that is here")
def test_nothing_is_blamed_on_the_student(servers, own, answer, reasons, flagged):
    data = handed_in(MASTER, inserted("double", code("own", own), above=True), {"double": answer})
    result = grade(MASTER, data, Limits(), servers).result
    assert {test.reason for test in result.tests if test.question == "double"} == reasons
    assert [flag.cell for flag in result.flags] == flagged
    assert all((test.outcome == NOT_RUN) == (test.reason == TestReason.NEWER_PYTHON) for test in result.tests)


@pytest.mark.parametrize(
    ("here", "says"), [((3, 11), True), ((3, 12), True), ((3, 13), False), ((3, 14), False)]
)
def test_an_older_python_than_colab_s_is_said_beforehand(here, says):
    assert bool(older_python(here)) == says


@pytest.mark.slow
@pytest.mark.parametrize("command", ["doctor", "grade"])
def test_a_command_says_so_once(tmp_path, warm, command):
    course, _ = make_course(tmp_path)
    hand_in(course, "ada")
    done = course_here(tmp_path, command)
    assert len(re.findall(r"is\s+older\s+than\s+Colab's", done.stdout + done.stderr)) == (HERE < COLAB_PYTHON)
