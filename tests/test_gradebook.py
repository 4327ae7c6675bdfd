"""Results in nbgrader's gradebook, read back through nbgrader and as CSV: on SQLite and on PostgreSQL."""

import csv
import io
import os
import subprocess
import sys
import textwrap
import threading
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

import pytest
from nbgrader.api import Grade, Gradebook, SubmittedAssignment
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from nbgrader.server_extensions.formgrader.base import BaseHandler
from nbgrader.server_extensions.formgrader.handlers import SubmissionHandler
from quick import first
from small_course import cells, edit, make_course, mark_by_hand, result, use_database, write_source
from sqlalchemy import MetaData, create_engine, select, text

from coursekit.authoring.release import release
from coursekit.deliver.export import export_csv
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.result import UNREADABLE, Note
from coursekit.gradebook import database, formgrader
from coursekit.gradebook.database import locate
from coursekit.gradebook.marks import marks
from coursekit.gradebook.record import record
from coursekit.gradebook.timestamps import read_time


@pytest.fixture(params=first(1, ["sqlite", "postgres"]))
def small(tmp_path, request):
    made = make_course(tmp_path)
    if request.param == "postgres":
        server = request.getfixturevalue("postgres")
        use_database(tmp_path, server.url(server.new_database()))
    return made


@contextmanager
def connected(course):
    engine = create_engine(locate(course))
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def sql(course, query):
    with connected(course) as connection:
        done = connection.execute(text(query))
        rows = [tuple(row) for row in done] if done.returns_rows else []
        connection.commit()
    return rows


SUBMITTED = "submitted_notebook s join submitted_assignment a on s.assignment_id = a.id"


def grades(course):
    """{(student, cell): (auto_score, manual_score, extra_credit, needs_manual_grade)}"""
    found = sql(
        course,
        "select student_id, name, auto_score, manual_score, extra_credit, needs_manual_grade"
        f" from {SUBMITTED} join grade on grade.notebook_id = s.id join base_cell on cell_id = base_cell.id",
    )
    assert len({row[:2] for row in found}) == len(found)
    return {row[:2]: row[2:] for row in found}


def dump(course):
    """{table: its rows}"""
    with connected(course) as connection:
        tables = MetaData()
        tables.reflect(connection)
        return {
            name: sorted(map(repr, connection.execute(select(table))))
            for name, table in tables.tables.items()
        }


def flagged(course):
    return dict(sql(course, f"select student_id, flagged from {SUBMITTED}"))


CHEAT = Note("from_scratch", cell="double", values={"uses": "`torch.ops`"})


def test_one_class(small):
    """No release was run before: the gradebook learns the week from the master."""
    course, week = small
    results = [result("s01"), result("s02", (2.0, 0.0), written=0.0), result("s03", status=UNREADABLE)]
    assert record(course, week, results) == 3
    scores = {"s01": (2, 3, None), "s02": (2, 0, 0), "s03": (0, 0, None)}  # None: a person decides
    assert grades(course) == {
        (student, cell): (score, None, None, score is None)
        for student, three in scores.items()
        for cell, score in zip(("double_values", "double_hidden", "why"), three, strict=True)
    }
    with Gradebook(locate(course), "transformer") as book:
        book.update_or_create_submission("week1_attention", "s01")  # nbgrader's own calls go on from here
        submissions = {row["student"]: row for row in book.submission_dicts("week1_attention")}
        assert {key: row["score"] for key, row in submissions.items()} == {"s01": 5, "s02": 2, "s03": 0}
        assert {row["max_score"] for row in submissions.values()} == {9}
        comments = book.find_submission_notebook("attention", "week1_attention", "s02").comments
        assert {row.name: row.comment for row in comments} == {"double": None, "why": "No response."}


@pytest.mark.parametrize("settings", ["c = get_config()\n", "c.CourseDirectory.course_id = ' '\n", None])
def test_a_course_without_an_id_is_nbgraders_default_course(small, settings):
    """On both databases: PostgreSQL holds an assignment to a course that exists."""
    course, week = small
    path = course.root / "nbgrader_config.py"
    lines = path.read_text().splitlines()
    url = next((line for line in lines if line.startswith("c.CourseDirectory.db_")), "")
    if settings is None and url:
        pytest.skip("without the file there is no PostgreSQL")
    path.write_text(f"c = get_config()\n{settings}{url}\n") if settings else path.unlink()
    release(course, week)
    assert record(course, week, [result("s01")]) == 1
    assert sql(course, "select name, course_id from assignment") == [(week.name, "default_course")]
    assert sql(course, "select id from course") == [("default_course",)]
    # Plain nbgrader, which then knows no course, and the formgrader see the same class.
    with Gradebook(locate(course), "") as book:
        assert [student.id for student in book.students] == ["s01"]
    assert [row.student for row in marks(course, week)] == ["s01"]
    # The id that is set later is the course's from then on.
    path.write_text(f"c = get_config()\nc.CourseDirectory.course_id = 'later'\n{url}\n")
    assert record(course, week, [result("s02")]) == 1


def test_repeating_changes_nothing(small):
    course, week = small
    release(course, week)
    results = [result("s01"), result("s02", (0.0, 0.0), flags=[CHEAT]), result("s03", status=UNREADABLE)]
    record(course, week, results)
    before = dump(course)
    record(course, week, results)
    record(course, week, results[:1])
    release(course, week)
    assert dump(course) == before


def test_what_a_person_wrote_survives(small):
    course, week = small
    record(course, week, [result("s01", (2.0, 0.0))])
    mark_by_hand(course, "s01", "why", manual_score=3.0, extra_credit=0.5)
    mark_by_hand(course, "s01", "double_hidden", manual_score=1.0)
    mark_by_hand(course, "s01", "why", manual_comment="Say why they are equal.")
    record(course, week, [result("s01", (2.0, 0.0))])
    assert grades(course)["s01", "why"] == (None, 3, 0.5, 0)
    assert grades(course)["s01", "double_hidden"] == (0, 1, None, 0)
    row = marks(course, week)[0]
    assert (row.score, row.max_score, row.questions) == (6.5, 9, {"double": 3, "why": 3.5})
    assert not row.needs_manual
    # The same submission graded anew with another outcome: that mark is shown for review, the other is not.
    record(course, week, [result("s01", (2.0, 3.0))])
    assert grades(course)["s01", "double_hidden"] == (3, 1, None, 1)
    assert grades(course)["s01", "why"] == (None, 3, 0.5, 0)
    # Another submission: what the person marked may be gone.
    record(course, week, [result("s01", (2.0, 3.0), submission="2")])
    assert grades(course)["s01", "why"] == (None, 3, 0.5, 1)
    assert sql(course, "select manual_comment from comment where manual_comment is not null") == [
        ("Say why they are equal.",)
    ]


def test_flags(small):
    course, week = small
    record(course, week, [result("s01", flags=[CHEAT]), result("s02")])
    assert flagged(course) == {"s01": 1, "s02": 0}
    sql(course, "update submitted_notebook set flagged = not flagged")  # a TA cleared one and set another
    assert flagged(course) == {"s01": 0, "s02": 1}
    record(course, week, [result("s01", flags=[CHEAT]), result("s02")])
    assert flagged(course) == {"s01": 0, "s02": 1}
    record(course, week, [result("s01", flags=[CHEAT], submission="2"), result("s02", submission="2")])
    assert flagged(course) == {"s01": 1, "s02": 1}


def test_a_written_answer_is_no_flag(small):
    """needs_review says that something waits for a person; once it is marked, nothing does."""
    course, week = small
    waiting = replace(result("s01"), needs_review=True)
    record(course, week, [waiting])
    assert flagged(course) == {"s01": 0}
    assert export_csv(course, week).splitlines()[1].endswith(",yes")
    mark_by_hand(course, "s01", "why", manual_score=4.0)
    assert export_csv(course, week).splitlines()[1] == "s01,graded,9,9,5,4,0,0,no"


def test_results_of_another_master_write_nothing(small):
    course, week = small
    record(course, week, [result("s01")])
    before = dump(course)
    some = cells()
    del some[5]
    write_source(course.root, some)
    with pytest.raises(CourseError, match="s02 is from another version"):
        record(course, week, [result("s02")])
    assert dump(course) == before


def test_changed_points_reach_the_marks(small):
    course, week = small
    record(course, week, [result("s01")])
    edit(course, "why", points=6)
    record(course, week, [result("s01")])
    assert marks(course, week)[0].max_score == 11
    assert sql(course, "select max_score from grade_cells join base_cell using (id) where name = 'why'") == [
        (6.0,)
    ]


@contextmanager
def half_way(course):
    """A connection that has written and not yet committed, as the formgrader's has for a moment."""
    with connected(course) as other:
        if other.dialect.name == "sqlite":
            other.exec_driver_sql("begin immediate")
        other.execute(text("update grade set manual_score = 1 where auto_score = 3"))
        yield other


def test_while_somebody_else_writes(small):
    course, week = small
    record(course, week, [result("s01")])
    with half_way(course) as other:
        release_lock = threading.Timer(1, other.commit)
        release_lock.start()
        record(course, week, [result("s01", (0.0, 3.0))])
        release_lock.join()
    assert grades(course)["s01", "double_hidden"] == (3, 1, None, 0)
    assert grades(course)["s01", "double_values"] == (0, None, None, 0)


def test_somebody_else_does_not_stop_writing(small, monkeypatch):
    course, week = small
    record(course, week, [result("s01")])
    before = dump(course)
    monkeypatch.setattr(database, "LOCK_SECONDS", 1)
    with half_way(course):
        assert marks(course, week)[0].score == 5, "reading waits for nobody"
        with pytest.raises(CourseError, match="in use by another program|lock timeout"):
            record(course, week, [result("s01", (0.0, 0.0))])
    assert dump(course) == before


def test_nobody_writes_between_our_reading_and_writing(small):
    """A TA's mark that comes while results are recorded waits, and is there afterwards."""
    course, week = small
    record(course, week, [result("s01")])
    marked = threading.Event()

    def mark():
        mark_by_hand(course, "s01", "double_values", manual_score=1.0)
        marked.set()

    with database.open_gradebook(course) as book, database.writing(book) as session:
        assert session.scalars(select(Grade)).all()
        ta = threading.Thread(target=mark)
        ta.start()
        assert not marked.wait(1)
    ta.join(60)
    assert grades(course)["s01", "double_values"] == (2, 1, None, 0)


def program(course, script):
    """A Python that runs this, with the course and what records it."""
    beginning = f"""
        import sys
        sys.path.insert(0, {os.path.dirname(__file__)!r})
        from pathlib import Path
        from small_course import result
        from coursekit.course.config import open_course
        from coursekit.gradebook.record import record
        course = open_course(Path({str(course.root)!r}))
    """
    return [sys.executable, "-c", textwrap.dedent(beginning) + textwrap.dedent(script)]


@pytest.mark.slow
def test_two_writers_at_once(small):
    """Neither has seen the other, nor a gradebook: both make the tables, both record."""
    course, week = small
    script = """
        import sys
        import nbgrader.api
        print("ready", flush=True)
        sys.stdin.readline()
        number = int(sys.argv[1])
        record(course, course.weeks[0], [result(f"s{key:03}") for key in range(number, number + 60)])
    """
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    writers = [
        subprocess.Popen([*program(course, script), str(number)], **pipes, text=True) for number in (0, 30)
    ]
    for writer in writers:
        assert writer.stdout.readline() == "ready\n", writer.stderr.read()
    for writer in writers:
        writer.stdin.write("go\n")
        writer.stdin.flush()
    said = [writer.communicate(timeout=120)[1] for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0], said
    assert [row.student for row in marks(course, week)] == [f"s{key:03}" for key in range(90)]
    assert len(grades(course)) == 270
    assert len(sql(course, "select * from alembic_version")) == 1


@pytest.mark.slow
def test_killed_in_the_middle(small):
    """A recording that is killed before it commits leaves the gradebook as it was; the next one goes through."""
    course, week = small
    record(course, week, [result("s01")])
    before = dump(course)
    script = """
        import os
        from sqlalchemy import Engine, event
        @event.listens_for(Engine, "after_cursor_execute")
        def die(connection, cursor, statement, *_):
            if statement.startswith("INSERT INTO comment "):
                os.kill(os.getpid(), 9)
        record(course, course.weeks[0], [result("s02")])
    """
    done = subprocess.run(program(course, script), capture_output=True, text=True)
    assert done.returncode == -9, done.stderr
    assert dump(course) == before
    record(course, week, [result("s02")])
    assert {row.student for row in marks(course, week)} == {"s01", "s02"}


@pytest.mark.slow
def test_a_large_class_in_one_go(small):
    course, week = small
    students = [f"s{number:04}" for number in range(1200)]
    assert record(course, week, [result(student) for student in students]) == 1200
    record(course, week, [result(student, (0.0, 3.0)) for student in students])
    rows = marks(course, week)
    assert [row.student for row in rows] == students
    assert {row.score for row in rows} == {3.0}


def test_export(small):
    course, week = small
    hostile = ["=cmd|' /C calc'!A0", "+1", "-2", "@x", 'a "quoted", name', "Ünal"]
    record(course, week, [result(student, (2.0, 0.0)) for student in hostile])
    record(course, week, [result("s01", written=0.0), result("s02", status=UNREADABLE)])
    mark_by_hand(course, "Ünal", "why", manual_score=2.5)
    text = export_csv(course, week)
    assert text == export_csv(course, week)
    table = list(csv.DictReader(io.StringIO(text, newline="")))
    assert ",".join(table[0]) == (
        "student,status,score,max_score,double,why,days_late,late_penalty,needs_review"
    )
    by_student = {row["student"]: row for row in table}
    assert not [line for line in text.splitlines() if line.lstrip('"')[:1] in "=+-@"]
    assert {"'" + name for name in hostile[:4]} | set(hostile[4:]) | {"s01", "s02"} == set(by_student)
    assert list(by_student["s01"].values()) == ["s01", "graded", "5", "9", "5", "0", "0", "0", "no"]
    assert list(by_student["s02"].values()) == ["s02", "unreadable", "0", "9", "0", "", "0", "0", "yes"]
    assert list(by_student["Ünal"].values()) == ["Ünal", "graded", "4.5", "9", "2", "2.5", "0", "0", "no"]
    assert by_student["'+1"]["why"] == "" and by_student["'+1"]["needs_review"] == "yes"


def test_nothing_recorded_yet(small):
    course, week = small
    with pytest.raises(CourseError, match="course grade week1_attention"):
        export_csv(course, week)
    release(course, week)
    with pytest.raises(CourseError, match="course grade week1_attention"):
        marks(course, week)


def test_a_damaged_gradebook(tmp_path):
    course, week = make_course(tmp_path)
    (course.root / "gradebook.db").write_bytes(b"not a database at all, but some bytes" * 100)
    with pytest.raises(CourseError, match="gradebook.db is damaged"):
        record(course, week, [result("s01")])


TIMES = {
    b"2026-11-02 09:00:00 UTC\n": datetime(2026, 11, 2, 9),
    b"2026-11-02 10:00:00.000000 CET": datetime(2026, 11, 2, 9),
    b"2026-11-02 04:00:00.25 America/New_York": datetime(2026, 11, 2, 9, 0, 0, 250000),
    b"2026-11-02T09:00:00Z": datetime(2026, 11, 2, 9),
    b"2026-11-02T10:30+01:30": datetime(2026, 11, 2, 9),
    b"2026-11-02 09:00": datetime(2026, 11, 2, 9),
    b"": None,
    b"yesterday": None,
    b"2026-13-02 09:00:00 UTC": None,
    b"0001-01-01 00:00:00 +2359": None,
    b"2026-11-02 09:00:00 ../../etc/passwd": None,
    b"2026-11-02 09:00:00 No/Such": None,
    b"\xff\xfe2\x000\x00": None,
    b"1.2." * 80_000: None,
    b"2026-11-02 09:00:00 UTC" + b" " * 200: None,
}


@pytest.mark.parametrize("data", TIMES, ids=lambda data: repr(data[:30]))
def test_what_a_timestamp_says(data, tmp_path):
    """A time or none. A library that guesses, as nbgrader's does, takes minutes for some of these."""
    (tmp_path / "timestamp.txt").write_bytes(data)
    assert read_time(tmp_path / "timestamp.txt") == TIMES[data]


def test_when_a_submission_came(small):
    course, week = small
    path = course.submitted("s01", week) / "timestamp.txt"
    path.parent.mkdir(parents=True)
    for stamp, when in (
        ("2026-11-02 09:00:00 UTC\n", datetime(2026, 11, 2, 9)),
        ("2026-11-03 09:00:00 UTC", datetime(2026, 11, 3, 9)),
        ("yesterday", None),
    ):
        path.write_text(stamp)
        record(course, week, [result("s01"), result("s02")])
        with Gradebook(locate(course), "transformer") as book:
            found = {row.student_id: row.timestamp for row in book.db.query(SubmittedAssignment)}
        assert found == {"s01": when, "s02": None}


MAKE = {
    "pipe": os.mkfifo,
    "folder": os.mkdir,
    "link to a device": lambda path: path.symlink_to("/dev/zero"),
    "link to a time": lambda path: path.symlink_to(path.parent / "time"),
}


@pytest.mark.parametrize("kind", MAKE)
def test_a_timestamp_that_is_no_file_says_nothing(tmp_path, monkeypatch, kind):
    """Neither to us nor, once the formgrader reads it as we do, to the formgrader."""
    path = tmp_path / "submitted" / "s01" / "week1" / "timestamp.txt"
    path.parent.mkdir(parents=True)
    (path.parent / "time").write_text("2026-11-02 09:00:00 UTC")
    MAKE[kind](path)
    assert read_time(path) is None
    for changed, name in (
        (BaseHandler, "on_finish"),
        (SubmissionHandler, "get"),
        (NbGraderAPI, "get_submitted_timestamp"),
    ):
        monkeypatch.setattr(changed, name, None)
    formgrader.adapt(buttons=False)
    folder = CourseDirectory(root=str(tmp_path))
    assert NbGraderAPI(folder).get_submitted_timestamp("week1", "s01") is None
