"""Cells that all weeks share, and those that are made from a week's scripts and questions."""

import json
import subprocess
import sys
from importlib.metadata import packages_distributions
from importlib.util import find_spec

import nbformat
import pytest
from small_course import ROOT, copy_course

from coursekit.authoring.lesson.common_cells import bring_up_to_date, check_common_cells
from coursekit.authoring.lesson.packages import importable, module_of, packages
from coursekit.course.config import open_course


@pytest.fixture
def course(tmp_path):
    """The first three weeks, in a folder of their own."""
    copy_course(tmp_path, "source", "pyproject.toml", "narration", ignore="*.mp3")
    settings, *weeks = (ROOT / "course.toml").read_text(encoding="utf-8").split("[[weeks]]")
    (tmp_path / "course.toml").write_text("[[weeks]]".join([settings, *weeks[:3]]), encoding="utf-8")
    return open_course(tmp_path)


def edit(course, week, change):
    """Change the cells of a week's source notebook."""
    path = course.source(week)
    notebook = nbformat.read(path, 4)
    change(notebook.cells)
    path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")


def replace(course, week, cell_id, old, new):
    def change(cells):
        (cell,) = (cell for cell in cells if cell.get("id") == cell_id)
        assert old in cell.source
        cell.source = cell.source.replace(old, new, 1)

    edit(course, week, change)


def problems(course, week):
    return "\n".join(check_common_cells(course, week, course.master(week)))


@pytest.mark.slow
def test_the_first_weeks_cells_come_to_the_others_and_nothing_else_changes(course):
    first, second, third = course.weeks
    before = {week: course.source(week).read_bytes() for week in course.weeks}
    assert bring_up_to_date(course) == []
    replace(course, second, "tools", "\n", "\n# changed here\n")
    replace(course, third, "progress", "Question 1.", "Question 9.")
    assert problems(course, second).startswith("cell tools is not what the first week, ")
    assert problems(course, third).startswith("cell progress is not what ")
    assert bring_up_to_date(course) == [second.name, third.name]
    assert {week: course.source(week).read_bytes() for week in course.weeks} == before
    replace(course, first, "tools", "\n", "\n# changed in the first week\n")
    assert bring_up_to_date(course) == [second.name, third.name]
    assert [problems(course, week) for week in course.weeks] == ["", "", ""]


def test_a_notebook_without_shared_cells_is_reported(course):
    edit(course, course.weeks[1], lambda cells: cells.__delitem__(slice(1, None)) or cells[0].pop("id"))
    assert problems(course, course.weeks[1]) == "week2_multi_head has no cell setup, which all weeks share."


def test_the_last_cells_are_the_last(course):
    week = course.weeks[1]
    edit(course, week, lambda cells: cells.pop())
    assert problems(course, week).startswith("cell hand-in is not what ")
    assert bring_up_to_date(course) == [week.name]
    edit(course, week, lambda cells: cells.insert(-1, cells.pop()))
    assert "is not in its place" in problems(course, week)
    assert bring_up_to_date(course) == [week.name] and problems(course, week) == ""


def test_a_section_gets_the_text_and_the_player_of_its_script(course):
    week = course.weeks[1]
    script = course.root / "narration" / week.name / "02_split.md"
    script.write_text(script.read_text(encoding="utf-8").replace("heads", "parts", 1), encoding="utf-8")
    replace(course, week, "play-03-merge", "03_merge", "02_split")
    changed = [line.split()[1] for line in problems(course, week).splitlines()]
    assert changed == ["listen-02-split", "play-03-merge"]
    assert bring_up_to_date(course) == [week.name] and problems(course, week) == ""
    texts = {cell.cell_id: cell.source for cell in course.master(week).cells}
    assert "\n*Listen: run the next cell, or [play it here](https://" in texts["listen-02-split"]
    assert "parts" in texts["listen-02-split"] and "synthetic voice" in texts["listen-02-split"]
    assert texts["play-02-split"].splitlines() == [
        "# @title Listen: From one vector to heads (about 1 minute)",
        'listen("02_split")',
    ]


def test_an_authors_own_cell_is_no_player(course):
    week = course.weeks[1]
    own = nbformat.v4.new_code_cell("heads = 3", id="play-with-heads")
    edit(course, week, lambda cells: cells.insert(20, own))
    assert problems(course, week) == "" and bring_up_to_date(course) == []


def test_a_week_without_audio_has_the_text_alone(course):
    week = course.weeks[1]
    manifest = course.root / "narration" / "manifest.json"
    content = json.loads(manifest.read_text(encoding="utf-8"))
    content["segments"] = {
        name: entry for name, entry in content["segments"].items() if not name.startswith(week.name)
    }
    manifest.write_text(json.dumps(content), encoding="utf-8")
    assert "the player play-02-split has no audio to play" in problems(course, week)
    assert bring_up_to_date(course) == [week.name] and problems(course, week) == ""
    texts = {cell.cell_id: cell.source for cell in course.master(week).cells}
    assert "Listen" not in texts["listen-02-split"] and "<summary>Read</summary>" in texts["listen-02-split"]
    assert not any(name.startswith("play-") for name in texts)


@pytest.mark.slow
def test_a_missing_script_is_reported(course):
    (course.root / "narration" / course.weeks[1].name / "02_split.md").unlink()
    before = course.source(course.weeks[1]).read_bytes()
    program = [sys.executable, "-m", "coursekit.authoring.lesson.common_cells"]
    done = subprocess.run(program, cwd=course.root, capture_output=True, text=True)
    assert done.returncode == 1 and "02_split.md cannot be read" in done.stderr
    assert "Traceback" not in done.stderr and course.source(course.weeks[1]).read_bytes() == before
    assert "02_split.md cannot be read" in problems(course, course.weeks[1])


def change_list(course, old, new):
    path = course.root / "pyproject.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_what_can_be_imported_is_in_the_first_cell_and_in_the_tools(course):
    week = course.weeks[2]
    change_list(course, '    "einops', '    "numba>=1",\n    "einops')
    changed = [line.split()[1] for line in problems(course, week).splitlines()]
    assert changed == ["title", "tools"]
    assert bring_up_to_date(course) == [week.name for week in course.weeks] and problems(course, week) == ""
    texts = {cell.cell_id: cell.source for cell in course.master(week).cells}
    assert "numba" in texts["title"].partition("**Handing in")[0] and "numba numpy" in texts["tools"]


def test_a_list_that_cannot_be_read_is_reported(course):
    change_list(course, "answers = [", "others = [")
    assert "has no dependency group `answers`" in problems(course, course.weeks[1])


def test_a_first_cell_without_a_place_for_the_list_is_reported(course):
    replace(course, course.weeks[1], "title", "**Handing in:**", "Handing in:")
    assert "the cell title has no place for the list of modules" in problems(course, course.weeks[1])


def test_all_that_is_listed_is_installed_under_its_modules_name():
    ours, installed = open_course(ROOT), packages_distributions()
    assert [name for name in importable(ours) if find_spec(name) is None] == []
    for name in packages(ours):
        assert name in map(str.lower, installed[module_of(name)])
