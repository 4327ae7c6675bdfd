"""Week 1's notebook as a student meets it: filled, unfilled, and opened in JupyterLab."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from coursekit.course import open_course
from coursekit.master import SOLUTION_CELL, fill
from coursekit.repair import same_code

ROOT = Path(__file__).parent.parent
COURSE = open_course(ROOT)
WEEK = COURSE.week("week1_attention")


def execute(notebook):
    NotebookClient(notebook, allow_errors=True, kernel_name="python3", timeout=300).execute()
    return [(cell.id, output) for cell in notebook.cells for output in cell.get("outputs", [])]


@pytest.mark.slow
def test_filled_it_runs_clean_from_top_to_bottom():
    outputs = execute(nbformat.read(COURSE.source(WEEK), 4))
    assert [cell for cell, output in outputs if output.output_type == "error"] == []
    assert [output.text for _, output in outputs if output.get("name") == "stderr"] == []
    pictures = [cell for cell, output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) >= 5
    for cell, output in outputs:  # a picture needs words: something is printed beside each
        if cell in pictures and output.output_type == "stream":
            pictures.remove(cell)
    assert pictures == []


@pytest.mark.slow
def test_unfilled_it_runs_to_its_end_with_only_what_is_missing():
    errors = [
        (cell, output.ename, output.evalue)
        for cell, output in execute(nbformat.read(COURSE.release(WEEK), 4))
        if output.output_type == "error"
    ]
    assert errors and {name for _, name, _ in errors} == {"NotImplementedError"}
    assert all(re.match(r"week 1, \w+: ", message) for _, _, message in errors)


def test_the_release_is_what_fill_makes_of_no_answers():
    """What the tests and the demo take for an untouched notebook is the one that students get."""
    master = COURSE.master(WEEK)
    made = nbformat.reads(fill(master, {}).decode(), 4)
    released = nbformat.read(COURSE.release(WEEK), 4)
    for ours, theirs, cell in zip(made.cells, released.cells, master.cells, strict=True):
        if cell.role == SOLUTION_CELL:  # nbgrader leaves a comment there
            assert same_code(ours.source, theirs.source)
        else:
            assert ours.source.strip() == theirs.source.strip()


@pytest.mark.slow
def test_it_opens_in_jupyterlab_without_a_warning(chromium, tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "attention.ipynb").write_bytes(COURSE.release(WEEK).read_bytes())
    environment = os.environ | {
        "HOME": str(tmp_path),
        "JUPYTER_CONFIG_DIR": str(tmp_path / "config"),
        "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime"),
        "JUPYTER_DATA_DIR": str(tmp_path / "data"),
    }
    command = [
        sys.executable,
        "-m",
        "jupyter",
        "lab",
        "--no-browser",
        "--allow-root",
        "--ip=127.0.0.1",
        "--port=0",
    ]
    command += ["--ServerApp.token=", "--LabApp.news_url=None", "--LabApp.check_for_updates_class="]
    command[-1] += "jupyterlab.NeverCheckForUpdate"
    server = subprocess.Popen(
        command,
        cwd=tmp_path / "work",
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        stdout=subprocess.DEVNULL,
    )
    try:
        address = None
        for line in server.stderr:
            if found := re.search(r"http://127\.0\.0\.1:\d+/", line):
                address = found[0]
                break
        assert address, "the server did not start"
        context = chromium.new_context()
        context.route(lambda url: "127.0.0.1" not in url, lambda route: route.abort())
        page = context.new_page()
        page.goto(f"{address}lab/tree/attention.ipynb")
        page.wait_for_selector(".jp-Notebook .jp-MarkdownCell h1:has-text('Week 1')", timeout=60_000)
        page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)
        page.wait_for_timeout(3000)  # a warning comes as a dialog or a notification a moment later
        assert page.locator(".jp-Dialog").count() == 0
        toasts = page.locator(".jp-toast-message").all_inner_texts()
        assert [toast for toast in toasts if "Jupyter news" not in toast] == [], "asked of every new user"
        assert page.locator(".jp-Notebook .katex-error, .jp-Notebook merror").count() == 0
        context.close()
    finally:
        server.terminate()
        server.communicate(timeout=20)
