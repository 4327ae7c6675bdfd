"""Answers that use something ready-made by a side road: they work, and they earn nothing where it is refused.

One is a file `bypasses/<week>/<question>_<slug>.py` as in the bank: a docstring and the solution cell. `Flag:` in the
docstring says that it cannot be refused; then a TA gets a flag. An answer that defines NAME is followed by
`shared/<question>_by_NAME.py`, if there is one, which answers the question with it.
"""

import ast
import json
import re
from pathlib import Path

import pytest

from coursekit.course.config import open_course
from coursekit.engine.coordinator.grade import grade, warm_modules
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.master import SOLUTION_CELL, fill, read_master
from coursekit.engine.shared.result import PASSED

ROOT = Path(__file__).parent.parent
COURSE = open_course(ROOT)
BYPASSES = sorted((ROOT / "tests" / "bypasses").glob("*/*.py"))

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def judge():
    """A function (week, {question: source}, refused) -> (tests passed, flags)."""
    masters, servers = {}, {}

    def judge(week_name, answers, refused=True):
        if week_name not in masters:
            week = COURSE.week(week_name)
            master = COURSE.master(week)
            notebook = json.loads(json.dumps(master.notebook))
            for item in (notebook, *notebook["cells"]):
                item["metadata"].get("course", {}).pop("from_scratch", None)
            allowed = read_master(json.dumps(notebook).encode(), week.name, master.name)
            masters[week_name] = (master, allowed)
        master = masters[week_name][0 if refused else 1]
        modules = tuple(warm_modules(master, COURSE.limits))
        if modules not in servers:
            servers[modules] = Servers(modules=modules)
        result = grade(master, fill(master, answers), COURSE.limits, servers[modules]).result
        return {test.id: test for test in result.tests if test.outcome == PASSED}, result

    yield judge
    for started in servers.values():
        started.close()


def question_of(master, path):
    """The question whose id the file's name begins with."""
    ids = [cell.grade_id for cell in master.cells if cell.role == SOLUTION_CELL]
    return max((name for name in ids if path.stem.startswith(name)), key=len)


def without_work(source):
    """The reference with all that computes taken out: what it passes needs no value."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name != "__init__":
            node.body = ast.parse("raise RuntimeError('nothing')").body
    return ast.unparse(tree)


@pytest.fixture(scope="module")
def for_nothing(judge):
    """A function (week, question): the tests that a reference passes which computes nothing."""
    found = {}

    def for_nothing(week, question):
        if (week, question) not in found:
            reference = COURSE.master(COURSE.week(week)).solutions[question]
            found[week, question], _ = judge(week, {question: without_work(reference)})
        return found[week, question]

    return for_nothing


@pytest.mark.parametrize("path", BYPASSES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_it_works_and_earns_nothing(path, judge, for_nothing):
    week = path.parent.name
    master = COURSE.master(COURSE.week(week))
    question = question_of(master, path)
    source = path.read_text(encoding="utf-8")
    for rest in (path.parent / "shared").glob(f"{question}_by_*.py"):
        if re.search(rf"^(def |class )?{rest.stem.removeprefix(f'{question}_by_')}\b", source, re.MULTILINE):
            source += rest.read_text(encoding="utf-8")

    free = for_nothing(week, question)
    works, _ = judge(week, {question: source}, refused=False)
    assert set(works) - set(free), "it does not work even where nothing is refused, so it tests nothing"
    earned, result = judge(week, {question: source})
    flagged = [flag for flag in result.flags if flag.kind == "from_scratch" and flag.cell == question]
    if "\nFlag:" in ast.get_docstring(ast.parse(source)):
        assert flagged and result.needs_review
    else:
        assert set(earned) <= set(free)
        messages = [test.message for test in result.tests if test.id in works and test.id not in free]
        assert any("not available while this question is judged" in message for message in messages), messages


@pytest.mark.parametrize(
    "week",
    [week for week in COURSE.weeks if any(COURSE.master(week).from_scratch.values())],
    ids=lambda w: w.name,
)
def test_there_are_enough_of_them(week):
    assert len([path for path in BYPASSES if path.parent.name == week.name]) >= 5
