"""Cells that stand in the notebook more than once."""

from damage.harness import copied, damaged, token


@damaged(repairs={"duplicate_answer_dropped"})
def answer_first(submission):
    """The released cell pasted back below the answer, to compare, and left there."""
    stub = copied(submission.cell("attention"), submission.stub("attention"))
    submission.cells.insert(submission.place("attention") + 1, stub)


@damaged(repairs={"duplicate_answer_dropped"}, flags={"several_answers"})
def edited_copy(submission):
    """A first try that is wrong, and a copy of it, put right, below: two answers under one name."""
    cell = submission.cell("softmax")
    submission.cells.insert(submission.place("softmax") + 1, copied(cell, cell["source"]))
    cell["source"] = "def softmax(x, axis=-1):\n    return x / x.sum(axis, keepdims=True)"


@damaged(week="week2_multi_head", repairs={"duplicate_answer_dropped", "duplicate_dropped", "reordered"})
def everything_twice(submission):
    """Select all, copy, paste: the whole notebook a second time below itself, the first time without answers."""
    empty = submission.empty()["cells"]
    for cell in empty:
        if "nbgrader" not in cell["metadata"]:
            cell["id"] = token(cell["id"])
    submission.notebook["cells"] = empty + submission.cells


@damaged(repairs={"duplicate_answer_dropped"})
def scratch_copies(submission):
    """Copies of an answer's cell used as scratch paper: three more cells with its name, none of them an answer."""
    place = submission.place("causal_mask")
    cell = submission.cell("causal_mask")
    for source in ("causal_mask(3)", "torch.tril(torch.ones(2, 2))", "length = 4"):
        submission.cells.insert(place + 1, copied(cell, source))


@damaged(repairs={"duplicate_answer_dropped"})
def stub_first(submission):
    """The released cell kept as a template: the answer stands in a pasted copy below it."""
    cell = submission.cell("attention")
    submission.cells.insert(submission.place("attention") + 1, copied(cell, cell["source"]))
    cell["source"] = submission.stub("attention")


@damaged(repairs={"duplicate_dropped", "reordered"})
def test_twice(submission):
    """A test pasted a second time further up, and one given cell as well."""
    submission.cells.insert(submission.place("attention"), copied(submission.cell("attention_mask")))
    submission.cells.insert(submission.place("scaling"), copied(submission.cell("setup")) | {"id": "setup"})
