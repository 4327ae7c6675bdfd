"""A mistake in a source notebook: each command that reads it says file, cell and line, and what to do. No traceback."""

import re
import shutil
from pathlib import Path

import pytest
from command import course_here
from mistakes import EVERY, GRADING, MISTAKES, RELEASING
from nbgrader.api import Gradebook
from quick import first
from small_course import ROOT, edit, hand_in, make_course

from coursekit.course.config import open_course
from coursekit.doctor import older_python
from coursekit.engine.shared.errors import CourseError
from coursekit.gradebook.database import locate

pytestmark = pytest.mark.usefixtures("warm")
PAGE = ROOT / "docs" / "mistakes.md"
WEEK = "week1_attention"
SOURCE = f"source/{WEEK}/attention.ipynb"
# Commands that read the source, with their arguments. DEST stands for a folder.
READING = [
    ["release"],
    ["check", "--no-run"],
    ["publish", "DEST"],
    ["grade"],
    ["grade", "--changed"],
    ["feedback"],
    ["review"],
    ["export", WEEK],
    ["export", "--to", "json"],
    ["new-question", WEEK, "more", "--points", "4"],
]
REFUSING = {
    EVERY: [*READING, ["check"], ["check", WEEK, "--question", "double"]],
    RELEASING: READING[:3],
    GRADING: READING[3:5],
}


def made(folder, changes):
    """A course whose first week has these changes, and a right answer handed in before them."""
    course, week = make_course(folder)
    hand_in(course, "ada", course.master(week).solutions)
    for key, change in changes.items():
        edit(course, key, **change)
    return course


@pytest.fixture(scope="module")
def term(tmp_path_factory, servers):
    """A course after all stages: released, graded, marked by a person, with pages."""
    from warm import reused

    course = made(tmp_path_factory.mktemp("term"), {})
    with reused(servers):
        for command in ("release", "grade", "feedback", "review"):
            done = course_here(course.root, command)
            assert done.returncode == 0, done.stderr
    with Gradebook(locate(course), "transformer") as book:
        grade = book.find_grade("why", "attention", WEEK, "ada")
        grade.manual_score, grade.needs_manual_grade = 3.5, False
        book.db.commit()
    return course.root


@pytest.fixture
def course(term, tmp_path):
    return open_course(shutil.copytree(term, tmp_path / "course"))


def tree(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and path != root / SOURCE
    }


def sentence(done, root: Path) -> str:
    """What was said, behind the path of the notebook that it is about."""
    assert "Traceback" not in done.stdout + done.stderr
    stderr = done.stderr.replace(f"{root}/", "").removeprefix(older_python())
    said = " ".join(stderr.split())
    assert said.startswith(f"course: {SOURCE}"), said
    return re.sub(r"^( cannot be released)?:?\s*", "", said.removeprefix(f"course: {SOURCE}"))


@pytest.mark.parametrize("name", first(8, MISTAKES))
def test_a_mistake(name, course, tmp_path):
    mistake = MISTAKES[name]
    mistake.change(course)
    before = tree(course.root)
    (tmp_path / "students").mkdir()
    for command in REFUSING[mistake.who]:
        done = course_here(
            course.root, *[str(tmp_path / "students") if word == "DEST" else word for word in command]
        )
        assert done.returncode == 2, (command, done.stderr)
        assert sentence(done, course.root) == mistake.said, command
    assert tree(course.root) == before, "what was there is no more, or there is something new"
    assert list((tmp_path / "students").iterdir()) == []
    # A download is taken in all the same: nobody has to hand in twice.
    (tmp_path / f"{WEEK}__cy.ipynb").write_bytes(before[f"submitted/ada/{WEEK}/attention.ipynb"])
    done = course_here(course.root, "collect", WEEK, str(tmp_path / f"{WEEK}__cy.ipynb"))
    assert done.returncode == 0, done.stderr
    assert before.items() <= tree(course.root).items()


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, one in MISTAKES.items() if one.who != EVERY])
def test_what_the_mistake_does_not_touch_goes_on(name, course, tmp_path):
    """Who is graded keeps the marks, a person's too, and they can be given back."""
    before = course_here(course.root, "export", WEEK).stdout
    assert "8.5" in before
    MISTAKES[name].change(course)
    for command in READING[3 if MISTAKES[name].who == RELEASING else 5 : -1]:
        done = course_here(course.root, *command)
        assert done.returncode == 0 and "Traceback" not in done.stdout + done.stderr, (command, done.stderr)
    assert course_here(course.root, "export", WEEK).stdout == before


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, one in MISTAKES.items() if one.who == GRADING])
def test_check_names_what_shows_only_when_it_is_run(name, course):
    MISTAKES[name].change(course)
    done = course_here(course.root, "check", WEEK, "--question", "double")
    said = " ".join((done.stdout + done.stderr).split())
    assert done.returncode in (1, 2) and "Traceback" not in said
    assert "double_hidden" in said or "Cell setup, line 2" in said, said


def table() -> str:
    lines = ["| mistake | what is said | by |", "| - | - | - |"]
    for one in MISTAKES.values():
        said = one.said.replace("|", "\\|").replace("<", "&lt;").replace("\n", "<br>")
        lines.append(f"| {one.made} | {said} | {one.who} |")
    return "\n".join(lines) + "\n"


MARKS = re.compile(r"(<!-- mistakes: [^\n]* -->\n\n).*?(\n<!-- end of mistakes -->)", re.DOTALL)


def test_the_page_shows_this_table():
    """To write it anew: `python tests/test_source_mistakes.py`."""
    assert len(MISTAKES) >= 10
    text = PAGE.read_text(encoding="utf-8")
    assert MARKS.sub(lambda found: found[1] + table() + found[2], text) == text and MARKS.search(text)


@pytest.mark.parametrize("points", [-2, "two", None, float("nan"), float("inf")])
def test_points_are_numbers(points, tmp_path):
    course = made(tmp_path, {})
    edit(course, "double-values", points=points)
    sentence = "'double_values' has .* for its points. Give it a number, 0 or more"
    with pytest.raises(CourseError, match=sentence):
        course.master(course.weeks[0])


@pytest.mark.parametrize(
    "source",
    ["%matplotlib inline\nimport math\n!true", "files = !ls", "%%bash\nif true; then ls; fi", "math?", ""],
)
def test_what_only_a_kernel_knows_may_stand_in_given_cells(source, tmp_path):
    course = made(tmp_path, {"setup": {"source": source}})
    assert course.master(course.weeks[0]).setup_source == source


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("import math\nimport mahts", "Cell setup, line 2: ModuleNotFoundError: No module named 'mahts'"),
        ("import math\n\n1 / 0", "Cell setup, line 3: ZeroDivisionError: division by zero"),
        ("import os\nos._exit(3)", "Cell setup ends Python."),
        ("while True: pass", "Cell setup does not end."),
    ],
    ids=["module", "raises", "exits", "endless"],
)
def test_a_setup_that_cannot_be_run_is_named_and_nobody_is_graded(source, sentence, tmp_path):
    course = made(tmp_path, {"setup": {"source": source}})
    settings = (course.root / "course.toml").read_text(encoding="utf-8")
    # Kernel after kernel runs into that, until the time for all of a notebook is up.
    for limit, usual, here in (("cell_seconds", "3", "0.5"), ("all_cells_seconds", "30", "3")):
        assert f"{limit} = {usual}\n" in settings
        settings = settings.replace(f"{limit} = {usual}\n", f"{limit} = {here}\n")
    (course.root / "course.toml").write_text(settings)
    done = course_here(course.root, "grade")
    said = " ".join(done.stderr.split())
    assert done.returncode == 2 and sentence in said, said
    assert "used up" not in said and "Traceback" not in said
    assert not list((course.root / "autograded").glob("*/*/result.json"))


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(MARKS.sub(lambda found: found[1] + table() + found[2], text), encoding="utf-8")
