"""The release: what nbgrader makes of a source notebook, and what students must not find in it."""

import copy
import json
import sqlite3

import pytest
from plain_nbgrader import nbgrader
from small_course import DOUBLE, HIDDEN, MODEL, cells, code, edit, graded, make_course, result, write_source

from coursekit.authoring.release import check, generate, release, stale
from coursekit.course.config import open_course
from coursekit.engine.shared.errors import CourseError
from coursekit.gradebook.convert import convert
from coursekit.gradebook.database import locate
from coursekit.gradebook.record import record


def rows(course, query):
    with sqlite3.connect(course.root / "gradebook.db") as database:
        return sorted(database.execute(query).fetchall())


CELLS = {
    "graded": "select name, type, max_score, cell_type from base_cell join grade_cells using (id)",
    "solutions": "select name, type from base_cell join solution_cells using (id)",
    "sources": "select name, cell_type, locked, source, checksum from source_cell",
    "notebooks": "select name, kernelspec from notebook",
    "assignments": "select name, course_id from assignment",
    "alembic": "select version_num from alembic_version",
}


def snapshot(course):
    return {name: rows(course, query) for name, query in CELLS.items()}


@pytest.fixture
def small(tmp_path):
    return make_course(tmp_path)


def test_what_students_get(small):
    course, week = small
    path = release(course, week)
    assert path == course.release(week)
    source = json.loads(course.source(week).read_text())
    made = {cell["id"]: cell for cell in json.loads(path.read_text())["cells"]}
    assert list(made) == [cell["id"] for cell in source["cells"]]
    text = {key: "".join(cell["source"]) for key, cell in made.items()}
    assert text["double"] == (
        'def double(x):\n    """Twice x."""\n    # YOUR CODE HERE\n'
        '    raise NotImplementedError("week 1, double: give back twice x")'
    )
    assert text["double-hidden"] == "# Test: negative numbers"
    assert text["why"] == "YOUR ANSWER HERE"
    assert text["double-values"].endswith("assert double(2) == 4")
    assert MODEL not in path.read_text() and "x + x" not in path.read_text()


def test_two_runs_give_equal_bytes_and_leave_no_rows_behind(small):
    course, week = small
    first = release(course, week).read_bytes()
    before = snapshot(course)
    assert release(course, week).read_bytes() == first
    assert snapshot(course) == before
    assert [path.name for path in course.release(week).parent.iterdir()] == ["attention.ipynb"]


@pytest.mark.slow
def test_plain_nbgrader_makes_the_same(small, tmp_path_factory):
    """`nbgrader generate_assignment` gives the same bytes and the same rows."""
    course, week = small
    ours = release(course, week).read_bytes()
    theirs, _ = make_course(tmp_path_factory.mktemp("theirs"))
    done = nbgrader(theirs.root, "generate_assignment", week.name)
    assert done.returncode == 0, done.stderr
    assert theirs.release(week).read_bytes() == ours
    assert snapshot(theirs) == snapshot(course)


def test_nothing_reaches_the_terminal(small, capfd):
    course, week = small
    release(course, week)
    nested = "### BEGIN SOLUTION\n    ### BEGIN SOLUTION"
    ends = "### END SOLUTION\n    ### END SOLUTION"
    twice = DOUBLE.replace("### BEGIN SOLUTION", nested).replace("### END SOLUTION", ends)
    edit(course, "double", source=twice)
    with pytest.raises(CourseError, match="(?i)nbgrader cannot make a release of .*nested begin solution"):
        release(course, week)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "text", ["c = get_config(", "import nothing_there", "c = get_config()\nc.Exporter = 3"]
)
def test_settings_that_cannot_be_read_are_reported(small, text):
    course, week = small
    (course.root / "nbgrader_config.py").write_text(text)
    for use in (lambda: release(course, week), lambda: locate(course)):
        with pytest.raises(CourseError, match=r"nbgrader_config\.py cannot be read \(\w+Error: .+\)"):
            use()


def test_stale(small):
    course, week = small
    assert "missing" in stale(course, week)
    release(course, week, gradebook=False)
    assert stale(course, week) == ""
    edit(course, "double-values", source="# Test: values\nassert double(2) == 4.0")
    before = course.release(week).read_bytes()
    assert "double-values" in stale(course, week)
    assert course.release(week).read_bytes() == before
    assert not (course.root / "gradebook.db").exists()


CLASS = """class Double:
    def __init__(self, x):
        ### BEGIN SOLUTION
        self.x = x + x + x - x
{} NotImplementedError("write it")"""


def change(key, source):
    def apply(some):
        next(cell for cell in some if cell["id"] == key)["source"] = source

    return apply


def copy_hidden_test(some):
    some[0]["source"] += '\n\n```\nassert double(-3) == -6,   "negative numbers are not doubled"\n```'


BROKEN = {
    "a raise line of the class": (
        change("double", CLASS.format("        ### END SOLUTION\n    raise")),
        "outside a function, where it stops the reference answer too. In a class, give each method",
    ),
    "a raise line of the cell": (
        change("double", CLASS.format("        ### END SOLUTION\nraise")),
        "outside a function, where it stops the reference answer too.",
    ),
    "no raise line": (change("double", DOUBLE.rsplit("\n", 1)[0]), "no `raise NotImplementedError"),
    "raise in another function": (
        change("double", DOUBLE.rsplit("\n", 1)[0] + "\n\ndef other():\n    raise NotImplementedError('x')"),
        "no `raise NotImplementedError",
    ),
    "no region": (change("double", "def double(x):\n    return x + x"), "no region"),
    "hidden test half outside": (
        change("double-hidden", HIDDEN + "\nassert double(0) == 0"),
        "outside its hidden region",
    ),
    "hidden test in the text": (copy_hidden_test, "shows the hidden test of double_hidden"),
    "solution in a test": (
        change("double-values", "# Test\n# add, which is what twice means\nreturn x + x"),
        "double_values shows the solution of double",
    ),
    "model answer in the text": (
        change("why-heading", "### Why?\n\n" + MODEL),
        "shows the model answer of why",
    ),
    "id twice": (lambda some: some[0].update(id="setup"), "cell 1 has no id, or the id of another"),
    "no id": (lambda some: some[0].pop("id"), "cell 0 has no id"),
    "region in a given cell": (
        change("setup", "### BEGIN SOLUTION\nx = 1\n### END SOLUTION"),
        "is not a solution",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_release_that_would_show_something_is_refused(tmp_path, name):
    apply, message = BROKEN[name]
    some = cells()
    apply(some)
    course, week = make_course(tmp_path, some)
    with pytest.raises(CourseError, match=message):
        release(course, week)
    assert not course.release(week).exists()
    assert not (course.root / "gradebook.db").exists()


def test_a_code_cell_that_a_person_grades_is_refused(small):
    course, week = small
    draw = code("draw", "", **graded("draw", grade=True, solution=True, points=2))
    write_source(course.root, [*cells(), draw])
    said = r"source/week1_attention/attention\.ipynb: cell 'draw' is a code cell that is graded by hand\. .* markdown"
    for use in (lambda: release(course, week), lambda: course.master(week)):
        with pytest.raises(CourseError, match=said):
            use()


def test_a_picture_in_a_model_answer_is_refused_since_students_would_get_it(small):
    course, _ = small
    *others, why = cells()
    write_source(course.root, [*others, why | {"attachments": {"a.png": {"image/png": ""}}}])
    with pytest.raises(CourseError, match="model answer in cell 'why' has a pasted picture"):
        course.master(course.weeks[0])


def test_files_beside_the_notebook_come_along(small):
    course, week = small
    text = course.source(week).parent / "book.txt"
    text.write_text("It is a truth")
    assert release(course, week, gradebook=False).with_name("book.txt").read_text() == "It is a truth"
    assert stale(course, week) == ""
    text.write_text("another")
    assert "release/week1_attention/book.txt differs from the file in source" in stale(course, week)
    text.unlink()


def test_outputs_are_cleared_and_seen(small):
    course, week = small
    some = cells()
    some[1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "an old output\n"}]
    some[1]["execution_count"] = 3
    write_source(course.root, some)
    assert b"an old output" not in generate(course, week)
    master = course.master(week)
    made = copy.deepcopy(convert(course, master).released)
    assert check(master, made) == []
    made.cells[1].outputs = some[1]["outputs"]
    assert check(master, made) == ["setup: has outputs"]
    made.cells[1].outputs = []
    made.cells[3].source = DOUBLE
    assert any("shows the solution of double" in problem for problem in check(master, made))
    made.cells.pop()
    assert check(master, made) == ["the release's cells are not the master's, in the master's order"]


def test_changed_points_and_added_and_removed_tests(small):
    course, week = small
    release(course, week)
    record(course, week, [result("s01")])
    some = cells()
    some[4]["metadata"]["nbgrader"]["points"] = 7
    more = graded("double_more", grade=True, points=1)
    some[5] = code("double-more", "# Test: more\nassert double(5) == 10", **more)
    write_source(course.root, some)
    release(course, week)
    assert rows(course, CELLS["graded"]) == [
        ("double_more", "GradeCell", 1.0, "code"),
        ("double_values", "GradeCell", 7.0, "code"),
        ("why", "GradeCell", 4.0, "markdown"),
    ]
    query = "select name, auto_score, needs_manual_grade from grade join base_cell on cell_id=base_cell.id"
    assert rows(course, query) == [("double_more", None, 1), ("double_values", 2.0, 0), ("why", None, 1)]


def test_marks_of_people_are_not_dropped_unasked(small):
    course, week = small
    release(course, week)
    record(course, week, [result("s01")])
    with sqlite3.connect(course.root / "gradebook.db") as database:
        database.execute(
            "update grade set manual_score = 1 where cell_id in (select id from base_cell where name = 'double_hidden')"
        )
    some = cells()
    del some[5]
    write_source(course.root, some)
    before, released = snapshot(course), course.release(week).read_bytes()
    with pytest.raises(CourseError, match="double_hidden"):
        release(course, week)
    assert snapshot(course) == before and course.release(week).read_bytes() == released
    release(course, week, drop_marks=True)
    assert "double_hidden" not in str(snapshot(course))


def test_a_renamed_notebook_takes_the_old_ones_place(small):
    course, week = small
    release(course, week)
    record(course, week, [result("s01")])
    toml = course.root / "course.toml"
    toml.write_text(toml.read_text().replace('notebook = "attention"', 'notebook = "scaled"'))
    course.source(week).rename(course.source(week).with_name("scaled.ipynb"))
    course = open_course(course.root)
    release(course, course.weeks[0])
    assert [name for name, _ in rows(course, CELLS["notebooks"])] == ["scaled"]
    assert rows(course, "select * from submitted_notebook") == []
