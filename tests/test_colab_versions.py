"""Every filled-in notebook on the versions that Colab has (tests/colab/requirements.txt), in a venv of their own."""

import subprocess
import sys
from pathlib import Path

import pytest

from coursekit.check.execution import errors, execute
from coursekit.course import open_course
from coursekit.release import companions

ROOT = Path(__file__).parent.parent
COURSE = open_course(ROOT)
REQUIREMENTS = ROOT / "tests" / "colab" / "requirements.txt"


@pytest.fixture(scope="module")
def colab(tmp_path_factory):
    """Path of a Python that has Colab's versions."""
    folder = tmp_path_factory.mktemp("colab")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS]
    subprocess.run(pip, check=True)
    return str(python)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("week", COURSE.weeks, ids=lambda week: week.name)
def test_it_runs_on_colab_versions(week, colab):
    run = execute(COURSE.notebook(week), companions(COURSE, week), python=colab)
    assert errors(run) == []
    assert [output.text for _, output in run.outputs if output.get("name") == "stderr"] == []
    text = "".join(output.text for cell, output in run.outputs if cell == "tools")
    assert "numpy 2.1.3" in text and "matplotlib 3.10.0" in text, text
