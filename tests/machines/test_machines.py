"""Points and outcomes are the same on a quiet machine, a busy one, one with dear memory, and one that stood still."""

import shutil
from dataclasses import replace

import pytest
from attacks.harness import read_attacks
from cases import load
from quick import ALL

from coursekit.course.config import open_course
from coursekit.engine.coordinator.grade import grade as grade_one
from machines.machines import CLASSES, FIRST, MACHINES, ROOT, differences, grade, make_class

pytestmark = [pytest.mark.slow, pytest.mark.timeout(7200)]

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


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_can_be_made(name, tmp_path):
    """Also those that are graded only with COURSE_ALL=1."""
    assert len(list(make_class(name, tmp_path / "class").glob(f"submitted/*/{FIRST}/*"))) > 40


@pytest.mark.parametrize(("name", "machine"), TRIED)
def test_points_do_not_depend_on_the_machine(quiet, name, machine, announce):
    folder, here = quiet(name)
    assert len(here) == len(list(folder.glob(f"submitted/*/{FIRST}"))) > 10
    other = shutil.copytree(folder, folder.with_name(machine), symlinks=True)
    if machine == "busy" and not ALL:  # whatever runs beside it is as slow
        kept = sorted(here)[::4]
        for student in here.keys() - set(kept):
            shutil.rmtree(other / "submitted" / student)
        here = {student: here[student] for student in kept}
    there = grade(other, machine)
    racing = (
        {attack.student for attack in read_attacks() if attack.says("RACES")} if name == "attacks" else ()
    )
    for rows in (here, there):  # which of their tests is hit differs from run to run
        rows |= {student: rows[student][:1] for student in racing}
    found = differences(here, there)
    announce(f"{name}, {machine}: {len(there)} students, {len(found)} differences")
    assert found == []


@pytest.fixture(scope="module")
def week1():
    course = open_course(ROOT)
    return course, course.master(course.week(FIRST))


@pytest.mark.parametrize(
    ("memory_mb", "cell_seconds"), [(256, 3), (1024, 3), (4096, 0.5), (8192, 0.3), (1024, 0.1)]
)
def test_an_answer_that_hoards_memory_gets_the_same_points_whichever_limit_comes_first(
    week1, servers, memory_mb, cell_seconds
):
    course, master = week1
    demo = load(ROOT / "demo" / "make_class.py")
    (data,) = demo.CLASS["s27"](demo.Material(course)).values()
    limits = replace(course.limits, memory_mb=memory_mb, cell_seconds=cell_seconds)
    result = grade_one(master, data, limits, servers).result
    assert (result.score, result.status) == (31, "graded")
