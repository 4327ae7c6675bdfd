"""The package as others get it: a wheel in an environment of its own, without torch, and two courses made with it.

What an author fills in is written here as an author would: into the files that the verbs have made.
"""

import csv
import io
import json
import subprocess
import sys
import time
import zipfile
from pathlib import Path

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
        done = subprocess.run(
            [folder / "bin" / "course", *arguments], cwd=where, capture_output=True, text=True
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    run.python = python
    return run


def test_what_the_wheel_holds(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {
        "coursekit",
        f"{'-'.join(wheel.stem.split('-')[:2])}.dist-info",
    }
    assert "coursekit/authoring/new/small_course/source/week1_middle/middle.ipynb" in names
    assert (
        "coursekit/authoring/new/small_course/gitignore" in names
        and "coursekit/deliver/feedback/page.html" in names
    )
    assert not any("__pycache__" in name or name.endswith(".pyc") for name in names)


def test_torch_is_an_extra(course):
    for module in ("torch", "matplotlib", "seaborn", "distributed", "psycopg", "pytest"):
        done = subprocess.run([course.python, "-c", f"import {module}"], capture_output=True, text=True)
        assert "ModuleNotFoundError" in done.stderr, module


def marks(course, folder, week):
    text = course(folder, "export", week)
    return {row["student"]: float(row["score"]) for row in csv.DictReader(io.StringIO(text))}


def fill_in(path, texts):
    """Write into the cells of a notebook, by their ids, what an author has to say there."""
    notebook = json.loads(path.read_bytes())
    for cell in notebook["cells"]:
        if cell["id"] in texts:
            cell["source"] = texts.pop(cell["id"])
    assert texts == {}
    path.write_text(json.dumps(notebook, indent=1) + "\n", encoding="utf-8")


def hand_in(folder, week, notebook, student, answers):
    """The released notebook with these answers, {id of a solution cell: source}."""
    released = json.loads((folder / "release" / week / f"{notebook}.ipynb").read_bytes())
    for cell in released["cells"]:
        cell["source"] = answers.get(cell["id"], cell["source"])
    path = folder / "submitted" / student / week / f"{notebook}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(released), encoding="utf-8")


def test_plain_python_from_init_to_marks(course, tmp_path, announce):
    began = time.monotonic()
    course(tmp_path, "init", "own")
    own = tmp_path / "own"
    for verb in ("release", "check", "grade", "feedback"):
        course(own, verb)
    assert marks(course, own, "week1_middle") == {"right": 10, "wrong": 9, "hostile": 0}
    assert len(list(own.glob("feedback/*/week1_middle/middle.html"))) == 3
    announce(f"course init to marks and pages, with its checks: {time.monotonic() - began:.0f} s")


TASK = """### Question 1. Spread

Write `spread(values)`: how far the numbers of a one-dimensional array are from their mean, as the root of the mean of
the squared distances. It is a number, and 0 for a single value.

*10 minutes, difficulty 2 of 5, 6 points*

<details><summary>Hint</summary>

`values - values.mean()` subtracts the mean from each of them.

</details>"""
REFERENCE = '''def spread(values):
    """Root of the mean squared distance from the mean."""
    ### BEGIN SOLUTION
    return np.sqrt(((values - values.mean()) ** 2).mean())
    ### END SOLUTION
    raise NotImplementedError("question 1: write spread")'''
BY_HAND = """# Test: an example worked out by hand
assert abs(spread(np.array([2.0, 4.0, 6.0, 8.0])) - 5**0.5) < 1e-9, "distances -3, -1, 1, 3: is the root taken?\""""
HIDDEN = """# Test: random numbers
### BEGIN HIDDEN TESTS
numbers = np.random.default_rng(3).normal(5, 2, 30)
found = spread(numbers)
assert abs(found - np.std(numbers)) < 1e-9, f"of 30 random numbers it is {np.std(numbers):.4f}, not {found:.4f}"
### END HIDDEN TESTS"""
RIGHT = '"""spread: from the mean of the squares.\n\nQuestion: spread\n"""\n\n'
RIGHT += "def spread(values):\n    return ((values**2).mean() - values.mean() ** 2) ** 0.5\n"
WRONG = '"""spread: divides by one less.\n\nQuestion: spread\nFails: spread_by_hand, spread_hidden\n'
WRONG += 'Tell: Divide by how many there are.\n"""\n\ndef spread(values):\n    return values.std(ddof=1)\n'


def test_a_week_of_statistics_with_numpy_from_init_to_marks(course, tmp_path, announce):
    course(tmp_path, "init", "own")
    own = tmp_path / "own"
    settings = own / "course.toml"
    settings.write_text(settings.read_text().replace("modules = []", 'modules = ["numpy"]'))
    began = time.monotonic()
    course(own, "new-week", "week2_spread", "--title", "How far numbers spread", "--minutes", "15")
    course(own, "new-question", "week2_spread", "spread", "--points", "6")
    took = time.monotonic() - began
    said = course(own, "check", "week2_spread", "--no-run", code=1)
    assert "cell spread-task still contains TODO(author)" in said
    fill_in(
        own / "source" / "week2_spread" / "spread.ipynb",
        {
            "title": "# How far numbers spread\n\n**About 15 minutes, 6 points**\n\nRun the cells from the top.",
            "setup": "import numpy as np",
            "spread-task": TASK,
            "spread": REFERENCE,
            "spread-by-hand": BY_HAND,
            "spread-hidden": HIDDEN,
        },
    )
    (own / "answers" / "week2_spread" / "right" / "spread_other_way.py").write_text(RIGHT)
    (own / "answers" / "week2_spread" / "wrong" / "spread_mistake.py").write_text(WRONG)
    course(own, "release", "week2_spread")
    course(own, "check", "week2_spread")
    for student, answer in (
        ("ada", "def spread(values):\n    return np.sqrt(np.mean((values - np.mean(values)) ** 2))"),
        ("ben", "def spread(values):\n    return values.max() - values.min()"),
        (
            "cy",
            "class Yes(float):\n    __eq__ = __lt__ = lambda *_: True\n\ndef spread(values):\n    return Yes(0)",
        ),
    ):
        hand_in(own, "week2_spread", "spread", student, {"spread": answer})
    course(own, "grade", "week2_spread")
    assert marks(course, own, "week2_spread") == {"ada": 6, "ben": 0, "cy": 0}
    result = json.loads((own / "autograded" / "ben" / "week2_spread" / "result.json").read_bytes())
    assert "not 8." in result["tests"][1]["message"] or "numbers it is" in result["tests"][1]["message"]
    announce(f"course new-week and new-question: {took:.1f} s")


def test_a_module_that_is_not_there_is_a_sentence(course, tmp_path):
    course(tmp_path, "init", "own")
    settings = tmp_path / "own" / "course.toml"
    settings.write_text(settings.read_text().replace("modules = []", 'modules = ["torch"]'))
    done = subprocess.run(
        [Path(course.python).with_name("course"), "grade"],
        cwd=tmp_path / "own",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "torch is not installed, but kernels have to import it" in " ".join(done.stderr.split())
