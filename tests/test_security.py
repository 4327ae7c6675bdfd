"""SECURITY.md is true: its table is the code's, its evidence is there, and some promises are kept here."""

import re
from pathlib import Path

import pytest
from command import course_program
from small_course import RIGHT, cells, hand_in, make_course, master_of

from coursekit.engine.coordinator.grade import grade
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import fill
from coursekit.engine.supervisor.sandbox.promises import table

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "SECURITY.md").read_text(encoding="utf-8")


def test_the_table_is_the_code_s():
    assert table() in PAGE


def test_every_test_that_is_named_is_there():
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)
    assert len(named) >= 15
    for file, name in named:
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), f"{file}::{name}"


@pytest.mark.parametrize(
    "reach",
    ["open('/etc/passwd')", f"open({str(ROOT / 'course.toml')!r})", "__import__('socket').socket()"],
)
def test_the_examiner_is_locked_in_too(servers, reach):
    """It is trusted, but it reads bytes that a student's process sent."""
    some = cells()
    some[4]["source"] = f"# Test: values\nassert double(2) == 4\n{reach}"
    master = master_of(*some)
    tests = grade(master, fill(master, RIGHT), Limits(), servers).result.tests
    assert [test.outcome for test in tests] == ["error", "passed"]
    assert "PermissionError" in tests[0].message


@pytest.mark.slow
def test_a_name_does_not_steer_the_terminal(tmp_path):
    course, _ = make_course(tmp_path)
    hand_in(course, "ada")
    hand_in(course, "eve\x1b[2J\x1b]0;title\x07")
    done = course_program(tmp_path, "grade")
    assert "ada" in done.stdout and "eve" in done.stdout + done.stderr
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", done.stdout + done.stderr)
