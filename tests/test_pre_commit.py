"""The hooks of .pre-commit-config.yaml: in a clone with nothing wrong they pass, and each finds what it is for."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from small_course import ROOT

pytestmark = pytest.mark.slow
BINARIES = Path(sys.executable).parent
WEEK = "week1_attention/attention.ipynb"
HOOKS = ["ruff-check", "ruff-format", "nbstripout", "release"]


def git(*arguments, cwd):
    return subprocess.run(["git", *arguments], cwd=cwd, check=True, capture_output=True).stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A repository with this folder's files as they are now, and the environment beside them as `make setup` has it."""
    folder = tmp_path_factory.mktemp("hooks") / "clone"
    git("clone", "--quiet", "--shared", "--no-checkout", ROOT, folder, cwd=ROOT)
    for name in git("ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT).split(b"\0"):
        path = Path(os.fsdecode(name))
        if name and not path.is_relative_to("narration") and (ROOT / path).is_file():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes((ROOT / path).read_bytes())
    git("add", "--all", cwd=folder)
    (folder / ".venv").symlink_to(sys.prefix)
    return folder


def run(clone, hook, tmp_path):
    environment = os.environ | {"PRE_COMMIT_HOME": str(tmp_path)}
    command = [BINARIES / "pre-commit", "run", "--all-files", hook]
    done = subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True)
    assert "no files to check" not in done.stdout, done.stdout
    return done


@pytest.mark.parametrize("hook", HOOKS)
def test_nothing_is_found_where_nothing_is_wrong(clone, tmp_path, hook):
    done = run(clone, hook, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def with_outputs(text):
    notebook = json.loads(text)
    cell = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["1\n"]}]
    return json.dumps(notebook, indent=1) + "\n"


def replaced(old, new):
    return lambda text: text.replace(old, new, 1)


FILES = "coursekit/files.py"


@pytest.mark.parametrize(
    ("hook", "path", "spoil", "said"),
    [
        (
            "ruff-check",
            FILES,
            replaced("import os\n", "import os\nimport shelve\n"),
            "`shelve` imported but unused",
        ),
        ("ruff-check", f"source/{WEEK}", replaced("import math", "import math,os"), "E401"),
        ("ruff-format", FILES, lambda text: text + "x = {'a' : 1}\n", "would be reformatted"),
        ("nbstripout", f"source/{WEEK}", with_outputs, "attention.ipynb"),
        ("release", f"source/{WEEK}", replaced("softmax", "softest"), "Run `course release"),
        ("release", f"release/{WEEK}", replaced("softmax", "softest"), "Cells that differ"),
        ("release", "README.md", replaced("| 1 | [", "| one | ["), "README.md's table of weeks"),
    ],
)
def test_what_is_wrong_is_found(clone, tmp_path, hook, path, spoil, said):
    before = (clone / path).read_text(encoding="utf-8")
    assert spoil(before) != before
    try:
        (clone / path).write_text(spoil(before), encoding="utf-8")
        git("add", path, cwd=clone)
        done = run(clone, hook, tmp_path)
        assert done.returncode == 1 and said in done.stdout, done.stdout + done.stderr
    finally:
        (clone / path).write_text(before, encoding="utf-8")
        git("add", path, cwd=clone)
