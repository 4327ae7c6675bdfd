"""Cells that all weeks share, and those that are made from a week's questions."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from coursekit.authoring.lesson import common_cells, narration
from coursekit.course.config import open_course

ROOT = Path(__file__).parent.parent


@pytest.fixture
def course(tmp_path):
    shutil.copy(ROOT / "course.toml", tmp_path)
    for name in ("source", "narration"):
        shutil.copytree(ROOT / name, tmp_path / name)
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
    assert "cell tools differs from week1_attention's" in common_cells.check_same(course, second)[0]
    assert common_cells.check_same(course, third) == []
    assert "no longer agrees with the questions" in common_cells.check_last_cells(course.master(third))[0]
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


def test_a_section_gets_the_text_and_the_player_of_its_script(course):
    week = course.weeks[1]
    script = course.root / "narration" / week.name / "02_split.md"
    script.write_text(script.read_text(encoding="utf-8").replace("heads", "parts", 1), encoding="utf-8")
    edit(course, week, "play-03-merge", lambda text: text.replace("03_merge", "02_split"))
    problems = "\n".join(narration.check_narration(course, week, course.master(week)))
    assert "listening cell listen-02-split is not made of its heading and the text of 02_split.md" in problems
    assert "below listening cell listen-03-merge its player is missing" in problems
    assert common_cells.bring_up_to_date(course) == [week.name]
    assert narration.check_narration(course, week, course.master(week)) == []
    texts = {cell.cell_id: cell.source for cell in course.master(week).cells}
    assert "\n*Listen: run the next cell, or [play it here](https://" in texts["listen-02-split"]
    assert "parts" in texts["listen-02-split"] and "synthetic voice" in texts["listen-02-split"]
    assert texts["play-02-split"].splitlines() == [
        "# @title Listen: From one vector to heads (about 1 minute)",
        'listen("02_split")',
    ]


def test_an_authors_own_cell_is_no_player(course):
    week = course.weeks[1]
    path = course.source(week)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    own = {
        "cell_type": "code",
        "execution_count": None,
        "id": "play-with-heads",
        "metadata": {},
        "outputs": [],
    }
    notebook["cells"].insert(20, own | {"source": ["heads = 3"]})
    path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    common_cells.bring_up_to_date(course)
    assert "play-with-heads" in [cell.cell_id for cell in course.master(week).cells]


def test_a_week_without_sound_has_the_text_alone(course):
    week = course.weeks[1]
    manifest = course.root / "narration" / "manifest.json"
    content = json.loads(manifest.read_text(encoding="utf-8"))
    content["segments"] = {
        name: entry for name, entry in content["segments"].items() if not name.startswith(week.name)
    }
    manifest.write_text(json.dumps(content), encoding="utf-8")
    assert common_cells.bring_up_to_date(course) == [week.name]
    assert narration.check_narration(course, week, course.master(week)) == []
    texts = {cell.cell_id: cell.source for cell in course.master(week).cells}
    assert "Listen" not in texts["listen-02-split"] and "<summary>Read</summary>" in texts["listen-02-split"]
    assert not any(name.startswith("play-") for name in texts)


def test_a_missing_script_is_told_of(course):
    (course.root / "narration" / course.weeks[1].name / "02_split.md").unlink()
    before = course.source(course.weeks[1]).read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "coursekit.authoring.lesson.common_cells"],
        cwd=course.root,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and "02_split.md cannot be read" in done.stderr
    assert "Traceback" not in done.stderr and course.source(course.weeks[1]).read_bytes() == before
