"""What CI rests on: the locked environment, the files that it leaves to the nightly run, and the names of its jobs."""

import re
import subprocess
import tomllib
from importlib.metadata import metadata

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from quick import NIGHTLY
from small_course import ROOT

from coursekit.doctor import COLAB_PYTHON

WORKFLOWS = ROOT / ".github" / "workflows"
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = SETTINGS["project"]["optional-dependencies"]
GROUPS = SETTINGS["dependency-groups"]
VOICES = ("narrate", "piper", "listen")  # extras that `make setup` does not install: hundreds of megabytes


def locked(name):
    """{package: version} of a lock file, of which each line pins one package and names no index, address or path."""
    text = (ROOT / name).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []
    return {canonicalize_name(name): version for name, version in (line.split("==") for line in lines)}


COURSE, OPTIONAL = locked("requirements.txt"), locked(".ci/voices.txt")
ASKED = {
    "the package": (SETTINGS["project"]["dependencies"], COURSE),
    "the build": (SETTINGS["build-system"]["requires"], COURSE),
    **{name: (wanted, OPTIONAL | COURSE if name in VOICES else COURSE) for name, wanted in EXTRAS.items()},
    **{f"group {name}": ([w for w in asked if isinstance(w, str)], COURSE) for name, asked in GROUPS.items()},
}


@pytest.mark.parametrize("where", ASKED)
def test_what_is_asked_for_is_locked_within_its_range(where):
    wanted, lock = ASKED[where]
    for requirement in map(Requirement, wanted):
        version = lock.get(canonicalize_name(requirement.name), "no version")
        assert version != "no version" and version in requirement.specifier, (
            f"{requirement}: {version} is locked"
        )


@pytest.mark.parametrize("name", COURSE)
def test_what_is_locked_runs_on_each_python_that_is_promised(name):
    """Debian 12 has Python 3.11.2, and some packages need a later one."""
    lowest = SETTINGS["project"]["requires-python"].removeprefix(">=") + ".0"
    needs = metadata(name).get("Requires-Python")
    assert needs is None or SpecifierSet(needs).contains(lowest), f"{name} needs Python {needs}"


def test_make_setup_installs_no_voice():
    """Nor CUDA: it would bring gigabytes."""
    names = {canonicalize_name(Requirement(text).name) for extra in VOICES for text in EXTRAS[extra]}
    assert len(names) >= 15 and not names & COURSE.keys() and not OPTIONAL.keys() & COURSE.keys()
    assert not [name for name in OPTIONAL.keys() | COURSE.keys() if name.startswith(("nvidia", "triton"))]


def test_what_the_nightly_run_is_left_is_there():
    assert [name for name in NIGHTLY if not (ROOT / "tests" / name).exists()] == []


def test_the_nightly_run_tries_the_python_that_students_have():
    settings = yaml.safe_load((WORKFLOWS / "nightly.yml").read_text(encoding="utf-8"))
    matrix = settings["jobs"]["nightly"]["strategy"]["matrix"]
    tried = {python: one["jobs"].split() for one in matrix["include"] for python in [one["python"]]}
    assert tried == {".".join(map(str, COLAB_PYTHON)): ["slow", "test"]}


@pytest.mark.parametrize(("workflow", "run"), [("ci", "push"), ("nightly", "night")])
def test_a_workflow_runs_every_job(workflow, run):
    """The jobs that .ci/run has for a run are in the workflow's matrix, and make knows what to do for each."""
    settings = yaml.safe_load((WORKFLOWS / f"{workflow}.yml").read_text(encoding="utf-8"))
    (job,) = settings["jobs"].values()
    jobs = " ".join(job["strategy"]["matrix"]["jobs"]).split()
    rules = (ROOT / ".ci" / "jobs.mk").read_text(encoding="utf-8")
    (wanted,) = re.findall(rf"^{run}: (.*)$", rules, re.MULTILINE)
    assert set(wanted.split()) <= set(jobs) and len(jobs) == len(set(jobs))
    make = ["make", "--dry-run", "--file", ".ci/jobs.mk", "MAKE=echo", *jobs]
    said = subprocess.run(make, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert all(f": {job}" in said for job in jobs)
