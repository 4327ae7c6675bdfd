"""`hand_in` in the notebook of week 1, with a server: from the last cell to the table of points."""

import csv
import io
import json
import re

import nbformat
import pytest
from command import course_here
from nbclient import NotebookClient
from small_course import copy_course
from test_hand_in import HALF, MASTER, WEEK, answered
from test_serve import serving

from coursekit.engine.shared.master import fill


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """(address, Ada's code) of a server for the repository's own first week."""
    root = tmp_path_factory.mktemp("served")
    copy_course(root, f"source/{WEEK.name}", "nbgrader_config.py")
    settings, first, *_ = (root / "course.toml").read_text(encoding="utf-8").split("[[weeks]]")
    (root / "course.toml").write_text(f"{settings}[[weeks]]{first}", encoding="utf-8")
    (root / "roster.csv").write_text("student id\nada\n")
    code = next(csv.DictReader(io.StringIO(course_here(root, "codes").stdout)))["code"]
    with serving(root) as address:
        yield address, code


@pytest.fixture
def with_server(tools, served, monkeypatch):
    tools["SERVER"], code = served
    monkeypatch.setenv("COURSE_CODE", code)
    return tools


def test_on_colab(with_server, colab, capsys, tmp_path):
    colab.ipynb = answered(MASTER.solutions)
    with_server["hand_in"]("ada")
    said = capsys.readouterr().out
    assert re.search(r"Handed in: \d\d:\d\d:\d\d. Receipt: [0-9a-f]{12}\. 9 attempts left\.", said), said
    points = sum(cell.points for cell in MASTER.cells if cell.points and cell.role == "test")
    assert f"Points from tests: {points:g} of {points:g}" in said
    assert re.search(r"Your page: .*/hand-ins/[\w-]{16}", said)
    assert list(tmp_path.glob("*.ipynb")) == []  # no file is needed
    with_server["hand_in"]("ada")
    assert "exactly this before" in capsys.readouterr().out


def test_without_a_student_id_nothing_is_sent(with_server, colab, capsys):
    colab.ipynb = answered()
    with_server["hand_in"]("")
    assert "Nothing was handed in yet" in capsys.readouterr().out


def test_a_wrong_code_is_asked_for_again(with_server, colab, capsys, tmp_path, monkeypatch):
    monkeypatch.delenv("COURSE_CODE")
    typed = iter(["wrong", "wrong again"])
    monkeypatch.setattr("getpass.getpass", lambda prompt: next(typed))
    colab.ipynb = answered()
    for _ in range(2):
        with_server["hand_in"]("ada")
        said = capsys.readouterr().out
        assert "This code is not known" in said
        assert "Nothing was handed in" in said
    assert list(tmp_path.glob("*.ipynb")) == []


@pytest.mark.parametrize("address", ["http://127.0.0.1:1", "https://course.invalid"])
def test_where_no_server_is_reached_there_is_a_file(address, with_server, colab, capsys, tmp_path):
    with_server["SERVER"] = address
    colab.ipynb = answered()
    with_server["hand_in"]("ada")
    said = capsys.readouterr().out
    assert "cannot be reached" in said
    assert "Your file is week1_attention__ada.ipynb" in said
    (made,) = tmp_path.glob("*.ipynb")
    assert colab.downloads == [str(made)]


def test_the_code_is_not_in_what_is_handed_in(with_server, served, colab, monkeypatch, tmp_path):
    sent = []
    send = with_server["ask_server"]

    def ask(path, code, data=None):
        sent.append(data or b"")
        return send(path, code, data)

    monkeypatch.setitem(with_server, "ask_server", ask)
    colab.ipynb = answered(HALF)
    with_server["hand_in"]("ada")
    assert json.loads(sent[0])
    assert served[1].encode() not in b"".join(sent)


@pytest.mark.slow
def test_in_a_real_kernel(served, tmp_path, monkeypatch):
    """The released notebook with solutions in it, all cells run, as JupyterLab saves it."""
    address, code = served
    monkeypatch.setenv("COURSE_CODE", code)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    notebook = nbformat.reads(fill(MASTER, MASTER.solutions).decode(), 4)
    for cell in notebook.cells:
        cell.source = cell.source.replace('SERVER = ""', f'SERVER = "{address}"')
    hand_in = notebook.cells[-1]
    hand_in.source = hand_in.source.replace('student_id = ""', 'student_id = "ada"')
    nbformat.write(notebook, tmp_path / "mine.ipynb")
    NotebookClient(notebook, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    said = "".join(output.get("text", "") for output in hand_in.outputs)
    # The written answer is the student's own to write.
    assert re.search(r"Answered: 6 of 7 questions. Points from tests: (\d+) of \1\.", said), hand_in.outputs
