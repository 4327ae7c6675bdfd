"""Points and outcomes are the same on a quiet machine, a busy one, one with dear memory, and one that stood still."""

import os
import shutil

import pytest

from machines.machines import CLASSES, FIRST, MACHINES, differences, grade, make_class

pytestmark = [pytest.mark.slow, pytest.mark.timeout(7200)]

# All of it takes hours on two cores.
ALL = bool(os.environ.get("COURSE_ALL"))
OTHERS = [machine for machine in MACHINES if machine != "quiet"]
TRIED = [(name, machine) for name in CLASSES for machine in OTHERS if ALL or name == "demo"]


@pytest.fixture(scope="module")
def quiet(tmp_path_factory):
    """{class: its folder before it was graded, and what it got here}."""
    found = {}

    def find(name):
        if name not in found:
            folder = make_class(name, tmp_path_factory.mktemp(name) / "class")
            graded = shutil.copytree(folder, folder.with_name("quiet"), symlinks=True)
            found[name] = folder, grade(graded, "quiet")
        return found[name]

    return find


@pytest.mark.parametrize(("name", "machine"), TRIED)
def test_points_do_not_depend_on_the_machine(quiet, name, machine, announce):
    folder, here = quiet(name)
    assert len(here) == len(list(folder.glob(f"submitted/*/{FIRST}"))) > 10
    there = grade(shutil.copytree(folder, folder.with_name(machine), symlinks=True), machine)
    found = differences(here, there)
    announce(f"{name}, {machine}: {len(there)} students, {len(found)} differences")
    assert found == []
