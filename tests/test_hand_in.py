"""`hand_in` in the notebook: what it makes is the notebook as it stands, is graded as that, and nothing stops it."""

import dataclasses
import hashlib
import json
import os
import re
from pathlib import Path

import nbformat
import pytest
from damage.harness import saved_by_colab
from nbclient import NotebookClient

from coursekit.course.config import open_course
from coursekit.deliver.feedback.page import render
from coursekit.engine.coordinator.grade import grade
from coursekit.engine.shared.master import fill
from coursekit.engine.shared.result import GRADED
from coursekit.intake.submissions import read_submission

COURSE = open_course(Path(__file__).parent.parent)
WEEK = COURSE.weeks[0]
MASTER = COURSE.master(WEEK)
HALF = {
    "softmax": MASTER.solutions["softmax"].partition("    raise Not")[0],
    "causal_mask": "def causal_mask(length):\n    return None",
}


def answered(answers=HALF):
    """A student's notebook with these answers, its outputs still in it."""
    notebook = json.loads(fill(MASTER, answers))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["execution_count"] = 3
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 10_000}]
    return notebook


def test_on_colab(tools, colab, capsys, tmp_path, servers):
    """From the browser's notebook to the mark: one file, its receipt on both ends, the same score as the notebook's."""
    colab.ipynb = answered()
    saved_by_colab(colab.ipynb)
    colab.ipynb["cells"][2]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 100_000}]
    tools["hand_in"](" s 12/34 ")
    said = capsys.readouterr().out
    (made,) = tmp_path.glob("*.ipynb")
    assert made.name == "week1_attention__s-12-34.ipynb" and colab.downloads == [str(made)]
    data = made.read_bytes()
    receipt = re.search(r"receipt is ([0-9a-f]{12})\.", said)[1]
    assert hashlib.sha256(data).hexdigest().startswith(receipt)
    assert b"xxxx" not in data, "outputs are not handed in"
    nbformat.validate(nbformat.reads(data.decode(), 4))

    folder = tmp_path / "submitted" / "s-12-34" / WEEK.name
    folder.mkdir(parents=True)
    made.rename(folder / made.name)
    with read_submission(dataclasses.replace(COURSE, root=tmp_path), WEEK, "s-12-34") as arrived:
        result = grade(MASTER, arrived, COURSE.limits, servers).result
    straight = grade(MASTER, fill(MASTER, HALF), COURSE.limits, servers).result
    assert straight.status == GRADED and straight.score > 0
    assert [test.score for test in result.tests] == [test.score for test in straight.tests]
    page = render(MASTER, result, None)
    assert f"receipt <code>{receipt}</code>" in page and made.name in page


def test_what_is_still_open_is_said_and_stops_nothing(tools, colab, capsys, tmp_path):
    colab.ipynb = answered()
    tests = {cell.grade_id: cell.source for cell in MASTER.cells if cell.role == "test"}
    exec(HALF["softmax"] + "\n" + HALF["causal_mask"], tools)
    tools["In"] += [tests["softmax_rows"], tests["causal_mask_values"]]
    tools["hand_in"]("anna")
    said = capsys.readouterr().out
    still = "is still in: attention, padding_mask, scaling, self_attention.\nNothing is written yet in: why_three."
    assert still in said, said
    assert "causal_mask_values (fails)" in said and "attention_worked (not run)" in said
    assert "softmax_rows (" not in said
    assert len(colab.downloads) == 1


def test_modules_that_grading_lacks_are_named(tools, colab, capsys, tmp_path, monkeypatch):
    """Of those that are here; a student's own module is one of them."""
    colab.ipynb = answered()
    (tmp_path / "helper.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    sources = (
        "import numpy as np, pytest, os.path\nfrom msgpack import packb\nimport not_here\nfrom . import x",
        "def plot():\n    import coursekit.cli as c\n    from helper import twice",
        "from google.colab import drive\n!pip install einops\nimport scipy.special, sklearn",
    )
    for source in sources:
        colab.ipynb["cells"].append({"cell_type": "code", "metadata": {}, "source": source, "outputs": []})
    colab.ipynb["cells"].append({"cell_type": "markdown", "metadata": {}, "source": "import jupyterlab"})
    tools["hand_in"]("anna")
    said = capsys.readouterr().out
    assert "it cannot import coursekit, helper, msgpack, pytest: write your answers without it." in said
    assert len(colab.downloads) == 1


@pytest.mark.parametrize("week", COURSE.weeks, ids=lambda week: week.name)
def test_what_the_course_itself_imports_is_not_named(tools, monkeypatch, week):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    assert tools["not_importable"](json.loads(fill(COURSE.master(week), {}))) == []


@pytest.mark.parametrize(
    ("student", "on_screen", "sentence"),
    [
        *((nobody, True, "type your student id") for nobody in ("", "  ", "//")),
        ("anna", False, "cannot be read from here"),  # the browser does not answer
    ],
)
def test_where_no_file_is_made_it_says_what_to_do(
    student, on_screen, sentence, tools, colab, capsys, tmp_path
):
    colab.ipynb = answered() if on_screen else None
    tools["hand_in"](student)
    said = capsys.readouterr().out
    assert sentence in said and ("week1_attention__anna.ipynb" in said) == (not on_screen)
    assert list(tmp_path.iterdir()) == []


def test_a_notebook_with_broken_cells_is_handed_in_all_the_same(tools, colab, capsys, tmp_path):
    colab.ipynb = answered()
    colab.ipynb["cells"][3]["metadata"] = {"nbgrader": {"solution": True}}
    colab.ipynb["cells"][3]["source"] = 'raise NotImplementedError("week 1")'
    colab.ipynb["cells"][4]["source"] = "lone \ud800 surrogate"
    tools["hand_in"]("anna")
    assert "Its receipt is" in capsys.readouterr().out
    assert len(list(tmp_path.iterdir())) == 1 and len(colab.downloads) == 1


def test_a_folder_that_cannot_be_written(tools, colab, capsys, monkeypatch, tmp_path):
    colab.ipynb = answered()
    (tmp_path / "week1_attention__anna.ipynb").mkdir()
    tools["hand_in"]("anna")
    assert "cannot be written (Is a directory)" in capsys.readouterr().out and colab.downloads == []


@pytest.mark.parametrize("named_by", ["JupyterLab", "VS Code", "nobody"])
def test_beside_a_file(named_by, tools, capsys, monkeypatch, tmp_path):
    """The open file is taken, where it is known; else the newest of this week."""
    empty = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    files = {"attention.ipynb": answered(), "older copy.ipynb": answered({}), "another.ipynb": empty}
    files |= {"week1_attention__anna.ipynb": answered({}), "broken.ipynb": "{"}
    for number, (name, content) in enumerate(files.items()):
        (tmp_path / name).write_text(content if isinstance(content, str) else json.dumps(content))
        os.utime(tmp_path / name, (1_700_000_000 - 100 * number, 1_700_000_000 - 100 * number))
    taken = "attention.ipynb" if named_by == "nobody" else "older copy.ipynb"
    if named_by == "JupyterLab":
        monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / taken))
    elif named_by == "VS Code":
        tools["__vsc_ipynb_file__"] = str(tmp_path / taken)
    tools["hand_in"]("anna")
    said = capsys.readouterr().out
    assert f"It was made from {taken} as saved at" in said and "what you have changed since then" in said
    made = json.loads((tmp_path / "week1_attention__anna.ipynb").read_text())
    assert [cell["source"] for cell in made["cells"]] == [cell["source"] for cell in files[taken]["cells"]]


@pytest.mark.slow
def test_in_a_real_kernel(tmp_path, monkeypatch):
    """The released notebook with an answer and an id in it, all cells run, nothing beside it."""
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    notebook = nbformat.reads(fill(MASTER, HALF).decode(), 4)
    hand_in = notebook.cells[-1]
    hand_in.source = hand_in.source.replace('student_id = ""', 'student_id = "s07"')
    nbformat.write(notebook, tmp_path / "mine.ipynb")
    NotebookClient(notebook, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    said = "".join(output.get("text", "") for output in hand_in.outputs)
    assert "Your file is week1_attention__s07.ipynb" in said, hand_in.outputs
    assert "is still in: attention, padding_mask" in said and "causal_mask_values (fails)" in said
    made = nbformat.read(tmp_path / "week1_attention__s07.ipynb", 4)
    assert not any(cell.get("outputs") for cell in made.cells)
