"""Addresses: course.toml alone says them, and after a change and a release the old ones are nowhere."""

import json
import shutil
from pathlib import Path

import pytest
from small_course import cells, make_course, write_source

from coursekit import readme, release
from coursekit.addresses import Repository
from coursekit.course import open_course
from coursekit.errors import CourseError

ROOT = Path(__file__).parent.parent
HERE = Repository("someone", "attention-2027", "v3")


@pytest.fixture(scope="module")
def moved(tmp_path_factory):
    """The whole course, after its instructor has changed the repository and released it again."""
    root = tmp_path_factory.mktemp("moved")
    for name in ("source", "release", "narration"):
        shutil.copytree(ROOT / name, root / name)
    for name in ("course.toml", "nbgrader_config.py", "README.md"):
        shutil.copy(ROOT / name, root)
    settings = root / "course.toml"
    text = settings.read_text(encoding="utf-8")
    for old, new in (
        ('"your-name"', '"someone"'),
        ('"transformer-course"', '"attention-2027"'),
        ('"main"', '"v3"'),
        ("demo = true\n", ""),
    ):
        assert old in text
        text = text.replace(old, new)
    settings.write_text(text, encoding="utf-8")
    course = open_course(root)
    assert all(release.stale(course, week) for week in course.weeks) and readme.stale(course)
    for week in course.weeks:
        release.release(course, week, gradebook=False)
    return course


def test_no_old_address_is_left(moved):
    texts = [path for path in moved.root.rglob("*") if path.suffix in (".ipynb", ".md", ".toml")]
    old = [path for path in texts if "your-name/" in path.read_text(encoding="utf-8")]
    assert len(texts) > 60 and old == []
    assert not any(release.stale(moved, week) for week in moved.weeks)
    for week in moved.weeks:
        text = moved.release(week).read_text(encoding="utf-8")
        assert HERE.colab(week.name, week.notebook) in text
        assert text.count(HERE.page(f"narration/{week.name}/")) == text.count("*Listen: ") >= 8
        assert HERE.colab(week.name, week.notebook) in (moved.root / "README.md").read_text(encoding="utf-8")
    assert HERE.files("week5_tokenizer") in moved.release(moved.week("week5_tokenizer")).read_text()


def test_the_source_holds_none(moved):
    for path in moved.root.glob("source/*/*.ipynb"):
        text = path.read_text(encoding="utf-8")
        assert "{{colab}}" in text and "your-name" not in text and "github.com/someone" not in text


def test_the_placeholder_is_refused_unless_it_is_a_demo(tmp_path):
    course, week = make_course(tmp_path)
    release.release(course, week, gradebook=False)
    settings = tmp_path / "course.toml"
    settings.write_text(settings.read_text().replace("demo = true\n", ""))
    with pytest.raises(CourseError, match=r"\[repository\] still has owner = 'your-name'"):
        release.release(open_course(tmp_path), week, gradebook=False)


def test_an_address_that_cannot_be_made_is_told(tmp_path):
    course, week = make_course(tmp_path)
    some = cells()
    some[0]["source"] = "# Week 1\n\n[Listen]({{narration}})"
    write_source(tmp_path, some)
    with pytest.raises(
        CourseError, match="cell intro: {{narration}} stands in a cell without course.narration"
    ):
        course.master(week)


@pytest.mark.parametrize("source", ["$\\hat{{x}}$", "f'{{colab }}'", "{{", "{{points}}"])
def test_other_braces_are_left_alone(source):
    data = json.dumps({"cells": [{"id": "a", "metadata": {}, "source": source}]}).encode()
    (cell,) = json.loads(HERE.fill_in(data, "week1_a", "a"))["cells"]
    assert cell["source"] == source


def test_what_is_no_notebook_is_left_for_others_to_refuse():
    for data in (b"{{", b'{"cells": 3, "a": "{{colab}}"}', b"[{{colab}}]"):
        assert HERE.fill_in(data, "week1_a", "a") == data
