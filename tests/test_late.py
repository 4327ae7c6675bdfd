"""What being late costs: the policy of course.toml, the roster's extensions, and where it shows."""

import csv
import io
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbgrader.api import Gradebook
from small_course import make_course, result

from coursekit.course.config import open_course
from coursekit.course.late import Lateness, lateness
from coursekit.course.roster import Roster, read_roster
from coursekit.course.roster_columns import Evidence
from coursekit.deliver.export import export_csv
from coursekit.engine.shared.errors import CourseError
from coursekit.gradebook.database import locate
from coursekit.gradebook.marks import marks
from coursekit.gradebook.record import record

DUE = "2027-03-07T23:59:00+01:00"
IN_UTC = datetime(2027, 3, 7, 22, 59)
POINTS = 40.0


def with_policy(root, policy="[late]\nper_day = 10\ngrace_minutes = 15\nat_most = 50", due=DUE):
    course, _ = make_course(root)
    path = root / "course.toml"
    settings, _, week = path.read_text(encoding="utf-8").partition("[[weeks]]")
    path.write_text(f"{settings}{policy}\n[[weeks]]\n{f'due = {due}' if due else ''}{week}", encoding="utf-8")
    course = open_course(root)
    return course, course.weeks[0]


@pytest.mark.parametrize(
    ("after", "extension", "days", "penalty"),
    [
        (timedelta(days=-3), 0, 0, 0),
        (timedelta(0), 0, 0, 0),
        (timedelta(minutes=15), 0, 0, 0),
        (timedelta(minutes=15, seconds=1), 0, 1, 4),
        (timedelta(days=1), 0, 1, 4),
        (timedelta(days=1, seconds=1), 0, 2, 8),  # the grace does not shift the days
        (timedelta(days=4, hours=2), 0, 5, 20),
        (timedelta(days=5, hours=2), 0, 6, 20),  # at most 50 per cent
        (timedelta(days=400), 0, 400, 20),
        (timedelta(days=2), 2, 0, 0),
        (timedelta(days=2, minutes=16), 2, 1, 4),
        (timedelta(hours=13), 0.5, 1, 4),
        (timedelta(days=3), 2, 1, 4),
    ],
)
def test_days_and_points(tmp_path, after, extension, days, penalty):
    course, week = with_policy(tmp_path)
    roster = Roster(extensions={"s01": {"": extension}})
    found = lateness(course, week, roster, "s01", IN_UTC + after, POINTS)
    assert (found.days, found.penalty) == (days, pytest.approx(penalty))


@pytest.mark.parametrize(
    ("settings", "days", "came"),
    [({}, 0, False), ({"due": ""}, 0, True), ({"policy": ""}, 9, True)],
    ids=["no time", "no due date", "no policy"],
)
def test_what_is_not_known_costs_nothing(tmp_path, settings, days, came):
    when = IN_UTC + timedelta(days=9) if came else None
    found = lateness(*with_policy(tmp_path, **settings), Roster(), "s01", when, POINTS)
    assert found == Lateness(days, 0.0)


@pytest.fixture(scope="module")
def late_course(tmp_path_factory):
    return with_policy(tmp_path_factory.mktemp("late"))


ANY, MORE = (
    st.timedeltas(timedelta(days=-400), timedelta(days=400)),
    st.timedeltas(timedelta(0), timedelta(9)),
)


@given(ANY, MORE)
def test_who_comes_later_never_pays_less(late_course, after, more):
    times = (IN_UTC + after, IN_UTC + after + more)
    one, other = (lateness(*late_course, Roster(), "s01", when, POINTS) for when in times)
    assert 0 <= one.penalty <= other.penalty <= POINTS / 2 and one.days <= other.days


def test_extensions_stand_in_the_roster(tmp_path):
    course, week = with_policy(tmp_path)
    path = tmp_path / "roster.csv"
    path.write_text(
        f'id,name,extension,Extension {week.name}\ns01,Ann Lee,2,\ns02,Bo,,"0,5"\ns03,Cy,1,3\ns04,Di,,\n'
    )
    roster = read_roster(course)
    assert [roster.extension(f"s0{n}", week.name) for n in (1, 2, 3, 4, 5)] == [2, 0.5, 3, 0, 0]
    assert [roster.extension(f"s0{n}", "another") for n in (1, 2, 3)] == [2, 0, 1]
    assert roster.student([Evidence("typed", "2")])[0] == "", "days are nobody's name"
    assert roster.student([Evidence("name", "Lee, Ann")]) == ("s01", "")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("id,extension\ns01,soon", "line 2: an extension is a number of days from 0 to 366, not 'soon'"),
        ("id,extension\ns01,-1", "not '-1'"),
        ("id,extension\ns01,nan", "not 'nan'"),
        ("id,extension week9\ns01,1", "course.toml has no week 'week9'"),
    ],
)
def test_an_extension_that_means_nothing_is_refused(tmp_path, text, sentence):
    course, _ = with_policy(tmp_path)
    (tmp_path / "class.csv").write_text(text)
    with pytest.raises(CourseError, match=sentence):
        read_roster(course, tmp_path / "class.csv")


def test_it_is_in_the_export_and_in_nbgraders_tables(tmp_path):
    course, week = with_policy(tmp_path)
    for student, days in {"s01": -1, "s02": 1.5, "s03": 30, "s04": 1.5}.items():
        folder = course.submitted(student, week)
        folder.mkdir(parents=True)
        when = (IN_UTC + timedelta(days=days)).replace(tzinfo=UTC)
        (folder / "timestamp.txt").write_text(when.isoformat())
    (tmp_path / "roster.csv").write_text("id,extension\ns01,\ns02,\ns03,\ns04,2\n")
    results = [result("s01"), result("s02"), result("s03", (2.0, 0.0), written=0.0), result("s04")]
    record(course, week, results)

    def exported():
        table = csv.DictReader(io.StringIO(export_csv(course, week), newline=""))
        return {row["student"]: (row["score"], row["days_late"], row["late_penalty"]) for row in table}

    assert exported() == {
        "s01": ("5", "0", "0"),
        "s02": ("3.2", "2", "1.8"),
        "s03": ("0", "30", "4.5"),  # never less than nothing
        "s04": ("5", "0", "0"),
    }
    with Gradebook(locate(course), "transformer") as book:
        assert book.find_assignment(week.name).duedate == IN_UTC
        rows = book.assignment_submissions(week.name)
        taken = {row.student_id: row.late_submission_penalty for row in rows}
    assert taken == pytest.approx({"s01": 0, "s02": 1.8, "s03": 4.5, "s04": 0})

    # Another extension counts at once, and reaches nbgrader's tables with the next run.
    (tmp_path / "roster.csv").write_text("id,extension\ns01,\ns02,1\ns03,\ns04,\n")
    assert exported()["s02"] == ("4.1", "1", "0.9") and exported()["s04"] == ("3.2", "2", "1.8")
    record(course, week, results)
    with Gradebook(locate(course), "transformer") as book:
        assert book.find_submission(week.name, "s04").late_submission_penalty == pytest.approx(1.8)
    assert {row.student: row.score for row in marks(course, week)}["s04"] == 5
