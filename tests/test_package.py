"""The package as others get it: a wheel in an environment of its own, without torch, and a course made with it."""

import csv
import io
import json
import subprocess
import sys
import time
import zipfile

import pytest
from own_environment import PINNED, make_environment
from small_course import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    copy = folder / "source"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(copy)], check=True)
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--disable-pip-version-check", "-w", str(folder), str(copy)], check=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def course(wheel, tmp_path_factory, announce):
    """The command `course` of an environment that has the wheel and what it declares, and nothing else."""
    folder = tmp_path_factory.mktemp("fresh") / "venv"
    began = time.monotonic()
    report = folder.with_name("report.json")
    python = make_environment(folder, "--report", str(report), *PINNED, str(wheel), beside=False)
    packages = json.loads(report.read_text())["install"]
    size = sum(path.stat().st_size for path in (folder / "lib").rglob("*") if path.is_file())
    announce(
        f"pip install coursekit: {len(packages)} packages, {size >> 20} MiB on the disk, "
        f"{time.monotonic() - began:.0f} s"
    )

    def run(where, *arguments, code=0):
        command = [folder / "bin" / "course", *arguments]
        done = subprocess.run(command, cwd=where, capture_output=True, text=True)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr * bool(code)

    run.python = python
    return run


def test_what_the_wheel_holds(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    metadata = f"{'-'.join(wheel.stem.split('-')[:2])}.dist-info"
    assert {name.split("/")[0] for name in names} == {"coursekit", metadata}
    small = "coursekit/authoring/new/small_course"
    wanted = {f"{small}/source/week1_middle/middle.ipynb", f"{small}/gitignore"}
    assert wanted | {"coursekit/deliver/feedback/page.html"} <= set(names)
    assert not any("__pycache__" in name or name.endswith(".pyc") for name in names)


def test_torch_is_an_extra(course):
    for module in ("torch", "matplotlib", "seaborn", "distributed", "psycopg", "pytest"):
        done = subprocess.run([course.python, "-c", f"import {module}"], capture_output=True, text=True)
        assert "ModuleNotFoundError" in done.stderr, module


def test_plain_python_from_init_to_marks(course, tmp_path, announce):
    began = time.monotonic()
    course(tmp_path, "init", "own")
    own = tmp_path / "own"
    for command in ("release", "check", "grade", "feedback"):
        course(own, command)
    marks = csv.DictReader(io.StringIO(course(own, "export", "week1_middle")))
    assert {row["student"]: row["score"] for row in marks} == {"right": "10", "wrong": "9", "hostile": "0"}
    assert len(list(own.glob("feedback/*/week1_middle/middle.html"))) == 3
    announce(f"course init to marks and pages, with its checks: {time.monotonic() - began:.0f} s")


def test_a_new_week_and_question_come_from_the_wheels_templates(course, tmp_path):
    course(tmp_path, "init", "own")
    course(tmp_path / "own", "new-week", "week2_spread", "--title", "Spread", "--minutes", "15")
    course(tmp_path / "own", "new-question", "week2_spread", "spread", "--points", "6")
    printed = course(tmp_path / "own", "check", "week2_spread", "--no-run", code=1)
    assert "cell spread-task still contains TODO(author)" in printed


def test_a_module_that_is_not_there_is_a_sentence(course, tmp_path):
    course(tmp_path, "init", "own")
    settings = tmp_path / "own" / "course.toml"
    settings.write_text(settings.read_text().replace("modules = []", 'modules = ["torch"]'))
    printed = course(tmp_path / "own", "grade", code=2)
    assert "torch is not installed, but kernels have to import it" in " ".join(printed.split())
    assert "Traceback" not in printed
