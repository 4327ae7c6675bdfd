"""Stand-ins and the examiner's verdicts, against the real agent on the other end of a socket."""

import socket
import threading

import msgpack
import numpy as np
import pytest
import torch

from coursekit.engine.coordinator import sentences
from coursekit.engine.coordinator.compiling import compile_test
from coursekit.engine.examiner.examine import Examiner
from coursekit.engine.examiner.standin import Session, StandIn, StudentError
from coursekit.engine.kernel.agent import Agent, describe
from coursekit.engine.shared import frames, result
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.program import ReferenceDefinitions

NOTHING = ReferenceDefinitions([], b"")
STUDENT = """
import torch
from torch import nn

def add(a, b):
    return a + b

def change(x):
    x[:] = 0
    return x

def broken():
    return [1, 2][5]

def apply(function, times):
    return [function(number) for number in range(times)]

class Liar:
    def __eq__(self, other): return True
    def __bool__(self): return True
    def __float__(self): return 1.0
    def __array__(self, *a, **k): raise RuntimeError
    def __len__(self): return 2
    def __getitem__(self, i): return [1.5, 2.5][i]

class Own(ValueError):
    def __str__(self): raise RuntimeError("no message")

def raises(kind):
    raise {"own": Own, "exit": SystemExit, "stop": StopIteration, "assert": AssertionError}[kind]("why")

def count(n):
    yield from range(n)

def liar(): return Liar()

def stub():
    raise NotImplementedError("write it")

def read():
    return open("no such file")

answer = 42
model = nn.Linear(2, 3)
"""


def attach(namespace, times=1):
    """A socket whose other end an agent serves in a thread, with the names of a student."""
    ours, theirs = socket.socketpair()

    def serve():
        for _ in range(times):
            Agent(theirs, namespace).serve()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    return ours, thread


def run_student():
    namespace = {}
    exec(compile(STUDENT, "<ipython-input-1>", "exec"), namespace)
    return namespace


@pytest.fixture
def pair():
    """A session and the student's names: an agent answers in a thread."""
    namespace = run_student()
    ours, thread = attach(namespace)
    session = Session(ours)
    yield session, namespace
    session.done()
    thread.join(5)
    assert not thread.is_alive()


def names(session, *wanted):
    return session.names(list(wanted)).values()


def test_values_come_back_as_plain_data(pair):
    add, answer = names(pair[0], "add", "answer")
    assert isinstance(add, StandIn) and answer == 42
    assert add(2, b=3) == 5
    total = add(torch.ones(2), torch.ones(2))
    assert type(total) is torch.Tensor and total.tolist() == [2, 2]


def test_arguments_travel_by_value(pair):
    (change,) = names(pair[0], "change")
    x = np.ones(3)
    assert change(x).tolist() == [0, 0, 0] and x.tolist() == [1, 1, 1]


def test_attributes_items_and_calls_of_a_module(pair):
    (model,) = names(pair[0], "model")
    assert type(model.weight) is torch.Tensor and tuple(model.weight.shape) == (3, 2)
    model.eval()
    assert model.training is False
    model.extra = 7
    assert model.extra == 7
    torch.testing.assert_close(model(torch.ones(1, 2)), model.weight.sum(1)[None] + model.bias)


def test_functions_of_the_test_can_be_called_back(pair):
    apply, add, nothing, read = names(pair[0], "apply", "add", "nothing", "read")
    assert apply(lambda number: add(number, 10), 3) == [10, 11, 12]

    def fails(number):
        raise ValueError("of the test")

    def ends(number):
        raise EOFError("of the test")

    for function, kind, message in (
        (fails, ValueError, "of the test"),
        (ends, EOFError, "of the test"),
        (lambda number: read(), OSError, "no such file"),
        (lambda number: object(), TypeError, "not plain data"),
        (lambda number: nothing(number), NameError, "name 'nothing' is not defined"),
    ):
        with pytest.raises(StudentError, match=message) as caught:
            apply(function, 1)
        assert isinstance(caught.value, kind)
    assert apply(lambda number: add(number, 10), 3) == [10, 11, 12], "the conversation goes on where it was"


def test_iteration_ends_and_lengths_are_numbers(pair):
    count, liar = names(pair[0], "count", "liar")
    assert list(count(4)) == [0, 1, 2, 3]
    assert len(liar()) == 2 and list(np.asarray(liar())) == [1.5, 2.5]


@pytest.mark.parametrize(
    "judge",
    [
        lambda it: it == 1,
        lambda it: it < 1,
        lambda it: 1 in it,
        lambda it: bool(it),
        lambda it: float(it),
        lambda it: it + 1,
        lambda it: {it},
        lambda it: abs(it),
    ],
)
def test_an_object_cannot_judge_itself(pair, judge):
    (liar,) = names(pair[0], "liar")
    with pytest.raises(TypeError, match="cannot compare|plain data"):
        judge(liar())


def test_an_object_does_not_pass_for_a_tensor_or_an_array(pair):
    (liar,) = names(pair[0], "liar")
    with pytest.raises(TypeError):
        torch.allclose(liar(), torch.ones(2))
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(liar(), [1.0, 1.0])


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("own", ValueError),
        ("exit", RuntimeError),
        ("stop", RuntimeError),
        ("assert", AssertionError),
        (None, IndexError),
    ],
)
def test_errors_keep_the_nearest_builtin_class_and_the_line(pair, kind, expected):
    raises, broken = names(pair[0], "raises", "broken")
    with pytest.raises(expected) as caught:
        raises(kind) if kind else broken()
    assert isinstance(caught.value, StudentError)
    assert kind or "line 13" in caught.value.where


def test_a_missing_name_is_reported_where_it_is_used(pair):
    (nothing,) = names(pair[0], "nothing")
    for use in (lambda: nothing(1), lambda: nothing.x, lambda: nothing == 1, lambda: list(nothing)):
        with pytest.raises(NameError, match="'nothing' is not defined"):
            use()


def test_a_probe_runs_beside_the_student(pair):
    session, namespace = pair
    probe = session.define(
        "def probe_grad(x):\n    y = model(x).sum()\n    y.backward()\n    return model.bias.grad",
        "probe_grad",
        ["model"],
    )
    assert probe(torch.ones(1, 2)).tolist() == [1, 1, 1]
    assert "probe_grad" not in namespace


@pytest.mark.parametrize(
    "reply",
    [
        ["ok"],
        ["ok", 1, 2],
        ["stop"],
        ["error", "no", "list", 1],
        ["call", 0, [], {}],
        ["call", 0, [], {1: 2}],
        "ok",
        None,
        {"ok": 1},
    ],
)
def test_replies_outside_the_protocol_are_refused(reply):
    ours, theirs = socket.socketpair()
    frames.send(theirs, msgpack.packb(reply))
    with pytest.raises(frames.WireError):
        Session(ours).ask("len", 0)


def test_names_that_were_not_asked_for_are_refused():
    ours, theirs = socket.socketpair()
    frames.send(theirs, msgpack.packb(["ok", {"np": 1}]))
    with pytest.raises(frames.WireError):
        Session(ours).names(["answer"])


def examine(source):
    examiner = Examiner("import math\nimport numpy as np")
    examiner.attach(attach(run_student())[0])
    names = ("add", "answer", "broken", "liar", "count", "nothing", "stub")
    return examiner.run(compile_test(source, names), NOTHING)


@pytest.mark.parametrize(
    ("source", "outcome", "reason", "message"),
    [
        ("assert add(1, 2) == 3", result.PASSED, None, ""),
        ("assert add(1, 2) == 4, 'the sum is off'", result.FAILED, "check_failed", "the sum is off"),
        ("assert add(1, 2) == 4", result.FAILED, "check_failed", "The check was not true."),
        ("broken()", result.ERROR, "raised", "IndexError: list index out of range\nline 13 of the cell"),
        ("assert liar() == 1", result.ERROR, "unusable_value", "cannot compare"),
        ("nothing(1)", result.ERROR, "undefined", "'nothing' is not defined"),
        (
            "np.zeros(2) + np.zeros(3)",
            result.ERROR,
            "unusable_value",
            "could not use what your code defines or returns",
        ),
        ("raise SystemExit", result.ERROR, "unusable_value", "SystemExit"),
        ("raise EOFError('of the test')", result.ERROR, "unusable_value", "EOFError: of the test"),
        ("stub()", result.ERROR, "not_answered", "Your code raised NotImplementedError: write it"),
        ("def probe_a():\n    return answer + 1\nassert probe_a() == 43", result.PASSED, None, ""),
        ("math = None\nassert add(1, 1) == 2", result.PASSED, None, ""),
    ],
)
def test_verdicts(source, outcome, reason, message):
    done = examine(source)
    assert (done.outcome, done.reason, done.intact) == (outcome, reason, True)
    assert message in (sentences.message(done.reason, done.values) if reason else "")
    assert outcome != result.PASSED or done.trace == ""


def test_an_error_in_another_cell_names_the_line_that_led_there():
    cells = {
        1: "class Given:\n    def call(self, x):\n        return x[7]\n",
        2: "def answer(x):\n    return Given().call(x)\n",
    }
    names = {}
    for number, source in cells.items():
        exec(compile(source, f"/tmp/ipykernel_1/{number}.py", "exec"), names)
    with pytest.raises(IndexError) as raised:
        names["answer"]([])
    _, _, where = describe(raised.value)
    assert [line.strip() for line in where.splitlines()] == [
        "line 3 of one cell, in Given.call:",
        "called from line 2 of another cell, in answer:",
    ]


def test_the_words_of_a_quoted_line_are_the_students(tmp_path, monkeypatch):
    monkeypatch.setattr("coursekit.engine.kernel.agent._own_folder", str(tmp_path))
    module = tmp_path / "edges.py"
    module.write_text("def edge(x):\n    return x['edge of the cell']\n")
    names = {}
    exec(compile(module.read_text(), str(module), "exec"), names)
    exec(compile("def answer(x):\n    return edge(x)\n", "/tmp/ipykernel_1/2.py", "exec"), names)
    with pytest.raises(KeyError) as raised:
        names["answer"]({})
    assert "line 2 of edges.py, in edge: return x['edge of the cell']" in describe(raised.value)[2]


def test_an_error_in_no_line_of_the_student_is_not_called_one():
    done = examine("def probe_a():\n    return answer.requires_grad\nprobe_a()")
    assert (done.outcome, done.reason) == (result.ERROR, "unusable_value")
    assert "'int' object has no attribute 'requires_grad'" in done.values["text"]


def test_a_test_that_is_not_passed_has_a_trace_of_what_the_code_returned():
    trace = examine("add(1, 2)\nadd(np.ones(2), 1)\nassert answer == 42\nbroken()").trace
    assert trace.splitlines() == ["42", "3", "float64(2) 2 2", "!IndexError list_index_out_of_range"]


def test_tests_do_not_see_each_others_names():
    examiner = Examiner("import math")
    examiner.attach(attach({"answer": 1}, times=2)[0])
    for source, outcome in (("left = answer", result.PASSED), ("left", result.ERROR)):
        assert examiner.run(compile_test(source, ("answer",)), NOTHING).outcome == outcome


def test_a_test_that_is_not_python_is_the_instructors_fault():
    with pytest.raises(CourseError, match="# Test: sum' is not Python"):
        compile_test("# Test: sum\nassert add(1, 1) ==", ())
