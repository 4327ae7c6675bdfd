"""Marking by people: nothing is lost, whoever else marks, and nobody marks who does not have the address."""

import re

import pytest
from hypothesis import given as hypothesis_given
from hypothesis import strategies as st
from quick import first
from small_course import leave_result, make_course, mark_by_hand, result, use_database

from coursekit.deliver.marking import store
from coursekit.deliver.marking.rubric import Item, Mark, as_points
from coursekit.engine.shared.errors import CourseError
from coursekit.gradebook.marks import marks
from coursekit.gradebook.record import record

ANSWERS = {
    "s01": "Twice means two equal parts, and a sum has two parts.",
    "s02": "<script>window.attacked=1</script></pre><img src=x onerror=window.attacked=2>",
    "s03": "Because.",
    "s04": None,
}


def fill(course, week):
    """Four students' results; the last wrote nothing."""
    some = [result(student, written=None if text else 0.0) for student, text in ANSWERS.items()]
    for one in some:
        leave_result(course, one, ANSWERS[one.student])
    record(course, week, some)
    store.prepare(course)


@pytest.fixture(params=first(1, ["sqlite", "postgres"]))
def place(tmp_path, request):
    """(course, week, the written question), on each kind of gradebook."""
    course, week = make_course(tmp_path)
    if request.param == "postgres":
        database = request.getfixturevalue("postgres")
        use_database(tmp_path, database.url(database.new_database()))
    fill(course, week)
    return course, week, course.master(week).questions[-1]


def give(place, student, given, who="Ann", seen=None):
    if seen is None:
        seen = store.read(*place).answers[student].version
    store.mark(*place, who, student, seen, given)


def put(place, text, points, name="a", who="Ann", **more):
    before = store.read(*place).items.get(name)
    store.write_item(*place, who, Item(name, text, points, **more), before.version if before else "")


def found(place, student):
    """(points, comment) as the rest of the program reads them."""
    row = next(row for row in marks(*place[:2]) if row.student == student)
    return row.questions["why"], row.comments.get("why", "")


def test_items_and_points_and_comments_reach_the_gradebook(place):
    put(place, "Says what twice means.", 2.0, "a")
    put(place, "No example.", -0.5, "b")
    put(place, "Well written.", 0.0, "c")
    assert found(place, "s01") == (None, "")
    give(place, "s01", Mark(("c",)))
    assert found(place, "s01") == (None, "Well written."), "a comment alone decides no points"
    give(place, "s01", Mark(("b", "a", "c"), None, "And yours?"))
    assert found(place, "s01") == (
        1.5,
        "Says what twice means. (2 points)\nNo example. (−0.5 points)\nWell written.\nAnd yours?",
    )
    give(place, "s03", Mark(("a",), 4.0))
    assert found(place, "s03") == (4.0, "Says what twice means. (2 points)"), "typed points hold"
    give(place, "s02", Mark(("b",)))
    assert found(place, "s02")[0] == 0.0, "never below 0"
    assert found(place, "s04") == (0.0, ""), "the grader has decided where nothing was written"
    give(place, "s01", Mark())
    assert found(place, "s01") == (None, ""), "it waits again"
    assert store.read(*place).answers["s01"].waits


def test_a_changed_item_reaches_all_who_have_it_and_nobody_else(place):
    put(place, "Says what twice means.", 2.0)
    give(place, "s01", Mark(("a",), None, "Mine."))
    give(place, "s02", Mark((), 3.0, "Other."))
    give(place, "s03", Mark(("a",)))
    mark_by_hand(place[0], "s03", "why", manual_score=3.5)
    mark_by_hand(place[0], "s03", "why", manual_comment="By hand.")
    put(place, "Says what a sum is.", 1.0)
    assert found(place, "s01") == (1.0, "Says what a sum is. (1 point)\nMine.")
    assert found(place, "s02") == (3.0, "Other.")
    assert found(place, "s03") == (3.5, "By hand."), "what somebody typed in the formgrader holds"
    put(place, "Says what a sum is.", 1.0, gone=True)
    assert found(place, "s01") == (None, "Mine.")


def test_who_saw_an_older_state_writes_nothing(place):
    put(place, "Right.", 4.0)
    old = store.read(*place).answers["s01"].version
    give(place, "s01", Mark((), 3.0, "By Bo."), who="Bo")
    with pytest.raises(store.Conflict, match="by Bo"):
        give(place, "s01", Mark((), 1.0), seen=old)
    assert found(place, "s01") == (3.0, "By Bo.")
    for other in (
        lambda: mark_by_hand(place[0], "s01", "why", manual_score=2.0),
        lambda: mark_by_hand(place[0], "s01", "why", manual_comment="Else."),
        lambda: record(place[0], place[1], [result("s01", submission="2")]),
    ):
        old = store.read(*place).answers["s01"].version
        other()
        with pytest.raises(store.Conflict, match="Nothing was written"):
            give(place, "s01", Mark((), 1.0), seen=old)
    with pytest.raises(store.Conflict, match="removed"):
        give(place, "s01", Mark(("no such item",)))
    with pytest.raises(store.Conflict, match="changed this rubric item"):
        store.write_item(*place, "Ann", Item("a", "Wrong.", 0.0), "")
    with pytest.raises(store.Conflict, match="already a rubric item with this text"):
        put(place, "Right.", 4.0, "other")


@pytest.mark.slow
def test_another_submission_keeps_the_mark_and_asks_to_look_again(place):
    course, week, question = place
    put(place, "Right.", 4.0)
    give(place, "s01", Mark(("a",)))
    assert not store.read(*place).answers["s01"].waits
    record(course, week, [result("s01", submission="2")])
    standing = store.read(*place).answers["s01"]
    assert (standing.changed, standing.waits, standing.points) == (True, True, 4.0)
    put(place, "Right!", 3.0)
    standing = store.read(*place).answers["s01"]
    assert (standing.changed, standing.points) == (True, 3.0), (
        "a changed item does not say that it was looked at"
    )
    give(place, "s01", standing.mark)
    assert not store.read(*place).answers["s01"].waits
    store.undo(*place, "Ann")
    assert store.read(*place).answers["s01"].changed


def test_undo_takes_back_what_this_person_did_last_and_nobody_elses(place):
    put(place, "Right.", 4.0)
    give(place, "s01", Mark(("a",)))
    give(place, "s02", Mark((), 1.0), who="Bo")
    put(place, "Nearly.", 3.0)
    assert store.read(*place, "Ann").undoable == "the change of an item"
    store.undo(*place, "Ann")
    assert found(place, "s01") == (4.0, "Right. (4 points)")
    store.undo(*place, "Ann")
    assert found(place, "s01") == (None, "") and found(place, "s02")[0] == 1.0
    store.undo(*place, "Ann")
    assert not store.read(*place).items
    with pytest.raises(CourseError, match="nothing of yours"):
        store.undo(*place, "Ann")
    give(place, "s02", Mark((), 2.0, "Ann's."))
    put(place, "Bo's.", 0.0, "b", who="Bo")
    put(place, "Ann's.", 0.0, "b")
    give(place, "s03", Mark((), 2.0), who="Bo")
    store.undo(*place, "Bo")
    assert found(place, "s03") == (None, "")
    for _ in range(2):  # the item, then the mark: what cannot be undone does not bar the way
        with pytest.raises(store.Conflict, match="it was not undone"):
            store.undo(*place, "Bo")
    with pytest.raises(CourseError, match="nothing of yours"):
        store.undo(*place, "Bo")
    assert store.read(*place).items["b"].text == "Ann's."
    assert found(place, "s02") == (2.0, "Ann's.")


@pytest.mark.slow
def test_a_removed_item_comes_back_for_all_who_had_it(place):
    put(place, "Right.", 4.0)
    give(place, "s01", Mark(("a",)))
    give(place, "s03", Mark(("a",), None, "Short."))
    put(place, "Right.", 4.0, gone=True)
    assert found(place, "s01") == (None, "") and found(place, "s03") == (None, "Short.")
    store.undo(*place, "Ann")
    assert found(place, "s01") == (4.0, "Right. (4 points)")
    assert found(place, "s03") == (4.0, "Right. (4 points)\nShort.")


def test_one_comment_serves_all_who_failed_in_one_way(place):
    course, week, _ = place
    double = (course, week, course.master(week).questions[0])
    put(double, "Add, do not multiply.", 0.0)
    give(double, "s02", Mark((), None, "See me."))
    assert store.give_to_all(*double, "Ann", "a", ["s01", "s02"]) == 2
    assert store.give_to_all(*double, "Ann", "a", ["s01", "s02"]) == 0
    comments = {row.student: row.comments.get("double") for row in marks(course, week)}
    assert comments == {
        "s01": "Add, do not multiply.",
        "s02": "Add, do not multiply.\nSee me.",
        "s03": None,
        "s04": None,
    }
    assert [row.questions["double"] for row in marks(course, week)] == [5.0] * 4, "tests give the points"


@pytest.mark.parametrize("text", ["nan", "inf", "5", "-1", "two", "1e9", "4.0001", "٣٣"])
def test_points_out_of_range_are_refused(text):
    with pytest.raises(CourseError, match="from 0 to 4"):
        as_points(text, 0.0, 4.0)


ITEMS = {
    name: Item(name, name.upper(), points)
    for name, points in zip("abcde", (1, 2.5, -1, -0.25, 0), strict=True)
}


@hypothesis_given(st.sets(st.sampled_from(sorted(ITEMS))), st.floats(0, 4) | st.none())
def test_points_stay_in_range_and_do_not_depend_on_the_order(names, typed):
    one = Mark(tuple(sorted(names)), typed)
    other = Mark(tuple(sorted(names, reverse=True)), typed)
    score = one.score(ITEMS, 4.0)
    assert score == other.score(ITEMS, 4.0) and one.text(ITEMS) == other.text(ITEMS)
    assert score is None or 0 <= score <= 4
    if typed is None:
        assert (score is None) == (not names - {"e"})
    assert len(re.findall(r"\n", one.text(ITEMS))) == max(0, len(names) - 1)
