"""Cells that all weeks share, and those that are made from a week's questions."""

import json
import shutil
from pathlib import Path

import pytest

from coursekit import common_cells
from coursekit.course import open_course

ROOT = Path(__file__).parent.parent


@pytest.fixture
def course(tmp_path):
    shutil.copy(ROOT / "course.toml", tmp_path)
    shutil.copytree(ROOT / "source", tmp_path / "source")
    return open_course(tmp_path)


def edit(course, week, cell_id, change):
    path = course.source(week)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    (cell,) = (cell for cell in notebook["cells"] if cell["id"] == cell_id)
    text = "".join(cell["source"])
    assert change(text) != text
    cell["source"] = change(text).splitlines(keepends=True)
    path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def test_the_first_weeks_cells_come_to_the_others_and_nothing_else_changes(course):
    first, second, third = course.weeks[:3]
    assert common_cells.bring_up_to_date(course) == []
    edit(course, second, "tools", lambda text: text + "\n# changed here")
    edit(course, third, "progress", lambda text: text.replace("Question 1.", "Question 9."))
    assert "cell tools is not that of week1_attention" in common_cells.check_same(course, second)[0]
    assert common_cells.check_same(course, third) == []
    assert "is not what the questions give" in common_cells.check_last_cells(course.master(third))[0]
    assert common_cells.bring_up_to_date(course) == [second.name, third.name]
    for week in course.weeks:
        assert (
            course.source(week).read_bytes()
            == (ROOT / course.source(week).relative_to(course.root)).read_bytes()
        )

    edit(course, first, "tools", lambda text: text + "\n# changed in the first week")
    assert common_cells.bring_up_to_date(course) == [week.name for week in course.weeks[1:]]
    assert all(common_cells.check_same(course, week) == [] for week in course.weeks)


def test_a_notebook_that_is_hardly_one_is_told_of(course):
    week = course.weeks[1]
    path = course.source(week)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    del notebook["cells"][1:]
    del notebook["cells"][0]["id"]
    path.write_text(json.dumps(notebook), encoding="utf-8")
    assert "ends before its last cells" in common_cells.check_last_cells(course.master(week))[0]
    assert "there is no cell setup" in common_cells.check_same(course, week)[0]


def test_a_week_without_the_last_cells_gets_them(course):
    week = course.weeks[1]
    path = course.source(week)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    del notebook["cells"][-1]
    path.write_text(json.dumps(notebook), encoding="utf-8")
    assert "the last cells are not" in common_cells.check_last_cells(course.master(week))[0]
    assert common_cells.bring_up_to_date(course) == [week.name]
    assert common_cells.check_last_cells(course.master(week)) == []
