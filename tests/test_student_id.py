"""A student's id stays in its folder, and two ids are one student only where a person would say so."""

import os

import pytest
from archives import NAME, WEEK, notebook
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_course import make_course, result

from coursekit.course import student_id
from coursekit.deliver.export import merge
from coursekit.gradebook.record import record
from coursekit.intake.collect import collect
from coursekit.intake.submissions import strays, students

A, B = notebook("A"), notebook("B")


@pytest.fixture
def course(tmp_path):
    (tmp_path / "course").mkdir()
    return make_course(tmp_path / "course")[0]


@pytest.fixture
def collected(course, tmp_path):
    """A function: {id: bytes} to what becomes of folders whose names begin with the id, as in nbgrader's exchange."""

    def make(files):
        for day, (id_, data) in enumerate(files.items(), 1):
            folder = tmp_path / "download" / f"{id_}+{WEEK}+2026-11-0{day} 10:00:00 UTC"
            folder.mkdir(parents=True)
            (folder / NAME).write_bytes(data)
        return collect(course, course.week(WEEK), str(tmp_path / "download"))

    return make


def everything(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


@given(st.one_of(st.text(max_size=210), st.text("aß.@+-_/\\ \0\n~", max_size=8)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_id_is_the_name_of_one_visible_folder(tmp_path, text):
    if student_id.problem(text):
        return
    assert text not in ("", ".", "..") and os.path.basename(text) == text
    assert (tmp_path / text).resolve().parent == tmp_path.resolve() and not text.startswith(".")
    (tmp_path / text).mkdir(exist_ok=True)
    assert text in os.listdir(tmp_path)


@given(st.text(max_size=150))
def test_a_name_becomes_an_id_or_nothing(text):
    slug = student_id.slug(text)
    assert slug == "" or student_id.problem(slug) == "" and student_id.slug(slug) == slug


@pytest.mark.parametrize("id_", ["..", ".", ".eve", "...", "a b", ".+x"])
@pytest.mark.parametrize("roster", [False, True])
def test_an_id_that_is_no_folder_of_its_own_is_not_placed(course, collected, id_, roster):
    if roster:
        (course.root / "roster.csv").write_text(f"id\n{id_}\nfay\n")
    before = everything(course.root)
    done = collected({id_: A, "fay": B})
    assert [placed.student for placed in done.students] == ["fay"] and len(done.unplaced) == 1
    assert all("id" in reason for reason in done.roster_problems or done.unplaced.values()), done
    new = everything(course.root) - before
    assert students(course, course.week(WEEK)) == ["fay"]
    assert all(path.startswith("submitted/fay") for path in new - {"submitted"})


@pytest.mark.parametrize(
    ("one", "other"), [("ANN", "ann"), ("strauß", "strauss"), ("a.b", "ab"), ("ﬁa", "fia")]
)
def test_two_ids_of_the_roster_are_two_students(course, collected, one, other):
    (course.root / "roster.csv").write_text(f"id\n{one}\n{other}\n", encoding="utf-8")
    done = collected({one: A, other: B})
    assert (done.missing, done.unplaced) == ([], {})
    found = {name: (course.submitted(name, course.week(WEEK)) / NAME).read_bytes() for name in (one, other)}
    assert found == {one: A, other: B}


def test_without_a_roster_only_upper_and_lower_case_is_overlooked(collected):
    done = collected(dict.fromkeys(("strauß", "strauss", "Bo", "bo"), A))
    assert sorted(placed.student.lower() for placed in done.students) == ["bo", "strauss", "strauß"]


def marked_in(course, platform, sheet):
    """Merge john's mark into a platform's sheet: who gets it, and who gets none."""
    week = course.week(WEEK)
    record(course, week, [result("john")])
    (course.root / "sheet.csv").write_text(sheet)
    merged = merge(course, week, platform, course.root / "sheet.csv")
    return [who for who, _, _ in merged.changes], merged.without


@pytest.mark.parametrize("roster", ["", "login\njohn\njo-hn\n", "login\njohn\n"])
@pytest.mark.parametrize("login", ["jo-hn", "j.o.h.n", "JO HN"])
def test_a_mark_goes_to_no_other_id(course, roster, login):
    if roster:
        (course.root / "roster.csv").write_text(roster)
    sheet = f"Student,ID,SIS Login ID,{WEEK} (901)\nPoints Possible,,,9\nJo Hn,7,{login},\nJohn,8,john,\n"
    assert marked_in(course, "canvas", sheet) == (["John"], ["Jo Hn"])


def test_a_first_name_is_no_id(course):
    sheet = (
        "Identifier,First name,Last name,Email address,Grade,Maximum Grade\n"
        "Participant 1,John,Smith,js@x.org,,9\nParticipant 2,Jo,Hn,john,,9\n"
    )
    assert marked_in(course, "moodle", sheet)[0] == ["Participant 2"]


def test_a_hidden_folder_is_named(course):
    (course.root / "submitted" / ".eve" / WEEK).mkdir(parents=True)
    (course.root / "submitted" / ".git").mkdir()
    assert strays(course) == [f".eve/{WEEK}"]
