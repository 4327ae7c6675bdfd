"""Before the due time, a page does not say what hidden tests found, in whatever way it could."""

from datetime import UTC, datetime, timedelta

import pytest
from small_course import cells, code, make_course
from test_feedback import Page, failed, graded_notebook, marks_of, some_result

from coursekit.course.config import ALL, COUNT, NOTHING, open_course
from coursekit.course.late import due_time
from coursekit.course.roster import read_roster
from coursekit.deliver.feedback.page import render
from coursekit.deliver.feedback.withheld import policy_now, withhold
from coursekit.engine.shared.errors import CourseError
from coursekit.grading.diagnosis import Mistake, traces_of

WEEK = [*cells()[:6], code("picture", "show(double(2))"), *cells()[6:]]
# What a hidden test reveals, in its message, name and trace, and what a cell printed that had kept its inputs.
REVEALING = ("Mind the sign", "negative numbers", "The probable cause", "kept by the answer")


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return make_course(tmp_path_factory.mktemp("course"), WEEK)[0]


def text_of(course, one, policy, **options):
    printed = [{"output_type": "stream", "name": "stdout", "text": "kept by the answer"}]
    notebook = graded_notebook(picture=printed)
    master = course.master(course.weeks[0])
    return Page(render(master, one, notebook, "A title", hidden_tests=policy, **options)).text


class Known:
    """A wrong answer of the bank that fails as `some_result()` does."""

    question, tell = "double", "The probable cause"

    class path:
        stem = "known"


def mistakes_like(one):
    return [Mistake(Known, traces_of(one, "double"))]


def revealing(one):
    for test in one.tests:
        test.trace = "" if test.outcome == "passed" else "7 8"
    return one


def test_a_page_shows_all_after_the_due_time_and_no_finding_of_a_hidden_test_before(course):
    one = revealing(some_result())
    options = {"mistakes": mistakes_like(one)}
    shown = text_of(course, one, ALL, **options)
    # A known cause takes the message's place at the top; the message itself stands below.
    assert all(words in shown for words in REVEALING)
    for policy in (COUNT, NOTHING):
        hidden = text_of(course, one, policy, **options)
        assert not [words for words in REVEALING if words in hidden]
        assert "after the due time" in hidden and "after the due time" not in shown
    counted = text_of(course, one, COUNT, **options)
    assert "1 of 2 tests passed" in counted and "hidden test, 1 of 1" in counted
    assert "All visible tests of this question pass, but not all hidden ones do" in counted
    nothing = text_of(course, one, NOTHING, marks=marks_of(), **options)
    assert "2 of 2" in nothing and "hidden test, " not in nothing and "of 9" not in nothing


def test_a_cause_is_shown_where_a_visible_test_failed_too(course):
    one = revealing(failed(message="4 expected"))
    for policy in (ALL, COUNT, NOTHING):
        assert "The probable cause" in text_of(course, one, policy, mistakes=mistakes_like(one))


def test_points_stay_as_far_as_they_are_shown():
    one = some_result()
    counted = withhold(one, COUNT)
    assert (counted.score, counted.max_score) == (one.score, one.max_score)
    assert [test.outcome for test in counted.tests] == [test.outcome for test in one.tests]
    visible = withhold(one, NOTHING)
    assert (visible.score, visible.max_score) == (2.0, 2.0)
    assert [question.max_score for question in visible.questions if question.score is not None] == [2.0]
    assert withhold(one, ALL) is one


def test_the_policy_ends_with_the_students_own_due_time(tmp_path):
    course, week = make_course(tmp_path)
    settings = tmp_path / "course.toml"
    due = datetime(2027, 3, 7, 23, 59, tzinfo=UTC)
    text = settings.read_text()
    assert policy_now(course, week, read_roster(course), "s1", due) == ALL, "a week without a due time"
    settings.write_text(f"{text}due = 2027-03-07T23:59:00Z\n\n[late]\ngrace_minutes = 15\n")
    (tmp_path / "roster.csv").write_text("id,name,extension\ns1,A B,0\ns2,C D,2\n")
    course = open_course(tmp_path)
    week, roster = course.weeks[0], read_roster(course)
    end = due_time(course, week, roster, "s1")
    assert end == due + timedelta(minutes=15)
    assert policy_now(course, week, roster, "s1", end) == COUNT
    assert policy_now(course, week, roster, "s1", end + timedelta(seconds=1)) == ALL
    assert policy_now(course, week, roster, "s2", end + timedelta(days=2)) == COUNT, "an extension counts"
    settings.write_text(settings.read_text() + '\n[hidden_tests]\nbefore_due = "nothing"\n')
    assert policy_now(open_course(tmp_path), week, roster, "s1", due) == NOTHING
    settings.write_text(settings.read_text().replace('"nothing"', '"some"'))
    with pytest.raises(CourseError, match='"all", "count" or "nothing"'):
        open_course(tmp_path)
