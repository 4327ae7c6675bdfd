"""A mistake in a source notebook: each verb that reads it says file, cell and line, and what to do. No traceback."""

import shutil

import pytest
from command import course_here
from small_course import DOUBLE, HIDDEN, edit, make_course

from coursekit.course import open_course
from coursekit.engine.errors import CourseError
from coursekit.engine.master import fill

MISTAKES = {
    "solution": (
        {"double": {"source": DOUBLE.replace("return x + x", "return x +")}},
        "Cell double, line 5 (`return x +`) is not Python: invalid syntax.",
    ),
    "visible test": (
        {"double-values": {"source": "# Test: values\nassert double(2 == 4"}},
        "Cell double_values, line 2 (`assert double(2 == 4`) is not Python: '(' was never closed.",
    ),
    "hidden test": (
        {"double-hidden": {"source": HIDDEN.replace("double(-3)", "double -3)")}},
        "Cell double_hidden, line 3 (`assert double -3) == -6,",
    ),
    "setup": ({"setup": {"source": "import math as"}}, "Cell setup, line 1 (`import math as`) is not Python"),
    "two at once": (
        {"setup": {"source": "import"}, "double-values": {"source": "assert"}},
        "Cell double_values, line 1 (`assert`) is not Python: invalid syntax. Mend the source",
    ),
    "a null byte": (
        {"setup": {"source": "x = '\0'"}},
        "Cell setup is not Python: source code string cannot contain",
    ),
    "a region without its end": (
        {"double": {"source": DOUBLE.replace("    ### END SOLUTION\n", "")}},
        "Cell double has 1 times `### BEGIN SOLUTION` and 0 times `### END SOLUTION`.",
    ),
    "a hidden region without its end": (
        {"double-hidden": {"source": HIDDEN.replace("### END HIDDEN TESTS", "")}},
        "Cell double_hidden has 1 times `### BEGIN HIDDEN TESTS` and 0 times `### END HIDDEN TESTS`.",
    ),
}


# What has no cell: how the file is changed, and what is said of it.
FILES = {
    "a merge conflict": (lambda data: data.replace(b"{", b"<<<<<<< HEAD\n{", 1), "is not a notebook"),
    "empty": (lambda data: b"", "is not a notebook"),
    "another encoding": (
        lambda data: data.replace(b"Double", b"\xff\xfe"),
        "is not a notebook ('utf-8' codec",
    ),
    "a list": (lambda data: b"[]", "is not a notebook"),
    "an old format": (
        lambda data: b'{"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": []}]}',
        "is not a notebook (version 3 of the format, not 4). Open it in JupyterLab and save it again.",
    ),
    "a name twice": (lambda data: data.replace(b"double_hidden", b"double_values"), "is used twice"),
}


def made(folder, changes):
    """A course whose first week has these changes, and a right answer handed in before them."""
    course, week = make_course(folder)
    place = course.submitted("ada", week)
    place.mkdir(parents=True)
    master = course.master(week)
    (place / f"{week.notebook}.ipynb").write_bytes(fill(master, master.solutions))
    for key, change in changes.items():
        edit(course, key, **change)
    return course


@pytest.mark.parametrize("mistake", MISTAKES)
def test_what_cannot_be_read_is_named_by_every_verb(mistake, tmp_path, tmp_path_factory):
    changes, sentence = MISTAKES[mistake]
    course = made(tmp_path, changes)
    for verb in (["release"], ["check"], ["grade"], ["publish", str(tmp_path_factory.mktemp("students"))]):
        done = course_here(course.root, *verb)
        said = " ".join(done.stderr.split())
        assert done.returncode == 2 and " ".join(sentence.split()) in said, (verb, said)
        assert "source/week1_attention/attention.ipynb: " in said and "Traceback" not in said
    assert not (course.root / "release").exists() and not (course.root / "autograded").exists()


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A course in which a submission has been graded: without a result, feedback and export would say that first."""
    course = made(tmp_path_factory.mktemp("graded"), {})
    done = course_here(course.root, "grade")
    assert done.returncode == 0, done.stderr
    return course.root


@pytest.mark.parametrize("mistake", FILES)
def test_what_is_no_notebook_is_named_by_every_verb(mistake, graded, tmp_path, tmp_path_factory):
    change, sentence = FILES[mistake]
    course = open_course(shutil.copytree(graded, tmp_path / "course"))
    path = course.source(course.weeks[0])
    path.write_bytes(change(path.read_bytes()))
    students = str(tmp_path_factory.mktemp("students"))
    for verb in (
        "release",
        "check",
        "grade",
        "feedback",
        f"export {course.weeks[0].name}",
        f"publish {students}",
    ):
        done = course_here(course.root, *verb.split())
        said = " ".join(done.stderr.split())
        assert done.returncode == 2, (verb, said)
        assert sentence in said and "source/week1_attention/attention.ipynb" in said, (verb, said)


@pytest.mark.parametrize("points", [-2, "two", None, float("nan"), float("inf")])
def test_points_are_numbers(points, tmp_path):
    course = made(tmp_path, {})
    edit(course, "double-values", points=points)
    with pytest.raises(
        CourseError, match="'double_values' has .* for its points. Give it a number, 0 or more"
    ):
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
    assert "cell_seconds = 3" in settings  # a dozen kernels run into that one after the other
    (course.root / "course.toml").write_text(settings.replace("cell_seconds = 3", "cell_seconds = 0.5"))
    done = course_here(course.root, "grade")
    said = " ".join(done.stderr.split())
    assert done.returncode == 2 and sentence in said, said
    assert "used up" not in said and "Traceback" not in said
    assert not list((course.root / "autograded").glob("*/*/result.json"))
