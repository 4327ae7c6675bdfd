"""`refusing` in a lesson's tools: visible tests refuse in the student's notebook what the grader refuses."""

import contextlib
import io

import pytest
from small_course import ROOT

from coursekit.course.config import open_course

NAMES = ("torch.softmax", "torch.nn.functional.softmax", "torch.nn.LayerNorm", "numpy.logaddexp")
READY_MADE = {
    "by its name": "def answer(x):\n    return torch.softmax(x, 0)",
    "by the name of its module": "def answer(x):\n    return F.softmax(x, 0)",
    "imported under another name": "from torch import softmax as weigh\ndef answer(x):\n    return weigh(x, 0)",
    "a class": "def answer(x):\n    return nn.LayerNorm(2)(x)",
    "a class, imported": "from torch.nn import LayerNorm\ndef answer(x):\n    return LayerNorm(2)(x)",
    "a subclass": "class Own(nn.LayerNorm):\n    pass\ndef answer(x):\n    return Own(2)(x)",
    "a method of it": "def answer(x):\n    return np.logaddexp.reduce(x.numpy(), keepdims=True)",
    "of a class": "class answer:\n    def __new__(cls, x):\n        return torch.softmax(x, 0)",
}


@pytest.fixture(scope="module")
def notebook():
    """The names of a student's notebook whose setup cells have run."""
    course = open_course(ROOT)
    namespace = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(course.master(course.weeks[0]).setup_source, namespace)
    return namespace


@pytest.mark.parametrize("source", READY_MADE.values(), ids=READY_MADE)
def test_a_ready_made_function_is_refused_and_works_again_afterwards(notebook, source):
    exec(source, notebook)
    answer, values = notebook["answer"], notebook["torch"].tensor([0.0, 3.0])
    refused = pytest.raises(AssertionError, match="does not work while your notebook is graded")
    with refused, notebook["refusing"](answer, *NAMES):
        answer(values)
    assert len(answer(values)) in (1, 2)


def test_an_answer_of_ones_own_is_called_as_ever_and_the_test_keeps_its_names(notebook):
    exec("def answer(x):\n    return x.exp() / x.exp().sum()", notebook)
    exec(f"with refusing(answer, *{NAMES}):\n    got = answer(torch.zeros(2))", notebook)
    assert notebook["got"].tolist() == [0.5, 0.5]


def test_the_grader_refuses_by_itself(notebook):
    """There the answer is a stand-in, and the examiner runs the course's own definitions, which may use anything."""
    with notebook["refusing"](object(), *NAMES):
        assert notebook["torch"].softmax(notebook["torch"].zeros(2), 0).tolist() == [0.5, 0.5]
