"""The gradebook on a real PostgreSQL server: what only a server can do, and the real commands on it."""

import csv
import json
import shutil
import sys

import pytest
from command import course_program
from nbgrader.api import Gradebook
from plain_nbgrader import nbgrader
from postgres_server import PASSWORD, running_server
from small_course import copy_course, hand_in, make_course, result, use_database
from sqlalchemy.exc import OperationalError

from coursekit.authoring.release import release
from coursekit.deliver.export import export_csv
from coursekit.demo import make_folder
from coursekit.engine.shared.errors import CourseError
from coursekit.gradebook import database
from coursekit.gradebook.marks import marks
from coursekit.gradebook.record import record


@pytest.fixture
def small(tmp_path, postgres):
    made = make_course(tmp_path)
    use_database(tmp_path, postgres.url(postgres.new_database()))
    return made


def as_documented(course, server, home, monkeypatch):
    """docs/gradebook.md: the password in a file of the user's own, the address without it in the settings."""
    file = home / "pgpass"
    file.write_text(
        f"127.0.0.1:{server.port}:*:*:{PASSWORD}\n".replace(PASSWORD, PASSWORD.replace(":", "\\:"))
    )
    file.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(file))
    use_database(course.root, f"postgresql+psycopg://course@127.0.0.1:{server.port}/{server.new_database()}")


@pytest.mark.slow
def test_a_server_that_stops_loses_nothing(postgresql_programs, tmp_path, monkeypatch):
    """`course grade` while it is down says so; the results are on disk, and the next run records them."""
    course, week = make_course(tmp_path)
    hand_in(course, "ada")
    hand_in(course, "ben", {})
    with running_server(postgresql_programs) as server:
        as_documented(course, server, tmp_path, monkeypatch)
        release(course, week)
        server.stop()
        stopped = course_program(tmp_path, "grade")
        assert stopped.returncode == 1 and "Traceback" not in stopped.stderr
        assert f"postgresql://course@127.0.0.1:{server.port}/course1 cannot be used" in stopped.stderr
        assert "Results are safe in autograded/" in stopped.stderr and PASSWORD not in stopped.stderr
        assert json.loads((course.autograded("ada", week) / "result.json").read_text())["score"] == 5
        server.start()
        again = course_program(tmp_path, "grade")
        assert again.returncode == 0 and "0 graded, 2 unchanged" in again.stdout, again.stderr
        assert [(row.student, row.score) for row in marks(course, week)] == [("ada", 5), ("ben", 0)]
        # nbgrader's own commands, on the same database.
        for arguments in (["export"], ["db", "upgrade"]):
            done = nbgrader(tmp_path, *arguments)
            assert done.returncode == 0, done.stderr
            assert PASSWORD not in done.stdout + done.stderr
        rows = list(csv.DictReader((tmp_path / "grades.csv").read_text().splitlines()))
        found = {(row["student_id"], row["raw_score"], row["max_score"]) for row in rows}
        assert found == {("ada", "5.0", "9.0"), ("ben", "0.0", "9.0")}


@pytest.mark.slow
def test_a_server_that_stops_while_we_write(postgresql_programs, tmp_path):
    course, week = make_course(tmp_path)
    with running_server(postgresql_programs) as server:
        use_database(tmp_path, server.url(server.new_database()))
        record(course, week, [result("s01")])
        with (
            pytest.raises(CourseError, match="cannot be used"),
            database.open_gradebook(course) as book,
            database.writing(book) as session,
        ):
            server.stop()
            session.connection().exec_driver_sql("update grade set manual_score = 1")
        server.start()
        assert export_csv(course, week).splitlines()[1] == "s01,graded,5,9,5,,0,0,yes"
        # The formgrader keeps its connections: one request fails, the next goes through (docs/gradebook.md).
        with Gradebook(database.locate(course), "transformer") as book:
            assert len(book.students) == 1
            book.db.remove()
            server.stop()
            server.start()
            with pytest.raises(OperationalError):
                assert book.students
            book.db.remove()
            assert len(book.students) == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"password": "wrong"}, "password authentication failed"),
        ({"host": "nobody.invalid"}, "nobody.invalid"),
        ({"database": "elsewhere"}, "does not exist"),
        ({"username": "stranger"}, "stranger"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_what_is_wrong_is_said_without_the_password(small, postgres, change, words):
    course, week = small
    url = database.locate(course).set(**change)
    use_database(course.root, url.render_as_string(hide_password=False))
    with pytest.raises(CourseError) as caught:
        record(course, week, [result("s01")])
    message = str(caught.value)
    assert words in message and "cannot be used" in message and "\n" not in message
    for password in (PASSWORD, "wrong", "p%40ss"):
        assert password not in message


def test_a_user_without_rights(small, postgres):
    course, week = small
    assert database.check_writable(course).startswith(
        "The gradebook is PostgreSQL and can be written: postgresql://"
    )
    record(course, week, [result("s01")])
    url = database.locate(course)
    with postgres.connect(url.database) as connection:
        connection.execute("create role reader login password 'reader'")
        connection.execute("grant pg_read_all_data to reader")
    reader = url.set(username="reader", password="reader")
    use_database(course.root, reader.render_as_string(hide_password=False))
    assert marks(course, week)[0].score == 5, "reading needs no right to write"
    for act in (lambda: record(course, week, [result("s02")]), lambda: database.check_writable(course)):
        with pytest.raises(CourseError, match="permission denied"):
            act()


@pytest.mark.parametrize(
    "setting",
    [
        "postgresql://course:se@cret@127.0.0.1/course",
        "postgresql://course@127.0.0.1:se-cret/course",
        "postgresql+nothing://course:se-cret@127.0.0.1/course",
        "mysql://course:se-cret@127.0.0.1/course",
        "postgresql://course:se-cret@127.0.0.1",
        "se-cret",
        "sqlite://",
    ],
)
def test_a_setting_that_cannot_be_used_is_not_quoted(tmp_path, setting):
    course, _ = make_course(tmp_path)
    use_database(tmp_path, setting)
    with pytest.raises(CourseError, match=r"db_url in nbgrader_config.py cannot be used") as caught:
        database.locate(course)
    assert "cret" not in str(caught.value)


def test_without_the_driver(small, monkeypatch):
    course, week = small
    monkeypatch.setitem(sys.modules, "psycopg", None)  # as if it were not installed
    with pytest.raises(CourseError, match=r"pip install 'coursekit\[postgres\]'"):
        record(course, week, [result("s01")])


def test_options_of_the_address_are_not_shown(tmp_path):
    """libpq takes a password there, too."""
    course, _ = make_course(tmp_path)
    use_database(tmp_path, "postgresql://course@127.0.0.1/course?password=secret&connect_timeout=3")
    url = database.locate(course)
    assert url.query["connect_timeout"] == "3"
    assert database.display_name(url) == "postgresql://course@127.0.0.1/course"


def test_a_relative_file_lies_in_the_course_folder(tmp_path, monkeypatch):
    (tmp_path / "course").mkdir()
    course, week = make_course(tmp_path / "course")
    use_database(course.root, "sqlite:///marks.db")
    monkeypatch.chdir(tmp_path)
    record(course, week, [result("s01")])
    assert (course.root / "marks.db").exists() and marks(course, week)[0].score == 5


@pytest.mark.slow
def test_the_demo_keeps_out_of_the_course_s_gradebook(tmp_path):
    demo = ("demo/make_class.py", "demo/expected.json")
    course = copy_course(tmp_path, "nbgrader_config.py", "source", "answers", *demo)
    use_database(tmp_path, "postgresql://course@127.0.0.1/course")
    made, _ = make_folder(course)
    assert database.locate(made).database == str(tmp_path / "demo" / "class" / "gradebook.db")


@pytest.mark.slow
def test_nbgrader_alone_on_an_empty_database(tmp_path, postgres, monkeypatch):
    """What docs/gradebook.md says: `db upgrade` fails without tables and changes nothing; other commands make them."""
    course, week = make_course(tmp_path)
    as_documented(course, postgres, tmp_path, monkeypatch)
    assert "relation" in nbgrader(course.root, "db", "upgrade").stderr
    made = nbgrader(course.root, "generate_assignment", week.name)
    assert made.returncode == 0, made.stderr
    folder = course.submitted("ada", week)
    folder.mkdir(parents=True)
    shutil.copy(course.release(week), folder)
    graded = nbgrader(course.root, "autograde", week.name)
    assert graded.returncode == 0, graded.stderr
    # What nbgrader recorded is read, recorded over, and removed by nbgrader.
    assert [(row.student, row.status, row.score) for row in marks(course, week)] == [("ada", "", 0)]
    record(course, week, [result("ada")])
    assert marks(course, week)[0].score == 5
    with Gradebook(database.locate(course), "transformer") as book:
        book.remove_assignment(week.name)
        book.remove_student("ada")
        assert book.assignments == book.students == []
