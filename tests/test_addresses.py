"""Addresses: course.toml alone says them, and after a change and a release the old ones are nowhere."""

import json
from pathlib import Path

import pytest
from small_course import cells, copy_course, make_course, write_source

from coursekit.authoring import readme, release
from coursekit.course.addresses import Repository, fill_in
from coursekit.course.config import open_course
from coursekit.engine.shared.errors import CourseError

ROOT = Path(__file__).parent.parent
HERE = Repository("someone", "attention-2027", "v3")


@pytest.fixture(scope="module")
def moved(tmp_path_factory):
    """The whole course, after its instructor has changed the repository and released it again."""
    root = tmp_path_factory.mktemp("moved")
    copy_course(root, "nbgrader_config.py", "README.md", "source", "release", "narration")
    text = (root / "course.toml").read_text(encoding="utf-8").replace("demo = true\n", "")
    for old, new in (("your-name", HERE.owner), ("transformer-course", HERE.name), ("main", HERE.branch)):
        assert f'"{old}"' in text
        text = text.replace(f'"{old}"', f'"{new}"')
    (root / "course.toml").write_text(text, encoding="utf-8")
    course = open_course(root)
    assert all(release.stale(course, week) for week in course.weeks) and readme.stale(course)
    for week in course.weeks:
        release.release(course, week, gradebook=False)
    return course


@pytest.mark.slow
def test_no_old_address_is_left(moved):
    texts = [path for path in moved.root.rglob("*") if path.suffix in (".ipynb", ".md", ".toml")]
    old = [path for path in texts if "your-name/" in path.read_text(encoding="utf-8")]
    assert len(texts) > 60 and old == []
    assert not any(release.stale(moved, week) for week in moved.weeks)
    for week in moved.weeks:
        assert "github.com/someone" not in moved.source(week).read_text(encoding="utf-8")
        text = moved.release(week).read_text(encoding="utf-8")
        assert HERE.colab(week.name, week.notebook) in text
        sounds = HERE.addresses(week.name, week.notebook)["narration"]
        assert text.count(f"[play it here]({sounds}") == text.count("*Listen: ") >= 8
        assert f'PUBLISHED = \\"{HERE.files()}\\"' in text
        assert HERE.colab(week.name, week.notebook) in (moved.root / "README.md").read_text(encoding="utf-8")
    assert HERE.files("week5_tokenizer") in moved.release(moved.week("week5_tokenizer")).read_text()


def test_the_source_holds_none():
    paths = list(ROOT.glob("source/*/*.ipynb"))
    texts = [path.read_text(encoding="utf-8") for path in paths]
    assert paths and all("{{colab}}" in text and "your-name" not in text for text in texts)


def test_the_placeholder_is_refused_unless_it_is_a_demo(tmp_path):
    course, week = make_course(tmp_path)
    release.release(course, week, gradebook=False)
    settings = tmp_path / "course.toml"
    settings.write_text(settings.read_text().replace("demo = true\n", ""))
    with pytest.raises(CourseError, match=r"\[repository\] still has owner = 'your-name'"):
        release.release(open_course(tmp_path), week, gradebook=False)


@pytest.mark.parametrize("source", ["$\\hat{{x}}$", "f'{{colab }}'", "{{", "{{points}}"])
def test_other_braces_are_left_alone(source):
    data = json.dumps({"cells": [{"id": "a", "metadata": {}, "source": source}]}).encode()
    (cell,) = json.loads(fill_in(data, HERE.addresses("week1_a", "a")))["cells"]
    assert cell["source"] == source


def test_what_is_no_notebook_is_left_for_others_to_refuse():
    for data in (b"{{", b'{"cells": 3, "a": "{{colab}}"}', b"[{{colab}}]"):
        assert fill_in(data, HERE.addresses("week1_a", "a")) == data


def test_the_tutor_comes_from_course_toml(tmp_path):
    course, week = make_course(tmp_path)
    some = cells()
    some[0]["source"] = "{{tutor_address}} {{tutor_model}}."
    write_source(tmp_path, some)
    assert course.master(week).cells[0].source == " ."
    settings = tmp_path / "course.toml"
    old = settings.read_text()
    settings.write_text(old + '\n[tutor]\naddress = "http://127.0.0.1:8000/v1"\nmodel = "small"\n')
    assert open_course(tmp_path).master(week).cells[0].source == "http://127.0.0.1:8000/v1 small."
    for wrong, why in (
        ('address = "ftp://example.org"\nmodel = "m"', "address must be an address such as"),
        ('address = \'http://a/"+x\'\nmodel = "m"', "address must be an address such as"),
        ('address = "https://a/v1"\nmodel = "two words"', "model must be a model's name"),
        ('address = "https://a/v1"', "an address and no model"),
        ('key = "secret"', "lacks or misspells something"),
        ("address = 3", "address must be"),
    ):
        settings.write_text(f"{old}\n[tutor]\n{wrong}\n")
        with pytest.raises(CourseError, match=why):
            open_course(tmp_path)
