"""Marks out: tables that a spreadsheet cannot run, and a platform's own sheet in which only the marks have changed."""

import csv
import io
import json

import pytest
from command import course_here
from hypothesis import given, settings
from hypothesis import strategies as st
from small_course import make_course, mark_by_hand, result

from coursekit.deliver.export import export_json, export_term, merge
from coursekit.engine.shared.errors import CourseError
from coursekit.gradebook.record import record

CANVAS = (
    "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Warm-up (77),week1_attention (901),Final (read only)\r\n"
    "    Points Possible,,,,,5,9,(read only)\r\n"
    '"Lee, Ann",101,u1,alee,A,=1+2,,\r\n'
    '"Bo",102,u2,bo,A,"4,5",3,\r\n'
    '"Çelik, Di",103,u3,dc,B,,7,\r\n'
    '"Ely, Ed",104,u4,ee,B,2,8,\r\n'
    '"Student, Test",,,,,,,\r\n'
)
MOODLE = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Last modified (submission),Feedback comments\n"
    'Participant 7001,Ann Lee,ann@example.org,Submitted,,"9,00","Monday, 1 March",-\n'
    'Participant 7002,Bo,bo@example.org,Submitted,"3,00","9,00",-,"said ""no"""\n'
)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Three students have marks: 101 and 102 by Canvas' number, and one by another name that the roster knows."""
    root = tmp_path_factory.mktemp("course")
    course, week = make_course(root)
    (root / "roster.csv").write_text(
        "id,name,login\n101,Ann Lee,alee\n102,Bo,bo\ndi,Di Çelik,dc\n104,Ed Ely,ee\n", encoding="utf-8"
    )
    record(course, week, [result("101"), result("102", (2.0, 0.0), written=0.0), result("di", (0.0, 3.0))])
    mark_by_hand(course, "di", "why", manual_score=3.5)
    return course


def sheet(course, text, name="sheet.csv"):
    path = course.root / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_canvas(course):
    merged = merge(course, course.weeks[0], "canvas", sheet(course, CANVAS))
    assert merged.changes == [("Lee, Ann", "", "5"), ("Bo", "3", "2"), ("Çelik, Di", "7", "6.5")]
    assert (merged.without, merged.waiting, merged.column) == (["Ely, Ed"], ["101"], "week1_attention (901)")
    expected = CANVAS.replace('"Bo"', "Bo").replace("=1+2,,", "=1+2,5,")
    assert merged.text == expected.replace('"4,5",3,', '"4,5",2,').replace("B,,7,", "B,,6.5,")
    again = merge(course, course.weeks[0], "canvas", sheet(course, merged.text))
    assert again.changes == [] and again.unchanged == 3 and again.text == merged.text


def test_moodle_writes_numbers_as_its_sheet_does(course):
    path = sheet(course, MOODLE + 'Participant 7003,Di Çelik,di@example.org,Submitted,-,"9,00",-,\n')
    merged = merge(course, course.weeks[0], "moodle", path)
    assert [new for _, _, new in merged.changes] == ["5", "2", "6,5"]
    assert 'Ann Lee,ann@example.org,Submitted,5,"9,00","Monday, 1 March",-' in merged.text
    assert 'Submitted,"6,5","9,00"' in merged.text and '"said ""no"""' in merged.text


@pytest.mark.parametrize(
    ("sheet_of", "old", "new", "sentence"),
    [
        (CANVAS, '"Ely, Ed",104,u4,ee', '"Ann Lee",104,u4,alee', "two rows belong to the student '101'"),
        (CANVAS, "week1_attention (901)", "Week one (901)", "no column named 'week1_attention' or"),
        (CANVAS, "Warm-up (77)", "Week1 Attention (77)", "several columns"),
        (CANVAS, ",5,9,", ",5,100,", "has a maximum of 100 points, but this week has 9"),
        (CANVAS, CANVAS, "a,b\n1,2\n", "does not look like a sheet from Canvas"),
        (CANVAS, '"Bo",102,u2,bo,A', '"Bo",102,u2,bo', "the line of 'Bo' has 7 cells"),
        (MOODLE, "Grade,Maximum", "Mark,Maximum", "no column named 'Grade'"),
        (
            MOODLE,
            MOODLE[MOODLE.index("Participant") :],
            "Participant 9,Zoe,z@x,-,,9,-,-\n",
            "no row for any student",
        ),
    ],
)
def test_a_sheet_that_does_not_fit_is_refused_and_nothing_is_merged(course, sheet_of, old, new, sentence):
    platform = "moodle" if sheet_of == MOODLE else "canvas"
    with pytest.raises(CourseError, match=sentence):
        merge(course, course.weeks[0], platform, sheet(course, sheet_of.replace(old, new)))


def test_a_student_who_left_the_course_stops_nobody(course):
    merged = merge(
        course, course.weeks[0], "canvas", sheet(course, CANVAS.replace('"Bo",102,u2,bo', '"Zoe",9,u9,zz'))
    )
    assert merged.absent == ["102"] and [who for who, _, _ in merged.changes] == ["Lee, Ann", "Çelik, Di"]
    path = sheet(course, MOODLE)
    assert merge(course, course.weeks[0], "moodle", path).absent == ["di"]


def test_a_sheet_of_another_class_or_term_changes_only_the_marks_of_those_in_it(course):
    """Somebody dropped the course, somebody came, sections and columns are others, the line of points is gone."""
    rows = list(csv.DictReader(io.StringIO(CANVAS.lstrip("\ufeff"), newline="")))
    order = ["week1_attention (901)", "Section", "SIS Login ID", "Student", "ID", "Final (read only)"]
    for row in rows:
        row["Section"] = "B"
    kept = [row for row in rows if row["Student"] not in ("Bo", "    Points Possible")]
    kept.append(dict.fromkeys(rows[0], "") | {"Student": "New, Nina", "ID": "105", "SIS Login ID": "nn"})
    out = io.StringIO()
    writer = csv.DictWriter(out, order, extrasaction="ignore", lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(kept)
    merged = merge(course, course.weeks[0], "canvas", sheet(course, out.getvalue()))
    after = {row["Student"]: row for row in csv.DictReader(io.StringIO(merged.text, newline=""))}
    assert merged.absent == ["102"]
    assert {name: row["week1_attention (901)"] for name, row in after.items()} == {
        "Lee, Ann": "5",
        "Çelik, Di": "6.5",
        "Ely, Ed": "8",
        "Student, Test": "",
        "New, Nina": "",
    }


def test_without_a_roster_a_number_of_another_kind_is_nobodys_id(tmp_path):
    """Ids are student numbers, and Jane's number on Canvas is Ana's student number."""
    course, week = make_course(tmp_path)
    record(course, week, [result("48213"), result("50111")])
    columns = "Student,ID,SIS User ID,SIS Login ID,Section,week1_attention (901)\n"
    people = '"Doe, Jane",48213,50110,jdoe,A,\n"Roe, Rick",7,50111,rroe,A,\n"Fox, Di",8,50112,dfox,A,\n'
    with pytest.raises(CourseError, match="no row for any student"):
        merge(course, week, "canvas", sheet(course, columns + people))
    ana = '"Diaz, Ana",9,48213,adiaz,A,\n'
    merged = merge(course, week, "canvas", sheet(course, columns + people + ana))
    assert [who for who, _, _ in merged.changes] == ["Roe, Rick", "Diaz, Ana"]


def test_marks_are_multiplied_only_with_scale(course):
    path = sheet(course, CANVAS.replace(",5,9,", ",5,90,"))
    merged = merge(course, course.weeks[0], "canvas", path, scale=True)
    assert [new for _, _, new in merged.changes] == ["50", "20", "65"]


def test_another_column_by_name(course):
    path = sheet(course, CANVAS.replace("week1_attention", "First week"))
    assert merge(course, course.weeks[0], "canvas", path, "First week").changes[0][2] == "5"
    assert merge(course, course.weeks[0], "canvas", path, "first week (901)").changes[0][2] == "5"


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\x00")), min_size=3, max_size=3),
    st.sampled_from([",", ";", "\t"]),
    st.booleans(),
)
def test_every_other_cell_is_as_it_was(course, cells, delimiter, bom):
    rows = list(csv.reader(io.StringIO(CANVAS.lstrip("\ufeff"), newline="")))
    for row, cell in zip(rows[2:5], cells, strict=True):
        row[5] = cell
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(rows)
    path = sheet(course, ("\ufeff" if bom else "") + out.getvalue())
    merged = merge(course, course.weeks[0], "canvas", path)
    assert merged.text.startswith("\ufeff") is bom
    after = list(csv.reader(io.StringIO(merged.text.lstrip("\ufeff"), newline=""), delimiter=delimiter))
    for row in (*rows, *after):
        row[6:7] = []
    assert rows == after


def test_as_a_command_with_a_dry_run(course):
    path = sheet(course, CANVAS)
    arguments = ("export", "week1_attention", "--to", "canvas", "--into", str(path))
    done = course_here(course.root, *arguments, "--dry-run")
    assert done.returncode == 0 and done.stdout == ""
    said = " ".join(done.stderr.split())
    assert "Lee, Ann: no mark -> 5" in said and "Bo: 3 -> 2" in said
    assert "3 marks would change, 0 the same. Nothing was written." in said
    assert "were not changed: Ely, Ed" in said
    assert "an answer still has to be marked by hand: 1 student" in said
    out = course.root / "out.csv"
    assert course_here(course.root, *arguments, "--output", str(out)).returncode == 0
    assert out.read_bytes().decode() == merge(course, course.weeks[0], "canvas", path).text
    assert path.read_bytes().decode() == CANVAS, "the sheet that was given stays as it is"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--to", "canvas"), "Give one week and the sheet"),
        (("--into", "x.csv"), "--into, --column, --scale and --dry-run are for a platform's sheet"),
        (("week1_attention", "--to", "canvas", "--into", "nowhere.csv"), "cannot be read (No such file"),
        (("--to", "pigeon"), "no export to 'pigeon'. There is: csv, json, canvas, moodle"),
    ],
)
def test_usage(course, arguments, sentence):
    done = course_here(course.root, "export", *arguments)
    assert done.returncode == 2 and sentence in " ".join(done.stderr.split())


def test_the_term(course):
    week = course.weeks[0]
    rows = list(csv.DictReader(io.StringIO(export_term(course, [week]), newline="")))
    assert [(row["student"], row[week.name], row["score"], row["max_score"]) for row in rows] == [
        ("101", "5", "5", "9"),
        ("102", "2", "2", "9"),
        ("104", "", "0", "9"),
        ("di", "6.5", "6.5", "9"),
    ]


def test_json_has_what_people_wrote(course):
    week = course.weeks[0]
    mark_by_hand(course, "di", "why", manual_comment="=good")
    rows = {row["student"]: row for row in json.loads(export_json(course, [week]))[week.name]}
    assert rows["di"]["comments"] == {"why": "=good"}
    assert rows["di"]["questions"] == {"double": 3.0, "why": 3.5}
    assert rows["101"]["questions"]["why"] is None and rows["101"]["needs_review"]
    assert rows["104"]["status"] == "missing" and rows["104"]["score"] is None
