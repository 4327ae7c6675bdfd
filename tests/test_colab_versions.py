"""Every notebook as Colab runs it: its versions, its folder, its own package, with and without a network.

What stands for Colab here: IPython 7.34 and the versions of tests/colab/requirements.txt in a venv of their own, a
folder with nothing of the course in it, the package tests/colab/stand_in, and a save as Colab makes it.
"""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest
from damage.harness import saved_by_colab
from nbclient import NotebookClient
from own_environment import make_environment
from quick import ALL
from small_course import ROOT
from static_site import serving

from coursekit.authoring.checks.execution import NotebookRun, check_unfilled, errors, execute
from coursekit.authoring.publish.publish import publish
from coursekit.course.config import open_course

COURSE = open_course(ROOT)
HERE = ROOT / "tests" / "colab"
OTHER_PYTHONS = ("3.12", "3.13")


@pytest.fixture(scope="module")
def colab(tmp_path_factory):
    """Path of a Python that has Colab's versions."""
    folder = tmp_path_factory.mktemp("colab")
    return make_environment(folder, "-r", str(HERE / "requirements.txt"), beside=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Address of the published course."""
    folder = tmp_path_factory.mktemp("site")
    publish(COURSE, list(COURSE.weeks), folder)
    with serving(folder) as address:
        yield address


@dataclass
class Content:
    """What Colab's /content holds after a notebook was run, and what its cells said."""

    run: NotebookRun
    folder: Path

    def said(self, cell: str) -> str:
        return "".join(output.get("text", "") for name, output in self.run.outputs if name == cell)

    def shown(self, cell: str) -> str:
        return "".join(
            output.get("data", {}).get("text/html", "") for name, output in self.run.outputs if name == cell
        )


def run_on_colab(data: bytes, folder: Path, python: str, *, network: bool) -> Content:
    """Run all cells in a folder as Colab's; without a network the kernel is alone with a loopback of its own."""
    notebook = nbformat.reads(data.decode(), 4)
    content, browser = folder / "content", folder / "browser.ipynb"
    (content / "sample_data").mkdir(parents=True)
    browser.write_bytes(data)
    place = {"metadata": {"path": str(content)}}
    client = NotebookClient(notebook, allow_errors=True, kernel_name="python3", timeout=300, resources=place)
    manager = client.create_kernel_manager()
    manager.kernel_spec.argv[0] = python
    if not network:
        manager.kernel_spec.argv[:0] = ["unshare", "--map-root-user", "--net"]
        manager.transport, manager.ip = "ipc", str(folder / "kernel")
    kept = {key: value for key, value in os.environ.items() if "proxy" not in key.lower()}
    kept |= {"PYTHONPATH": str(HERE / "stand_in"), "COLAB_NOTEBOOK": str(browser)}
    kept["OMP_WAIT_POLICY"] = "PASSIVE"
    kept.pop("JPY_SESSION_NAME", None)
    client.execute(env=kept)
    run = NotebookRun()
    for cell in notebook.cells:
        name = cell.metadata.get("id", cell.get("id", ""))
        run.outputs += [(name, output) for output in cell.get("outputs", [])]
    return Content(run, content)


def as_saved(data: bytes) -> bytes:
    notebook = json.loads(data)
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    saved_by_colab(notebook)
    return json.dumps(notebook, indent=1).encode()


# With and without a network, as published and as Colab saves it: the weeks have these in turn, so that each is tried
# twice. Every fourth week is filled in; `course check` runs them all filled in, on this machine's versions. COURSE_ALL
# does it all.
WAYS = [(False, False), (True, True), (False, True), (True, False)]
RUNS = [
    pytest.param(
        week, *way, id=f"{week.name}-{'online' if way[0] else 'offline'}-{'saved' if way[1] else 'new'}"
    )
    for number, week in enumerate(COURSE.weeks)
    for way in (WAYS if ALL else WAYS[number % 4 :][:1])
]


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("week", "network", "saved"), RUNS)
def test_a_release_runs_to_its_last_cell(week, network, saved, colab, site, tmp_path):
    """Nothing but what the student has yet to write is missing; the last cell makes the file that is handed in."""
    data = COURSE.release(week).read_bytes().replace(COURSE.repository.files().encode(), site.encode())
    assert data.count(site.encode()) > len(COURSE.weeks)
    data = data.replace(b'student_id = \\"\\"', b'student_id = \\"s07\\"')
    data = data.replace(b'question = \\"\\"', b'question = \\"what now?\\"')
    content = run_on_colab(as_saved(data) if saved else data, tmp_path, colab, network=network)
    assert check_unfilled(content.run, COURSE.master(week)) == []
    assert [output.text for _, output in content.run.outputs if output.get("name") == "stderr"] == []
    assert "numpy 2.1.3" in content.said("tools") and "matplotlib 3.10.0" in content.said("tools")
    assert "This notebook runs on the CPU" in content.said("tools")

    players = [cell.cell_id for cell in COURSE.master(week).cells if cell.cell_id.startswith("play-")]
    assert len(players) >= 8 and all(
        f'src="{site}narration/{week.name}/' in content.shown(name) for name in players
    )
    no_model = (
        "The assistant does not answer (ConnectionError)" if network else "The tutor's rules cannot be read"
    )
    assert no_model in content.said("tutor")
    if week.name == "week5_tokenizer":
        assert ("excerpt" in content.said("text").lower()) is not network, content.said("text")
    said = content.said("hand-in")
    assert f"Your file is {week.name}__s07.ipynb" in said and "is still in:" in said
    made = content.folder / f"{week.name}__s07.ipynb"
    assert f"the browser downloads {made}" in said
    assert [path.name for path in content.folder.iterdir() if path.suffix == ".ipynb"] == [made.name]
    assert not any(cell.get("outputs") for cell in nbformat.read(made, 4).cells)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("week", COURSE.weeks[:: 1 if ALL else 4], ids=lambda week: week.name)
def test_it_runs_filled_in(week, colab):
    run = execute(COURSE.notebook(week), COURSE.data_files(week), python=colab)
    assert errors(run) == []
    assert [output.text for _, output in run.outputs if output.get("name") == "stderr"] == []


@pytest.mark.slow
@pytest.mark.parametrize("version", OTHER_PYTHONS)
def test_newer_pythons_read_it_without_a_warning(version):
    """PyTorch's build for the CPU is for one Python alone, so here newer ones can read the cells and not run them."""
    own = Path.home().glob(f".pyenv/versions/{version}.*/bin/python")
    python = shutil.which(f"python{version}") or next(own, None)
    if python is None:
        pytest.skip(f"there is no Python {version} on this machine")
    check = "import json, sys\nfor source in json.load(sys.stdin): compile(source, 'cell', 'exec')"
    for week in COURSE.weeks:
        sources = [cell.source for cell in COURSE.master(week).cells if cell.kind == "code"]
        command = [python, "-W", "error", "-c", check]
        done = subprocess.run(command, input=json.dumps(sources), capture_output=True, text=True)
        assert done.returncode == 0, f"{week.name}: {done.stderr}"
