"""What "from scratch" refuses, how far it reaches, and that nothing of it is left afterwards."""

import functools
import itertools
import json
import math
import statistics
import sys
import types
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.onnx.ops
from small_course import cells, code, triple_cells
from student_kernel import run
from torch import nn
from torch.distributions import Categorical, kl_divergence
from torch.nn import functional as F
from torch.nn.attention.flex_attention import flex_attention

from coursekit.course.config import open_course
from coursekit.engine.coordinator.grade import grade
from coursekit.engine.coordinator.kernel_client import StudentKernel
from coursekit.engine.kernel import torch_operators as operators_module
from coursekit.engine.kernel.from_scratch import blocked
from coursekit.engine.kernel.torch_operators import operators
from coursekit.engine.reader.bypass_hints import ALWAYS_SUSPICIOUS, bypass_flags, bypasses
from coursekit.engine.reader.repair import rebuild
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import GIVEN, SOLUTION_CELL, fill, read_master

X = torch.arange(24.0).reshape(2, 3, 4)
FOUR = X[None]
LABELS = torch.tensor([0, 3])
KEPT = {
    "alias": F.layer_norm,
    "module": nn.LayerNorm(4),
    "method": nn.TransformerDecoderLayer.forward,
    "scripted": torch.jit.trace(lambda x: torch.layer_norm(x, (4,)), X),
}


LAYER_NORM = "torch.nn.functional.layer_norm"
ATTENTION = "torch.nn.functional.scaled_dot_product_attention"
CROSS_ENTROPY = "torch.nn.CrossEntropyLoss"
COSINE = "torch.nn.CosineSimilarity"
WAYS = [
    (LAYER_NORM, lambda: F.layer_norm(X, (4,))),
    (LAYER_NORM, lambda: KEPT["alias"](X, (4,))),
    (LAYER_NORM, lambda: KEPT["module"](X)),
    (LAYER_NORM, lambda: KEPT["scripted"](X)),
    (LAYER_NORM, lambda: ThreadPoolExecutor(1).submit(torch.layer_norm, X, (4,)).result()),
    (LAYER_NORM, lambda: torch.native_layer_norm(X, (4,), None, None, 1e-5)),
    (LAYER_NORM, lambda: torch.ops.aten.native_layer_norm.default(X, (4,), None, None, 1e-5)),
    (LAYER_NORM, lambda: torch.layer_norm(X.clone().requires_grad_(), (4,))),
    (LAYER_NORM, lambda: torch.vmap(lambda x: torch.layer_norm(x, (4,)))(X)),
    (
        LAYER_NORM,
        lambda: torch.layer_norm(torch.nested.as_nested_tensor([X[0]]), (4,), torch.ones(4), torch.zeros(4)),
    ),
    (LAYER_NORM, lambda: torch._refs.native_layer_norm(X, (4,), None, None, 1e-5)),
    (LAYER_NORM, lambda: F.group_norm(X.reshape(6, 4), 1)),
    (LAYER_NORM, lambda: F.instance_norm(X)),
    (LAYER_NORM, lambda: F.batch_norm(X[0].T, None, None, training=True)),
    (LAYER_NORM, lambda: F.rms_norm(X, (4,))),
    (ATTENTION, lambda: F.scaled_dot_product_attention(X, X, X)),
    (ATTENTION, lambda: flex_attention(FOUR, FOUR, FOUR)),
    (ATTENTION, lambda: torch.ops.aten._scaled_dot_product_attention_math(X, X, X)),
    (ATTENTION, lambda: torch._C._nn.scaled_dot_product_attention(X, X, X)),
    (ATTENTION, lambda: nn.MultiheadAttention(4, 2)(X, X, X)),
    (ATTENTION, lambda: torch.ao.nn.quantizable.MultiheadAttention(4, 2)(X, X, X)),
    (ATTENTION, lambda: nn.TransformerEncoderLayer(4, 2, dropout=0.0)(X)),
    (CROSS_ENTROPY, lambda: F.cross_entropy(X[0, :2], LABELS)),
    (CROSS_ENTROPY, lambda: F.nll_loss(X[0, :2], LABELS)),
    (CROSS_ENTROPY, lambda: torch._C._nn.nll_loss2d(X[0, :2, :, None, None], LABELS[:, None, None])),
    (CROSS_ENTROPY, lambda: torch.distributions.Categorical(logits=X[0, :2]).log_prob(LABELS)),
    (COSINE, lambda: F.cosine_similarity(X, X)),
    (COSINE, lambda: F.cosine_embedding_loss(X[0], X[1], torch.ones(3))),
    (COSINE, lambda: torch.vmap(lambda x: torch.cosine_similarity(x, x, 0))(X)),
    ("torch.nn.Transformer", lambda: KEPT["method"](nn.TransformerDecoderLayer(4, 2, dropout=0.0), X, X)),
    ("torch.nn.Transformer", lambda: nn.TransformerDecoderLayer(4, 2)._ff_block(X)),
    ("torch.softmax", lambda: X.softmax(-1)),
    ("torch.softmax", lambda: F.log_softmax(X, -1)),
    ("torch.softmax", lambda: torch.logsumexp(X, -1)),
    ("torch.softmax", lambda: X.to_mkldnn().softmax(-1)),
    ("torch.softmax", lambda: F.scaled_dot_product_attention(X, X, X)),
    ("torch.softmax", lambda: torch.distributions.transforms.SoftmaxTransform()(X)),
    ("torch.softmax", lambda: torch.distributions.transforms.StickBreakingTransform()(X)),
    ("torch.softmax", lambda: np.logaddexp(X[0], X[1])),
    ("torch.softmax", lambda: np.logaddexp.reduce(X.numpy(), axis=-1)),
    ("torch.softmax", lambda: torch.logaddexp(X[0], X[1])),
    (CROSS_ENTROPY, lambda: kl_divergence(Categorical(logits=X[0]), Categorical(logits=X[0]))),
    (COSINE, lambda: np.corrcoef(X[0])),
    (ATTENTION, lambda: torch.onnx.ops.attention(FOUR, FOUR, FOUR)),
    (ATTENTION, lambda: torch.ops.onnx.Attention(FOUR, FOUR, FOUR)),
    (ATTENTION, lambda: torch.onnx.ops._impl.attention_23(FOUR, FOUR, FOUR)),
    (
        ATTENTION,
        lambda: torch.onnx.ops.aten_decompositions()[torch.ops.onnx.Attention.opset23](FOUR, FOUR, FOUR),
    ),
    ("torch.special.entr", lambda: torch.special.entr(X)),
    ("torch.special.entr", lambda: torch._refs.special.entr(X)),
    # Functions in C that are no operators.
    ("torch.from_numpy", lambda: torch.from_numpy(X.numpy())),
    ("torch.tensor", lambda: torch.tensor([1.0])),
]


@pytest.mark.parametrize(("name", "call"), WAYS, ids=[f"{name}-{n}" for n, (name, _) in enumerate(WAYS)])
@pytest.mark.filterwarnings("ignore")
def test_a_function_is_refused_in_all_its_forms_and_works_again_later(name, call):
    call()
    for _ in range(2):
        with blocked([name]), pytest.raises(RuntimeError, match="is not available while this question is"):
            call()
    call()


def test_the_sentence_names_what_is_refused_and_what_was_called():
    refused = rf"^{LAYER_NORM} is not available [^,]* judged: build it yourself$"
    with blocked([LAYER_NORM]):
        with pytest.raises(RuntimeError, match=refused):
            F.layer_norm(X, (4,))
        with pytest.raises(RuntimeError, match=rf"^{LAYER_NORM} is .*, nor is group_norm, which can do its "):
            F.group_norm(X, 3)


def test_torch_is_as_it_was():
    names = sorted(name for word in ("layernorm", "softmax", "attention") for name in operators(word))
    assert len(names) > 10

    def state():
        return [torch._C._dispatch_dump(name) for name in names], F.multi_head_attention_forward.__code__

    before = state()
    for _ in range(3):
        with blocked(["torch.nn.LayerNorm", "torch.softmax", "torch.nn.MultiheadAttention", "no.such.thing"]):
            assert state()[0] != before[0]
    assert state() == before


@pytest.mark.parametrize("others", ["stay", "go", "come again"])
def test_what_is_imported_later_is_refused_too(others, monkeypatch):
    known = list(sys.modules)
    late = types.ModuleType("torch.late")
    exec("def late_softmax():\n    return 1", vars(late))
    try:
        operators_module.equivalents(["torch.softmax"])  # all that there is has been looked through
        monkeypatch.setitem(sys.modules, "torch.late", late)
        if others == "go":
            monkeypatch.delitem(sys.modules, known[-1])
        if others == "come again":
            monkeypatch.setitem(sys.modules, known[-1], sys.modules.pop(known[-1]))
        with blocked(["torch.softmax"]), pytest.raises(RuntimeError, match="nor is late_softmax"):
            late.late_softmax()
        assert late.late_softmax() == 1
    finally:
        operators_module._scanned_modules.discard("torch.late")


def test_what_is_by_hand_is_left_alone():
    with blocked([ATTENTION, LAYER_NORM, CROSS_ENTROPY, COSINE, "torch.nn.Transformer"]):
        mean, variance = torch.var_mean(X, -1)
        scores = (X @ X.mT).softmax(-1) @ X + F.linear(X, torch.eye(4)).relu()
        torch.log_softmax(scores, -1).norm().add(F.normalize(X).sum()).add(mean.sum())
        nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.1))(X)


def test_functions_of_other_packages():
    kept = statistics.mean
    with blocked(["statistics.mean", "math.hypot", "no.such.thing"]):
        for call, name in ((lambda: kept([1]), "statistics.mean"), (lambda: math.hypot(3, 4), "math.hypot")):
            with pytest.raises(RuntimeError, match=f"{name} is not available"):
                call()
    assert kept([1]) == 1 and math.hypot(3, 4) == 5


def test_a_function_of_numpys_under_all_its_names():
    kept = {"name": np.std, "partial": functools.partial(np.std, ddof=0)}
    values = np.array([1.0, 3.0])
    with blocked(["numpy.std"]):
        for ready in (np.std, *kept.values(), np.std.__wrapped__):
            with pytest.raises(RuntimeError, match=r"^numpy\.std is not available"):
                ready(values)
        assert values.std() == 1, "methods of arrays cannot be refused"
    assert [ready(values) for ready in kept.values()] == [1, 1]


# Cells that use a function that is not written in Python by a name that they have kept.
KEPT_NAMES = {
    "import": "from itertools import groupby\ndef runs(text):\n    return list(groupby(text))",
    "default": "def runs(text, kept=itertools.groupby):\n    return list(kept(text))",
    "keyword": "def runs(text, *, kept=itertools.groupby):\n    return list(kept(text))",
    "closure": "def make(kept):\n    def runs(text):\n        return list(kept(text))\n    return runs\n"
    "runs = make(itertools.groupby)",
    "decorated": "@functools.lru_cache\ndef runs(text, kept=itertools.groupby):\n    return list(kept(text))",
    "wrapped": "def twice(inner):\n    def runs(text):\n        return inner(text)\n    return runs\n"
    "@twice\ndef runs(text, kept=itertools.groupby):\n    return list(kept(text))",
    "partial": "kept = functools.partial(itertools.groupby)\ndef runs(text):\n    return list(kept(text))",
    "class": "class Runs:\n    kept = itertools.groupby\n    def of(self, text):\n"
    "        return list(Runs.kept(text))\nruns = Runs().of",
    "static": "class Runs:\n    kept = staticmethod(itertools.groupby)\n    def of(self, text):\n"
    "        return list(self.kept(text))\nruns = Runs().of",
    "method": "class Runs:\n    @staticmethod\n    def of(text, kept=itertools.groupby):\n"
    "        return list(kept(text))\nruns = Runs.of",
}


@pytest.mark.parametrize("case", KEPT_NAMES)
def test_what_a_notebook_has_kept_refuses_too_and_is_put_back(case):
    cells = {"__name__": "__main__", "itertools": itertools, "functools": functools}
    exec(KEPT_NAMES[case], cells)
    before = dict(cells)
    refused = pytest.raises(RuntimeError, match=r"^itertools\.groupby is not available")
    with blocked(["itertools.groupby"], cells), refused:
        cells["runs"]("aab")
    assert cells == before and len(list(cells["runs"]("aab"))) == 2


def test_what_the_code_gives_a_name_meanwhile_stays():
    cells = {"__name__": "__main__", "kept": itertools.groupby}
    with blocked(["itertools.groupby"], cells):
        cells["kept"] = 3
    assert cells["kept"] == 3


def test_nothing_else_of_a_notebook_is_touched():
    """Nor looked at: what compares equal to anything is left alone."""

    class Anything:
        __eq__ = __hash__ = __bool__ = __getattr__ = lambda *_: pytest.fail("looked at")

    cells = {"__name__": "__main__", "one": Anything(), "kind": Anything, "two": [itertools.groupby]}
    exec("def empty():\n    if False:\n        later = 1\n    return lambda: later\nempty = empty()", cells)
    before = {name: id(value) for name, value in cells.items()}
    with blocked(["itertools.groupby", "math.pi"], cells):
        assert {name: id(value) for name, value in cells.items()} == before
    assert math.pi > 3


@pytest.mark.slow
def test_an_answer_that_keeps_the_name_earns_nothing_and_one_that_imports_it_alone_earns_all(servers):
    answers = {
        "double": "from math import prod\ndef double(x):\n    return prod((2, x))",
        "triple": "import numpy as np\nfrom numpy import prod as product\ndef triple(x):\n    return x + x + x",
    }
    result = graded_with(servers, answers, double=["math.prod"], triple=["math.prod", "numpy.prod"]).result
    assert {test.question for test in result.tests if test.score} == {"triple"}
    messages = [test.message for test in result.tests if test.question == "double"]
    assert all("math.prod is not available" in message for message in messages)


def master(everywhere=(), **lists):
    """The small course with lists of what is refused; `double` is answered before `triple`, with no cell between."""
    notebook = {"cells": cells() + triple_cells(), "nbformat": 4, "nbformat_minor": 5}
    notebook["metadata"] = {"course": {"from_scratch": everywhere}}
    for cell in notebook["cells"]:
        if cell["id"] in lists:
            cell["metadata"]["course"] = {"from_scratch": lists[cell["id"]]}
    return read_master(json.dumps(notebook).encode(), "week1_attention", "attention")


def graded_with(servers, answers, **lists):
    week = master(**lists)
    return grade(week, fill(week, answers), Limits(), servers)


MEANS = {
    "double": "import statistics\nprint(statistics.mean([1]))\nkept = statistics.mean\ndef double(x):\n"
    "    return 2 * kept([x])",
    "triple": "print(statistics.mean([2]))\ndef triple(x):\n    return 3 * kept([x])",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lists", "questions"),
    [
        ({}, {"double", "triple"}),
        ({"double": ["statistics.mean"]}, {"triple"}),
        ({"triple": ["statistics.mean"]}, {"double"}),
        ({"everywhere": ["statistics.mean"]}, set()),
    ],
    ids=["no list", "double", "triple", "everywhere"],
)
def test_each_question_has_its_list_and_cells_may_use_what_tests_refuse(lists, questions, servers):
    graded = graded_with(servers, MEANS, **lists)
    tests = graded.result.tests
    assert {test.question for test in tests if test.score} == questions
    refused = {test.question for test in tests if "statistics.mean is not available" in test.message}
    assert refused == {"double", "triple"} - questions
    outputs = [cell.get("outputs", ()) for cell in json.loads(graded.notebook)["cells"]]
    assert {"1\n", "2\n"} <= {output.get("text") for some in outputs for output in some}


def test_a_name_is_looked_up_before_the_student_may_replace_it(servers):
    answer = "import statistics\nkept = statistics.mean\nstatistics.mean = None\n"
    answer += "def double(x):\n    return 2 * kept([x])"
    tests = graded_with(servers, {"double": answer}, double=["statistics.mean"]).result.tests
    assert not any(test.score for test in tests if test.question == "double")


@pytest.mark.parametrize("wrong", ["statistics.mean", [1], {"a": 1}])
def test_what_is_no_list_of_names_is_refused(wrong):
    with pytest.raises(CourseError, match="not a list of dotted names"):
        master(everywhere=wrong)


def test_the_kernel_refuses_only_while_it_serves(servers):
    source = "import torch\ntorch.softmax(torch.ones(2), 0).sum().item()"
    with closing(StudentKernel(servers, Limits(), ("torch.softmax",))) as kernel:
        assert run(kernel, source).ended == "ok"
        kernel.serve(("torch.softmax",))
        assert kernel.leave() == "ok"
        assert run(kernel, source).ended == "ok"


BYPASSES = [
    "torch.ops.aten.softmax",
    "from torch import _C",
    "torch._C._nn",
    "from torch.onnx.ops import attention",
    "from torch import onnx",
    "nn.Module.__subclasses__()",
    "import ctypes",
    "import subprocess; subprocess.run(['python', 'x.py'])",
    "import importlib; importlib.import_module('x')",
    "import importlib; importlib.reload(torch.nn.functional)",
    "torch.jit.script(triple)",
    "get_ipython; exec('x')",
    "triple.__code__",
    "import coursekit",
    "!python x.py",
]


@pytest.mark.parametrize("bypass", BYPASSES)
def test_a_bypass_in_an_answer_is_a_flag(bypass):
    week = master(double=["statistics.mean"])
    answers = {
        "double": f"{bypass}\ndef double(x):\n    return x + x",
        "triple": f"{bypass}\ndef triple(x):\n    return 3 * x",
    }
    (flag,) = bypass_flags(week, rebuild(week, fill(week, answers)).cells)
    assert (flag.kind, flag.cell) == ("from_scratch", "double")
    assert flag.values["uses"].startswith("`")
    nothing = master()
    assert bypass_flags(nothing, rebuild(nothing, fill(nothing, answers)).cells) == []


PATHS = sorted((Path(__file__).parent.parent / "answers").glob("*/*/*.py"))
COURSE = open_course(Path(__file__).parent.parent)


def test_no_answer_of_the_banks_is_flagged():
    """Nor any solution, nor what is given: an edit of a given cell holds that cell's text."""
    assert len(PATHS) > 300
    for path in PATHS:
        assert not bypasses(path.read_text(encoding="utf-8"), by_hand=True), path
    for week in COURSE.weeks:
        master = COURSE.master(week)
        assert bypass_flags(master, rebuild(master, fill(master, {})).cells) == []
        for cell in master.cells:
            if cell.role == SOLUTION_CELL:
                assert not bypasses(cell.source, by_hand=True)
            elif cell.role == GIVEN and cell.kind == "code":
                assert not ALWAYS_SUSPICIOUS.search(cell.source)


@pytest.mark.parametrize(
    ("source", "flagged"),
    [
        ("kept = torch.ops.aten.mean", True),
        ("import subprocess\nsubprocess.run('ls')", False),
        ("import importlib\nkept = importlib.import_module('x').mean", True),
        ("model.eval(); torch.__version__; %time 1", False),
        ("torch.jit.script(statistics.mean)", True),
        ("kept = torch.compile(statistics.mean)", False),
        ("import os; os.system('pip install x'); statistics.mean", False),
        ("import os; os.system('pip install x'); os.system('python y.py'); statistics.mean", True),
        ("!pip install x; statistics.mean", False),
    ],
)
def test_a_bypass_in_a_cell_of_the_students_own(source, flagged):
    week = master(double=["statistics.mean"])
    notebook = json.loads(fill(week, {}))
    notebook["cells"].append(code("own", source))
    flags = bypass_flags(week, rebuild(week, json.dumps(notebook).encode()).cells)
    assert [flag.cell.startswith("added-") for flag in flags] == [True] * flagged
