"""Points and outcomes are the same on a quiet machine, a busy one, one with dear memory, and one that stood still."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest
from attacks.harness import read_attacks
from cases import load
from quick import ALL

from coursekit.course.config import open_course
from coursekit.engine.coordinator.grade import grade as grade_one
from coursekit.engine.shared.master import fill
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


def without_outcomes(found, students):
    return {student: row[:1] if student in students else row for student, row in found.items()}


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
        {attack.student for attack in read_attacks() if attack.says("RACES")} if name == "attacks" else set()
    )
    found = differences(without_outcomes(here, racing), without_outcomes(there, racing))
    announce(f"{name}, {machine}: {len(there)} students, {len(found)} differences")
    assert found == []


@pytest.fixture(scope="module")
def week1():
    course = open_course(ROOT)
    return course, course.master(course.week(FIRST))


@pytest.mark.parametrize(
    ("memory_mb", "cell_seconds"), [(256, 3), (1024, 3), (4096, 0.5), (8192, 0.3), (1024, 0.1)]
)
def test_who_hoards_memory_gets_the_same_points_whichever_limit_comes_first(
    week1, servers, memory_mb, cell_seconds
):
    course, master = week1
    demo = load(ROOT / "demo" / "make_class.py")
    (data,) = demo.CLASS["s27"](demo.Desk(course)).values()
    limits = replace(course.limits, memory_mb=memory_mb, cell_seconds=cell_seconds)
    result = grade_one(master, data, limits, servers).result
    assert (result.score, result.status) == (31, "graded")


@pytest.mark.parametrize(
    ("many", "busy"),
    [(many, busy) for many in (0, 4, 8, 12, 20) for busy in (False, True) if ALL or many == 20 or not busy],
)
def test_timing_statements_costs_nobody_marks(week1, servers, many, busy):
    """With %timeit in so many cells of the student's own, between right answers."""
    course, master = week1
    notebook = json.loads(fill(master, master.solutions))
    places = [
        place
        for place, cell in enumerate(notebook["cells"])
        if cell["metadata"].get("nbgrader", {}).get("grade")
    ]
    for number in range(many):
        source = "import numpy as np\n%timeit np.linalg.inv(np.eye(200))\n%timeit -n 100 sum(range(10_000))"
        cell = {"cell_type": "code", "id": f"own{number}", "metadata": {}, "source": source}
        notebook["cells"].insert(
            places[number % len(places)] + 1, cell | {"outputs": [], "execution_count": None}
        )
    spin = [sys.executable, "-c", "while True: pass"]
    neighbours = [subprocess.Popen(spin, start_new_session=True) for _ in range(8 * busy)]
    try:
        result = grade_one(master, json.dumps(notebook).encode(), course.limits, servers).result
    finally:
        for process in neighbours:
            process.kill()
            process.wait()
    assert result.score == result.max_score and not result.by_clock
