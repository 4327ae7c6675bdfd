"""Results in nbgrader's gradebook, read back through nbgrader and as CSV."""

import csv
import io
import os
import sqlite3
import subprocess
import sys
import textwrap
import threading

import pytest
from nbgrader.api import Gradebook
from small_course import cells, edit, make_course, result, write_source

from coursekit.errors import CourseError
from coursekit.export import export_csv
from coursekit.gradebook import marks, record
from coursekit.release import release
from coursekit.result import UNREADABLE, Note


@pytest.fixture
def small(tmp_path):
    return make_course(tmp_path)


def sql(course, query, *values):
    with sqlite3.connect(course.root / "gradebook.db") as database:
        return database.execute(query, values).fetchall()


def grades(course):
    """{(student, cell): (auto_score, manual_score, extra_credit, needs_manual_grade)}"""
    found = sql(
        course,
        "select student_id, name, auto_score, manual_score, extra_credit, needs_manual_grade from grade"
        " join base_cell on cell_id = base_cell.id join submitted_notebook s on grade.notebook_id = s.id"
        " join submitted_assignment a on s.assignment_id = a.id",
    )
    assert len({row[:2] for row in found}) == len(found)
    return {row[:2]: row[2:] for row in found}


def dump(course):
    with sqlite3.connect(course.root / "gradebook.db") as database:
        return "\n".join(database.iterdump())


def person(course, student, cell, **values):
    """What the formgrader does when a TA types a mark, or a comment."""
    with Gradebook(f"sqlite:///{course.root}/gradebook.db", "transformer") as book:
        if "manual_comment" in values:
            book.find_comment(cell, "attention", "week1_attention", student).manual_comment = values[
                "manual_comment"
            ]
        else:
            grade = book.find_grade(cell, "attention", "week1_attention", student)
            for name, value in values.items():
                setattr(grade, name, value)
            grade.needs_manual_grade = False
        book.db.commit()


def flagged(course):
    return dict(
        sql(
            course,
            "select student_id, flagged from submitted_notebook s"
            " join submitted_assignment a on s.assignment_id = a.id",
        )
    )


CHEAT = Note("patched_library", "double", "torch.allclose was replaced")


def test_one_class(small):
    """No release was run before: the gradebook learns the week from the master."""
    course, week = small
    results = [result("s01"), result("s02", (2.0, 0.0), written=0.0), result("s03", status=UNREADABLE)]
    assert record(course, week, results) == 3
    assert grades(course) == {
        ("s01", "double_values"): (2, None, None, 0),
        ("s01", "double_hidden"): (3, None, None, 0),
        ("s01", "why"): (None, None, None, 1),
        ("s02", "double_values"): (2, None, None, 0),
        ("s02", "double_hidden"): (0, None, None, 0),
        ("s02", "why"): (0, None, None, 0),
        ("s03", "double_values"): (0, None, None, 0),
        ("s03", "double_hidden"): (0, None, None, 0),
        ("s03", "why"): (None, None, None, 1),
    }
    with Gradebook(f"sqlite:///{course.root}/gradebook.db", "transformer") as book:
        submissions = {row["student"]: row for row in book.submission_dicts("week1_attention")}
        assert {key: row["score"] for key, row in submissions.items()} == {"s01": 5, "s02": 2, "s03": 0}
        assert {row["max_score"] for row in submissions.values()} == {9}
        comments = book.find_submission_notebook("attention", "week1_attention", "s02").comments
        assert {row.name: row.comment for row in comments} == {"double": None, "why": "No response."}


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


def test_plain_nbgrader_goes_on_from_here(small):
    """After `record`, nbgrader's own calls find one row of each kind and fail on none."""
    course, week = small
    record(course, week, [result("s01")])
    with Gradebook(f"sqlite:///{course.root}/gradebook.db", "transformer") as book:
        book.update_or_create_submission("week1_attention", "s01")
        for name in ("double_values", "double_hidden", "why"):
            assert book.find_grade(name, "attention", "week1_attention", "s01")
        for name in ("double", "why"):
            assert book.find_comment(name, "attention", "week1_attention", "s01")
    assert len(grades(course)) == 3


def test_what_a_person_wrote_survives(small):
    course, week = small
    record(course, week, [result("s01", (2.0, 0.0))])
    person(course, "s01", "why", manual_score=3.0, extra_credit=0.5)
    person(course, "s01", "double_hidden", manual_score=1.0)
    person(course, "s01", "why", manual_comment="Say why they are equal.")
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
    waiting = result("s01")
    waiting.needs_review = True
    record(course, week, [waiting])
    assert flagged(course) == {"s01": 0}
    assert export_csv(course, week).splitlines()[1].endswith(",yes")
    person(course, "s01", "why", manual_score=4.0)
    assert export_csv(course, week).splitlines()[1] == "s01,graded,9,9,5,4,no"


def test_results_of_another_master_write_nothing(small):
    course, week = small
    record(course, week, [result("s01")])
    before = dump(course)
    some = cells()
    del some[5]
    write_source(course.root, some)
    with pytest.raises(CourseError, match="s02 is of another version"):
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


def test_when_it_came(small):
    course, week = small
    path = course.submitted("s01", week) / "timestamp.txt"
    path.parent.mkdir(parents=True)
    path.write_text("2026-11-02 09:00:00 UTC\n")
    record(course, week, [result("s01"), result("s02")])
    assert sql(course, "select student_id, timestamp from submitted_assignment order by 1") == [
        ("s01", "2026-11-02 09:00:00.000000"),
        ("s02", None),
    ]
    path.write_text("2026-11-03 09:00:00 UTC")
    record(course, week, [result("s01")])
    assert sql(course, "select max(timestamp) from submitted_assignment") == [("2026-11-03 09:00:00.000000",)]
    path.write_text("yesterday")
    record(course, week, [result("s01")])
    assert sql(course, "select max(timestamp) from submitted_assignment") == [(None,)]


def test_while_somebody_else_writes(small):
    """The formgrader, or another `record`, holds the database's lock for a moment."""
    course, week = small
    record(course, week, [result("s01")])
    other = sqlite3.connect(course.root / "gradebook.db", isolation_level=None, check_same_thread=False)
    other.execute("begin immediate")
    other.execute("update grade set manual_score = 1 where auto_score = 3")
    release_lock = threading.Timer(1, lambda: other.execute("commit"))
    release_lock.start()
    record(course, week, [result("s01", (0.0, 3.0))])
    release_lock.join()
    other.close()
    assert grades(course)["s01", "double_hidden"] == (3, 1, None, 0)
    assert grades(course)["s01", "double_values"] == (0, None, None, 0)


def test_killed_in_the_middle(small):
    """A recording that is killed before it commits leaves the gradebook as it was; the next one goes through."""
    course, week = small
    record(course, week, [result("s01")])
    before = dump(course)
    script = f"""
        import os, sys
        sys.path.insert(0, {os.path.dirname(__file__)!r})
        from pathlib import Path
        from small_course import result
        from coursekit import gradebook
        from coursekit.course import open_course
        from nbgrader.api import Comment
        course = open_course(Path({str(course.root)!r}))
        write = gradebook._insert
        def die(session, kind, rows):
            write(session, kind, rows)
            if kind is Comment:
                os.kill(os.getpid(), 9)
        gradebook._insert = die
        gradebook.record(course, course.weeks[0], [result("s02")])
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True)
    assert done.returncode == -9, done.stderr
    assert dump(course) == before
    record(course, week, [result("s02")])
    assert {row.student for row in marks(course, week)} == {"s01", "s02"}


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
    person(course, "Ünal", "why", manual_score=2.5)
    text = export_csv(course, week)
    assert text == export_csv(course, week)
    table = list(csv.DictReader(io.StringIO(text, newline="")))
    assert list(table[0]) == ["student", "status", "score", "max_score", "double", "why", "needs_review"]
    by_student = {row["student"]: row for row in table}
    assert not [line for line in text.splitlines() if line.lstrip('"')[:1] in "=+-@"]
    assert {"'" + name for name in hostile[:4]} | set(hostile[4:]) | {"s01", "s02"} == set(by_student)
    assert list(by_student["s01"].values()) == ["s01", "graded", "5", "9", "5", "0", "no"]
    assert list(by_student["s02"].values()) == ["s02", "unreadable", "0", "9", "0", "", "yes"]
    assert list(by_student["Ünal"].values()) == ["Ünal", "graded", "4.5", "9", "2", "2.5", "no"]
    assert by_student["'+1"]["why"] == "" and by_student["'+1"]["needs_review"] == "yes"


def test_nothing_recorded_yet(small):
    course, week = small
    with pytest.raises(CourseError, match="course grade week1_attention"):
        export_csv(course, week)
    release(course, week)
    with pytest.raises(CourseError, match="course grade week1_attention"):
        marks(course, week)


def test_a_damaged_gradebook(small):
    course, week = small
    (course.root / "gradebook.db").write_bytes(b"not a database at all, but some bytes" * 100)
    with pytest.raises(CourseError, match="gradebook.db is damaged"):
        record(course, week, [result("s01")])
