"""nbgrader's own `export` with our plugins, as a program, in a course that was graded."""

import pytest
from plain_nbgrader import nbgrader
from quick import first
from small_course import make_course, mark_by_hand, result
from test_export import CANVAS, MOODLE

from coursekit.deliver.export import merge
from coursekit.gradebook.record import record

WEEK = "week1_attention"
ASSIGNMENT = f'--assignment=["{WEEK}"]'
SHEETS = {"Canvas": CANVAS, "Moodle": MOODLE}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Two students have marks, one of them for the written answer too."""
    course, week = make_course(tmp_path_factory.mktemp("course"))
    (course.root / "roster.csv").write_text("id,name,login\n101,Ann Lee,alee\n102,Bo,bo\n", encoding="utf-8")
    record(course, week, [result("101"), result("102", (2.0, 0.0))])
    mark_by_hand(course, "101", "why", manual_score=3.5)
    for platform, text in SHEETS.items():
        (course.root / f"{platform}.csv").write_text(text, encoding="utf-8", newline="")
    return course


def export(course, platform, *arguments):
    exporter = f"--exporter=coursekit.deliver.export.nbgrader_plugin.{platform}Exporter"
    done = nbgrader(course.root, "export", exporter, *arguments, told=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done


@pytest.mark.slow
@pytest.mark.parametrize("platform", first(1, SHEETS))
def test_the_sheet_is_the_one_of_our_own_export(course, platform):
    to = f"upload_{platform}.csv"
    option = f"--{platform}Exporter.sheet={platform}.csv"
    done = export(course, platform, ASSIGNMENT, option, f"--to={to}")
    assert done.returncode == 0, done.stderr
    ours = merge(course, course.weeks[0], platform.lower(), course.root / f"{platform}.csv")
    assert (course.root / to).read_bytes() == ours.text.encode()
    assert "8.5" in ours.text or "8,5" in ours.text
    assert f"{len(ours.changes)} marks changed" in done.stdout
    assert "an answer still has to be marked by hand: 102." in done.stderr


SHEET = "--CanvasExporter.sheet="


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    first(
        1,
        [
            ([ASSIGNMENT], "--CanvasExporter.sheet=SHEET (from the platform)"),
            (['--assignment=["week9"]', f"{SHEET}Canvas.csv"], "has no week 'week9'"),
            ([ASSIGNMENT, f"{SHEET}Moodle.csv"], "does not look like a sheet from Canvas"),
            (
                [ASSIGNMENT, f"{SHEET}Canvas.csv", "--db=sqlite:///y.db"],
                "--db is not the gradebook of this course",
            ),
        ],
    ),
    ids=["no sheet", "no week", "another sheet", "another gradebook"],
)
def test_what_cannot_be_is_a_sentence_and_writes_nothing(course, arguments, sentence):
    done = export(course, "Canvas", *arguments, "--to=x.csv")
    assert done.returncode == 2 and sentence in " ".join(done.stderr.split()), done.stderr
    assert not (course.root / "x.csv").exists()
