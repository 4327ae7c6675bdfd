"""Cells that train use one thread of torch: `course check` asks it of what they do, not of what they say."""

import pytest
from small_course import code, notebook_of

from coursekit.authoring.checks.execution import check_threads, execute, threads_of
from coursekit.engine.shared.master import read_master

ONE = "torch.set_num_threads(1)"
TRAINING = """
weight = torch.ones(2, requires_grad=True)
optimizer = torch.optim.SGD([weight], lr=0.1)
weight.sum().backward()
optimizer.step()
"""
BY_HAND = """
weight = torch.ones(2, requires_grad=True)
weight.sum().backward()
with torch.no_grad():
    weight -= 0.1 * weight.grad
"""
WITHOUT_BACKWARD = """
weight = torch.ones(2, requires_grad=True)
weight.grad, = torch.autograd.grad(weight.sum(), [weight])
torch.optim.Adam([weight]).step()
"""


def run(sources):
    """(run, master) of a notebook with these cells, {id: source}; `setup` is the setup cell."""
    cells = [code(key, source, tags=["setup"] if key == "setup" else []) for key, source in sources.items()]
    data = notebook_of(*cells)
    done = execute(data)
    assert [output for _, output in done.outputs if output.output_type == "error"] == []
    return done, read_master(data, "week1_small", "small")


@pytest.mark.slow
def test_a_cell_that_trains_with_torchs_own_number_of_threads_is_a_problem(monkeypatch):
    """Also on a machine with one core, or where the shell says one thread."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv("MKL_NUM_THREADS", "1")
    done, master = run(
        {
            "setup": "import torch",
            "trains": TRAINING,
            "by-hand": BY_HAND,
            "without-backward": WITHOUT_BACKWARD,
            "computes": "torch.ones(2) @ torch.ones(2)",
            "function": "def train():" + TRAINING.replace("\n", "\n    "),
            "calls": "train()",
        }
    )
    assert threads_of(done) == dict.fromkeys(("trains", "by-hand", "without-backward", "calls"), 2)
    problems = check_threads(done, master)
    assert len(problems) == 4
    assert all("write torch.set_num_threads(1) in cell setup" in problem for problem in problems)


@pytest.mark.slow
def test_the_number_counts_while_the_cell_trains():
    done, master = run(
        {
            "setup": "import torch\n" + ONE,
            "one": TRAINING,
            "raises-it-afterwards": TRAINING + "torch.set_num_threads(3)",
            "overridden": TRAINING,
            "own": ONE + TRAINING,
            "raises-it-halfway": TRAINING + "torch.set_num_threads(2)" + TRAINING,
        }
    )
    once = dict.fromkeys(("one", "raises-it-afterwards", "own"), 1)
    assert threads_of(done) == once | {"overridden": 3, "raises-it-halfway": 2}
    cells = [problem.split()[1] for problem in check_threads(done, master)]
    assert cells == ["overridden", "raises-it-halfway"]


@pytest.mark.slow
def test_a_cell_that_imports_torch_and_trains_is_seen_and_one_without_torch_is_left_alone():
    done, master = run({"plain": "print(sum([1]))", "all-in-one": "import torch" + TRAINING})
    assert threads_of(done) == {"all-in-one": 2}
    (problem,) = check_threads(done, master)
    assert "cell all-in-one" in problem and "a cell tagged `setup`" in problem
