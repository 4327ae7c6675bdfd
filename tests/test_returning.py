"""The students' pages go back to the platform under the names that it knows."""

import zipfile

import pytest
from command import course_here
from quick import first
from small_course import make_course

from coursekit.engine.shared.master import fill

CANVAS = ("leeann_101_9001_attention.ipynb", "bo_LATE_102_9002_My final.ipynb")
MOODLE = ("Ann Lee_7001_assignsubmission_file/attention.ipynb", "Bo_7002_assignsubmission_file/x.ipynb")


@pytest.fixture
def course(tmp_path):
    return make_course(tmp_path)[0]


def download(course, names):
    notebook = fill(course.master(course.weeks[0]), {"double": "def double(x):\n    return x + x"})
    path = course.root / "download.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, notebook)
    return str(path)


@pytest.mark.parametrize(
    "names", [CANVAS, pytest.param(MOODLE, marks=pytest.mark.slow)], ids=["canvas", "moodle"]
)
def test_from_the_platform_and_back(course, names):
    week = course.weeks[0]
    source = download(course, names)
    for command in (("collect", week.name, source), ("grade",)):
        assert course_here(course.root, *command).returncode == 0
    done = course_here(course.root, "feedback", week.name, "--zip", source)
    assert done.returncode == 0 and f"2 pages in feedback/{week.name}.zip" in " ".join(done.stderr.split())
    with zipfile.ZipFile(course.root / "feedback" / f"{week.name}.zip") as archive:
        assert archive.namelist() == [name.replace(".ipynb", ".html") for name in names]
        for name in archive.namelist():
            assert b"<strong>5</strong> of 9 points" in archive.read(name)
    assert {path.name for path in (course.root / "feedback").glob("*.zip*")} == {f"{week.name}.zip"}


@pytest.mark.slow
def test_who_is_not_in_it_is_named(course):
    week = course.weeks[0]
    source = download(course, CANVAS)
    assert course_here(course.root, "collect", week.name, source).returncode == 0
    assert course_here(course.root, "grade").returncode == 0
    more = download(course, (*CANVAS, "cy_103_9003_attention.ipynb", f"{week.name}__dora.ipynb"))
    done = course_here(course.root, "feedback", week.name, "--zip", more)
    said = " ".join(done.stderr.split())
    assert done.returncode == 0 and "2 pages in" in said
    assert "since they have no page: 103." in said and "handed in outside the platform: dora." in said


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    first(
        1,
        [
            (("--zip", "{0}"), "Name the week whose pages go back"),
            (("week1_attention", "--zip", "nowhere.zip"), "nowhere.zip"),
            (("week1_attention", "--zip", "{0}"), "no file that Canvas or Moodle has named belongs to"),
        ],
    ),
)
def test_usage(course, arguments, sentence):
    source = download(course, (f"{course.weeks[0].name}__dora.ipynb",))
    assert course_here(course.root, "collect", course.weeks[0].name, source).returncode == 0
    assert course_here(course.root, "grade").returncode == 0
    settings = (course.root / "course.toml").read_text(encoding="utf-8")
    if len(arguments) == 2:  # of two weeks
        week = "\n[[weeks]]\nname = 'w2'\nnotebook = 'n2'\ntitle = 'T'\nminutes = 3\n"
        (course.root / "course.toml").write_text(settings + week, encoding="utf-8")
    done = course_here(course.root, "feedback", *(argument.format(source) for argument in arguments))
    assert done.returncode == 2 and sentence in " ".join(done.stderr.split()), done.stderr
