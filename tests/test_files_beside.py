"""Files beside the notebook: the week's, to be read, and those that a student handed in with it."""

import io
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import small_course
from small_course import DOUBLE, RIGHT, code, graded, make_course, markdown, write_answer
from warm import reused

from coursekit.authoring.checks.check import check_week
from coursekit.authoring.checks.execution import check_filled, check_unfilled, run_both
from coursekit.authoring.publish.decoding import texts
from coursekit.authoring.publish.publish import publish
from coursekit.authoring.release import release
from coursekit.course import config
from coursekit.deliver.review.pages import write_reports
from coursekit.engine.coordinator import grade as grading
from coursekit.engine.coordinator.sentences import sentence
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import fill
from coursekit.gradebook.record import record
from coursekit.grading.cluster import connect
from coursekit.grading.run import grade_class

VALUES = "1.5\n2.5\n"
SETUP = """import numpy as np
from shapes import side

values = [float(line) for line in open("values.csv")]
table = np.load("tables/small.npy")"""
FILE_TEST = """# Test: with the week's files
with open("values.csv") as file:
    assert double(float(next(file))) == 3, "twice the first value"
assert double(values[1]) == 5 and double(float(table[0])) == 14 and double(side) == 8"""
PROBE_TEST = """# Test: beside the student's code
def probe_sum():
    return sum(values) + float(np.load("tables/small.npy")[0]) + double(side)


assert probe_sum() == 19"""
CELLS = [
    markdown("intro", "# Week 1"),
    code("setup", SETUP, tags=["setup"]),
    markdown("double-why", "### Double"),
    code("double", DOUBLE, **graded("double", solution=True)),
    code("double-values", "# Test: values\nassert double(2) == 4", **graded("values", grade=True, points=2)),
    code("double-file", FILE_TEST, **graded("files", grade=True, points=2)),
    code("double-probe", PROBE_TEST, **graded("probes", grade=True, points=1)),
]
RIGHT_ANSWER = """def double(x):
    total = 0
    for _ in range(2):
        total = total + x if total else x
    return total
"""
USES_FACTOR = "from {} import factor\ndef double(x):\n    return factor * x"
FACTOR = b"factor = 2\n"


def npy(*numbers):
    np.save(file := io.BytesIO(), np.array(numbers, dtype=float))
    return file.getvalue()


def zipped(files):
    with zipfile.ZipFile(file := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return file.getvalue()


def reads(expression):
    return f"factor = int({expression})\ndef double(x):\n    return factor * x"


# {student: (the answer, files beside it)}: each gets full marks.
RIGHT_ONES = {
    "module": (USES_FACTOR.format("my_utils"), {"my_utils.py": FACTOR}),
    "package": (
        USES_FACTOR.format("parts.small"),
        {
            "parts/__init__.py": b"",
            "parts/small.py": b"from .numbers import factor",
            "parts/numbers.py": FACTOR,
        },
    ),
    "run-magic": ("%run tool.py\ndef double(x):\n    return factor * x", {"tool.py": FACTOR}),
    "run-notebook": (
        "%run helpers.ipynb\ndef double(x):\n    return factor * x",
        {
            "helpers.ipynb": json.dumps(
                {"cells": [code("a", FACTOR.decode())], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
            ).encode()
        },
    ),
    "text": (reads("open('scale.txt').read()"), {"scale.txt": b"2"}),
    "pathlib": (
        reads("__import__('pathlib').Path('./data/scale.txt').read_text()"),
        {"data/scale.txt": b"2"},
    ),
    "space-in-name": (reads("open('my scale.txt').read()"), {"my scale.txt": b"2"}),
    "accents-in-two-characters": (
        reads("open('gr\u00f6\u00dfe.txt').read()"),
        {"gro\u0308\u00dfe.txt": b"2"},
    ),
    "numbered-by-a-platform": (USES_FACTOR.format("my_utils"), {"my_utils-1.py": FACTOR}),
    "written-at-import": (
        USES_FACTOR.format("my_utils"),
        {"my_utils.py": b"open('cache.txt', 'w').write('2')\nfactor = int(open('cache.txt').read())"},
    ),
    "its-own-changed": (
        "open('scale.txt', 'w').write('2')\n" + reads("open('scale.txt').read()"),
        {"scale.txt": b"7"},
    ),
    "after-a-stop": (reads("open('scale.txt').read()") + "\nimport os\nos._exit(1)", {"scale.txt": b"2"}),
    "program": (
        "import subprocess, sys\n" + reads("subprocess.check_output([sys.executable, 'tool.py'])"),
        {"tool.py": b"print(2)"},
    ),
    "folder-called-tmp": (reads("open('tmp/cache/scale.txt').read()"), {"tmp/cache/scale.txt": b"2"}),
    "own-copies-of-the-weeks": (RIGHT["double"], {"values.csv": VALUES.encode(), "shapes.py": b"side = 4\n"}),
}


@pytest.fixture(scope="module")
def graded_class(tmp_path_factory, servers):
    """The course, and {student: result} of everybody above."""
    course, week = course_with_files(tmp_path_factory.mktemp("beside"))
    for student, (answer, files) in RIGHT_ONES.items():
        hand_in(course, student, {"double": "import os\n" + answer}, files)
    inside = {"my_utils.py": FACTOR, "data/scale.txt": b"2"}
    notebook = fill(
        course.master(week), {"double": USES_FACTOR.format("my_utils") + "\nopen('data/scale.txt')"}
    )
    folder = course.submitted("x", week).parent.parent
    for student, files in {
        "zip": {
            "all.zip": zipped({"hw/attention.ipynb": notebook} | {f"hw/{n}": d for n, d in inside.items()})
        },
        "zip-flat": {"all.zip": zipped({"attention.ipynb": notebook} | inside)},
        "zip-by-windows": {
            "all.zip": zipped({"hw\\attention.ipynb": notebook} | {f"hw\\{n}": d for n, d in inside.items()})
        },
        "zip-and-file": {"all.zip": zipped({"attention.ipynb": notebook, "my_utils.py": FACTOR})}
        | {"data/scale.txt": b"2"},
        "in-a-folder": {"week 1/attention.ipynb": notebook} | {f"week 1/{n}": d for n, d in inside.items()},
        "notebook-in-a-folder": {"week 1/attention.ipynb": notebook} | inside,
    }.items():
        for name, data in files.items():
            put(folder / student / week.name / name, data)
    with reused(servers):
        return course, grade_class(course, week).results


def put(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def course_with_files(root):
    course, week = make_course(root, CELLS)
    folder = course.source(week).parent
    put(folder / "values.csv", VALUES.encode())
    put(folder / "shapes.py", b"side = 4\n")
    put(folder / "tables" / "small.npy", npy(7))
    for left_over in (".ipynb_checkpoints/a.csv", "__pycache__/shapes.pyc", ".DS_Store", ".hidden/x.csv"):
        put(folder / left_over, b"left")
    return course, week


def hand_in(course, student, answers, files=None):
    small_course.hand_in(course, student, answers)
    for name, data in (files or {}).items():
        put(course.submitted(student, course.weeks[0]) / name, data)


def outcomes(result):
    return {test.id: (test.outcome, test.message) for test in result.tests if test.outcome != "passed"}


def kinds(notes):
    return [note.kind for note in notes]


@pytest.mark.parametrize(
    "student",
    [
        *RIGHT_ONES,
        *("zip", "zip-flat", "zip-by-windows", "zip-and-file", "in-a-folder", "notebook-in-a-folder"),
    ],
)
def test_what_was_handed_in_beside_the_notebook_is_there(graded_class, student):
    _, results = graded_class
    assert outcomes(results[student]) == {}
    expected = ["several_notebooks"] if student == "run-notebook" else []
    assert kinds(results[student].flags) == expected


# What is not there, or in another way than the student may think.

TRIES_TO_CHANGE = """
import os, shutil
tried = []
for change in (
    lambda: open("values.csv", "w").write("7"),
    lambda: open("values.csv", "r+").write("7"),
    lambda: open("values.csv", "a").write("7"),
    lambda: os.truncate("values.csv", 0),
    lambda: os.chmod("values.csv", 0) or open("values.csv", "w"),
    lambda: shutil.copyfile("mine.csv", "values.csv"),
    lambda: os.link("values.csv", "linked.csv") or open("linked.csv", "w"),
    lambda: os.rename(os.readlink("values.csv"), "stolen.csv"),
    lambda: os.unlink(os.readlink("values.csv")),
    lambda: open(os.path.join(os.path.dirname(os.readlink("values.csv")), "new.csv"), "w"),
    lambda: os.listdir(os.path.dirname(os.readlink("values.csv"))),
    lambda: open(os.path.join(os.path.dirname(os.readlink("values.csv")), "attention.ipynb")),
):
    try:
        change()
        tried.append("done")
    except OSError as error:
        tried.append("refused")
os.remove("values.csv")
open("values.csv", "w").write("7")
values = [7, 7]
"""


@pytest.fixture
def course(tmp_path):
    return course_with_files(tmp_path)[0]


def grade(course):
    return grade_class(course, course.weeks[0]).results


@pytest.mark.usefixtures("warm")
def test_nobody_can_change_a_file_of_the_weeks(course):
    week = course.weeks[0]
    answer = f"{TRIES_TO_CHANGE}\nassert set(tried) == {{'refused'}}, tried\n{RIGHT['double']}"
    hand_in(course, "a", {"double": answer}, {"mine.csv": b"7"})
    hand_in(course, "b", RIGHT)
    before = {file.name: Path(file.path).stat() for file in course.data_files(week)}
    results = grade(course)
    assert outcomes(results["a"]) == outcomes(results["b"]) == {}
    notebook = json.loads((course.autograded("a", week) / "attention.ipynb").read_bytes())
    assert not any("refused" in json.dumps(cell.get("outputs", "")) for cell in notebook["cells"])
    for file in course.data_files(week):
        now = Path(file.path).stat()
        assert (now.st_mode, now.st_mtime_ns, now.st_size) == (
            before[file.name].st_mode,
            before[file.name].st_mtime_ns,
            before[file.name].st_size,
        )


def test_without_the_sandbox_a_student_changes_a_copy(course):
    path = course.source(course.weeks[0]).parent / "values.csv"
    hand_in(course, "a", {"double": f"open('values.csv', 'w').write('7')\n{RIGHT['double']}"})
    hand_in(course, "b", RIGHT)
    results = grade_class(course, course.weeks[0], unsafe=True).results
    assert outcomes(results["a"]) == outcomes(results["b"]) == {}
    assert path.read_text() == VALUES


@pytest.mark.usefixtures("warm")
def test_a_changed_copy_of_the_weeks_file_is_not_used_and_the_result_says_so(course):
    hand_in(course, "a", RIGHT, {"values.csv": b"100\n", "shapes.py": b"side = -1"})
    hand_in(course, "b", RIGHT, {"values.csv/inside.csv": b"100\n", "tables": b"no folder"})
    results = grade(course)
    assert outcomes(results["a"]) == outcomes(results["b"]) == {}
    assert [(note.kind, note.values["name"]) for note in results["a"].repairs] == [
        ("data_restored", "shapes.py"),
        ("data_restored", "values.csv"),
    ]
    assert kinds(results["b"].flags) == ["file_left_out", "file_left_out"]


@pytest.mark.usefixtures("warm")
def test_a_library_is_not_replaced_by_a_file_of_its_name(course):
    """Not even one that is imported for the first time by the student's code, or by a library."""
    answer = "import random, colorsys, numpy\n" + RIGHT["double"]
    answer += "\nassert random.random() < 1 and colorsys.rgb_to_hls(0, 0, 0) and numpy.pi"
    lie = b"raise RuntimeError('a file of the student was imported')"
    names = ("random", "colorsys", "numpy", "coursekit", "IPython", "sitecustomize", "msgpack")
    hand_in(course, "a", {"double": answer}, {f"{name}.py": lie for name in names})
    result = grade(course)["a"]
    assert outcomes(result) == {} and "raised" not in str(result.stops)
    assert {note.values["name"] for note in result.flags} == {"random", "colorsys", "numpy"}
    assert set(kinds(result.flags)) == {"module_name_taken"}


@pytest.mark.usefixtures("warm")
@pytest.mark.parametrize("name", ["fast.cpython-311-x86_64-linux-gnu.so", "__pycache__/fast.pyc"])
def test_compiled_code_is_not_there(course, name):
    answer = f"import os\nassert not os.path.exists({name!r})\n{RIGHT['double']}"
    hand_in(course, "a", {"double": answer}, {name: b"\x7fELF"})
    assert outcomes(grade(course)["a"]) == {}


@pytest.mark.usefixtures("warm")
def test_files_that_are_too_large_are_left_out_and_flagged(course):
    there = "import os\nassert os.path.exists('a.bin') and not os.path.exists('b.bin')\n"
    answer = there + RIGHT["double"]
    hand_in(course, "a", {"double": answer}, {"a.bin": bytes(15 << 20), "b.bin": bytes(15 << 20)})
    result = grade(course)["a"]
    assert outcomes(result) == {}
    (flag,) = result.flags
    assert sentence(flag) == "b.bin was not used: it has 15 MiB, and at most 20 MiB of such files are read."


@pytest.mark.usefixtures("warm")
def test_an_error_in_a_module_names_its_line(course):
    module = b"\ndef twice(x):\n    return undefined * x\n"
    hand_in(course, "a", {"double": "from my_utils import twice as double"}, {"my_utils.py": module})
    assert (
        "line 3 of my_utils.py, in twice: return undefined * x" in outcomes(grade(course)["a"])["values"][1]
    )


# Refused functions.


@pytest.mark.usefixtures("warm")
@pytest.mark.parametrize(
    ("module", "uses"),
    [
        ("from statistics import mean\ntwice = lambda x: 2 * mean([x, x])", None),
        ("from math import prod\ndef twice(x, by=prod):\n    return by([2, x])", None),
        ("import math\nclass Twice:\n    way = math.prod\ntwice = lambda x: Twice.way([2, x])", None),
        (
            "import gc\nways = [one for one in gc.get_objects() if getattr(one, '__name__', '') == 'mean']\n"
            "twice = lambda x: 2 * ways[0]([x, x])",
            "`get_objects`",
        ),
    ],
)
def test_a_refused_function_is_refused_in_a_module_too(tmp_path, module, uses):
    cells = [
        dict(cell, metadata=cell["metadata"] | {"course": {"from_scratch": ["statistics.mean", "math.prod"]}})
        if cell["id"] == "double"
        else cell
        for cell in small_course.cells()
    ]
    course, week = make_course(tmp_path, cells)
    hand_in(course, "a", {"double": "from helper import twice as double"}, {"helper.py": module.encode()})
    result = grade_class(course, week).results["a"]
    assert {outcome for outcome, _ in outcomes(result).values()} == {"error"}
    refused = "is not available while this question is judged"
    assert uses or all(refused in text for _, text in outcomes(result).values())
    found = [(note.values["name"], note.values["uses"]) for note in result.flags if "file" in note.kind]
    assert found == ([("helper.py", uses)] if uses else [])


# Grading again.


@pytest.mark.slow
@pytest.mark.usefixtures("warm")
def test_who_is_graded_again_when_a_file_changes(course):
    week = course.weeks[0]
    for student in "ab":
        hand_in(course, student, {"double": USES_FACTOR.format("my_utils")}, {"my_utils.py": FACTOR})
    assert grade_class(course, week).fresh == {"a", "b"}
    assert grade_class(course, week).fresh == set()
    values = course.source(week).parent / "values.csv"
    os.utime(values, ns=(0, 0))
    assert grade_class(course, week).fresh == set()
    put(course.submitted("a", week) / "my_utils.py", b"factor = 3\n")
    again = grade_class(course, week)
    assert again.fresh == {"a"} and again.results["a"].score == 0
    values.write_text("3\n2.5\n")
    with pytest.raises(
        CourseError, match="the reference gets 2 of 5 points"
    ):  # its test knows the first value
        grade_class(course, week)
    values.write_text("1.5\n3.5\n")
    with pytest.raises(CourseError, match="the reference gets"):
        grade_class(course, week)
    put(values.parent / "more.csv", b"1")
    values.write_text(VALUES)
    assert grade_class(course, week).fresh == {"a", "b"}


@pytest.mark.usefixtures("warm")
def test_a_week_file_that_changes_while_a_class_is_graded(course, monkeypatch):
    hand_in(course, "a", RIGHT)
    real = grading.WorkingFolder.of

    def change(*arguments):
        folder = real(*arguments)
        put(course.source(course.weeks[0]).parent / "tables" / "small.npy", npy(7) + b" ")
        return folder

    monkeypatch.setattr(grading.WorkingFolder, "of", change)
    with pytest.raises(CourseError, match=r"The week's file tables/small.npy changed"):
        grade(course)


def test_what_counts_as_a_file_of_the_weeks(course):
    week = course.weeks[0]
    assert [file.name for file in course.data_files(week)] == ["shapes.py", "tables/small.npy", "values.csv"]
    put(course.source(week).parent / "other.ipynb", b"{}")
    assert len(course.data_files(week)) == 3


def test_the_number_of_the_weeks_files_is_limited(course, monkeypatch):
    monkeypatch.setattr(config, "MAX_DATA_FILES", 2)
    with pytest.raises(CourseError, match=r"has 3 files beside its notebook; at most 2"):
        course.master(course.weeks[0])


def test_equal_files_give_equal_digests_wherever_they_are(course, tmp_path_factory):
    other = course_with_files(tmp_path_factory.mktemp("other"))[0]
    assert course.master(course.weeks[0]) == other.master(other.weeks[0])


@pytest.mark.slow
@pytest.mark.usefixtures("warm")
def test_descriptors_are_closed(course):
    for student in "abc":
        hand_in(course, student, RIGHT, {f"{number}.txt": b"1" for number in range(20)})
        notebook = fill(course.master(course.weeks[0]), RIGHT)
        put(
            course.submitted(f"zip-{student}", course.weeks[0]) / "a.zip",
            zipped({"attention.ipynb": notebook, "b.txt": b"1"}),
        )
    grade(course)
    before = len(os.listdir("/proc/self/fd"))
    grade_class(course, course.weeks[0], force=True)
    assert len(os.listdir("/proc/self/fd")) <= before


# Where people see them.


@pytest.mark.slow
@pytest.mark.usefixtures("warm")
def test_the_tas_page_names_the_files_and_who_has_the_same(course):
    week = course.weeks[0]
    answer = {"double": USES_FACTOR.format("my_utils")}
    for student in ("ann", "bob"):
        hand_in(course, student, answer, {"my_utils.py": FACTOR, "values.csv": VALUES.encode()})
    hand_in(course, "cy", answer, {"my_utils.py": FACTOR + b"# my own", "data/<b>x.csv": b"1"})
    hand_in(course, "di", RIGHT)
    grade(course)
    record(course, week, list(grade_class(course, week).results.values()))
    write_reports(course, [week], named=True)
    pages = {
        student: (course.root / "reports" / week.name / "students" / f"{student}.html").read_text()
        for student in ("ann", "bob", "cy", "di")
    }
    assert re.search(r"my_utils\.py.{0,80}the same as that of.{0,80}bob", pages["ann"])
    assert "values.csv" not in pages["ann"].partition("Files beside the notebook")[2].partition("</ul>")[0]
    assert "my_utils.py" in pages["cy"] and "the same as" not in pages["cy"] and "<b>x.csv" not in pages["cy"]
    assert "Files beside the notebook" not in pages["di"]


# What an author is shown before students see the week.


def problems(course):
    return "\n".join(check_week(course, course.weeks[0], run=False).problems)


def test_a_file_that_no_cell_names_is_a_problem_for_check_and_publish(course, tmp_path_factory):
    week = course.weeks[0]
    release(course, week, gradebook=False)
    assert "students would get" not in problems(course)
    put(course.source(week).parent / "solutions_of_last_year.txt", b"x")
    release(course, week, gradebook=False)
    assert "students would get solutions_of_last_year.txt" in problems(course)
    with pytest.raises(CourseError, match="students would get solutions_of_last_year.txt"):
        publish(course, [week], tmp_path_factory.mktemp("students") / "repository")


def test_release_and_publish_copy_them_with_their_folders(course, tmp_path_factory):
    week = course.weeks[0]
    release(course, week, gradebook=False)
    folder = course.release(week).parent
    expected = {"attention.ipynb", "values.csv", "shapes.py", "tables/small.npy"}
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} == expected
    target = tmp_path_factory.mktemp("students") / "repository"
    published = publish(course, [week], target)
    assert {f"{week.name}/{name}" for name in expected} <= set(published)
    put(course.source(week).parent / "values.csv", b"9\n")
    assert "release/week1_attention/values.csv differs" in problems(course)


def test_a_solution_in_a_data_file_is_not_published(course, tmp_path_factory):
    week = course.weeks[0]
    write_answer(course, "right/double_long", RIGHT_ANSWER)
    write_answer(course, "wrong/double_none", "def double(x):\n    return None", fails="values")
    put(course.source(week).parent / "shapes.py", f"side = 4\n{RIGHT_ANSWER}".encode())
    release(course, week, gradebook=False)
    with pytest.raises(CourseError, match="shapes.py shows answers/week1_attention/right/double_long.py"):
        publish(course, [week], tmp_path_factory.mktemp("students") / "repository")


def test_a_module_with_the_name_of_an_installed_one_is_a_problem(course):
    week = course.weeks[0]
    put(course.source(week).parent / "statistics.py", b"")
    small_course.edit(course, "setup", source=SETUP + "\nimport statistics")
    assert "has the module statistics, and another one with this name" in problems(course)


@pytest.mark.parametrize(
    ("name", "complaint"), [("values.csv", ""), ("value.csv", "value.csv, which is not")]
)
def test_an_address_of_a_week_file_is_checked(course, name, complaint):
    small_course.edit(course, "setup", source=f'{SETUP}\nADDRESS = "{{{{files}}}}{name}"')
    small_course.edit(course, "double-why", source=f"### Double\n\n[the values]({{{{files}}}}{name})")
    release(course, course.weeks[0], gradebook=False)
    found = problems(course)
    assert complaint in found and found.count(name) == (2 if complaint else 0)


DOWNLOADED = """from pathlib import Path
from urllib.request import urlretrieve

for name in ("values.csv", "shapes.py", "tables/small.npy"):
    Path(name).parent.mkdir(exist_ok=True)
    if not Path(name).exists():
        urlretrieve("{{files}}" + name, name)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "setup", "complaint"),
    [
        ("# Week 1", SETUP, ""),
        ("# Week 1 [Colab]({{colab}})", DOWNLOADED + SETUP, ""),
        ("# Week 1 [Colab]({{colab}})", SETUP, "On Colab no other file is beside the notebook"),
    ],
)
def test_a_notebook_that_links_to_colab_has_to_download_its_files(course, first, setup, complaint):
    small_course.edit(course, "intro", source=first)
    small_course.edit(course, "setup", source=setup)
    runs = run_both(course, course.weeks[0])
    master = course.master(course.weeks[0])
    assert check_filled(runs.filled, master) == []
    found = [
        problem for problem in check_unfilled(runs.unfilled, master) if "raises-exception" not in problem
    ]
    assert [complaint in problem for problem in found if "setup" in problem] == ([True] if complaint else [])


@pytest.mark.parametrize(
    ("data", "fine"),
    [
        (npy(1, 2), True),
        (
            b"\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False, 'shape': (1,), }" + b"\x80\x04N.",
            False,
        ),
    ],
)
def test_an_array_of_numbers_may_be_published_and_one_of_objects_not(data, fine):
    if fine:
        assert texts(data) == []
    else:
        with pytest.raises(ValueError, match="no text"):
            texts(data)


# Other places.


@pytest.mark.slow
def test_a_cluster_has_them_too(course):
    """A worker needs no course folder: it gets the week's files once, and a student's with each submission."""
    week = course.weeks[0]
    hand_in(course, "a", {"double": USES_FACTOR.format("my_utils")}, {"my_utils.py": FACTOR})
    notebook = fill(course.master(week), {"double": USES_FACTOR.format("my_utils")})
    put(
        course.submitted("b", week) / "a.zip",
        zipped({"attention.ipynb": notebook, "my_utils.py": FACTOR}),
    )
    with connect("local", 1) as cluster:
        results = grade_class(course, week, place=cluster).results
        assert outcomes(results["a"]) == outcomes(results["b"]) == {}
        put(course.source(week).parent / "values.csv", b"1.5\n2.50\n")
        assert grade_class(course, week, place=cluster).fresh == {"a", "b"}
    assert grade_class(course, week).fresh == set()


@pytest.mark.slow
def test_plain_nbgrader_finds_the_weeks_files(course):
    """nbgrader itself copies what is beside the source notebook to the submission that it grades."""
    week = course.weeks[0]
    hand_in(course, "a", {"double": USES_FACTOR.format("my_utils")}, {"my_utils.py": FACTOR})
    release(course, week)
    (course.root / "nbgrader_config.py").write_text("c = get_config()\n")
    program = [sys.executable, "-m", "nbgrader", "autograde", week.name, "--create"]
    environment = os.environ | {"JUPYTER_DEFAULT_PROVISIONER_NAME": "local-provisioner"}
    done = subprocess.run(program, cwd=course.root, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-3000:]
    cells = json.loads((course.root / "autograded" / "a" / week.name / "attention.ipynb").read_bytes())[
        "cells"
    ]
    assert [out for cell in cells for out in cell.get("outputs", []) if out["output_type"] == "error"] == []
