"""Marks as a table for a spreadsheet, or as JSON for a program."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence

from coursekit.course.config import Course, Week
from coursekit.course.roster import read_roster
from coursekit.gradebook.marks import Marks, marks

# A spreadsheet takes a cell that begins with one of these for a formula; some strip a tab or line end first.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def export_csv(course: Course, week: Week) -> str:
    """Return the week's marks as CSV (RFC 4180, UTF-8, one row per student, sorted by student).

    Columns: student, status, score, max_score, one per question (named by its id), days_late, late_penalty,
    needs_review. Scores are points, marks given by people included; a question that waits for a person is empty and
    counts nothing in score. late_penalty has been taken off the score already, which is never below 0. needs_review
    is yes while a person still has to mark or look at something. A student of roster.csv who handed in nothing has a
    row with the status "missing" and no score.

    Raises:
        CourseError: nothing was recorded for this week yet, or the gradebook or roster.csv cannot be read.
    """
    questions = [question.id for question in course.master(week).questions]
    late = ("days_late", "late_penalty", "needs_review")
    table: list[list[object]] = [["student", "status", "score", "max_score", *questions, *late]]
    for student, row in _rows(course, week):
        if row is None:
            table.append([student, "missing", *[None] * (len(questions) + 4), "no"])
            continue
        scores = (row.total, row.max_score, *(row.questions[name] for name in questions))
        review = "yes" if _needs_review(row) else "no"
        table.append([student, row.status, *scores, row.late.days, row.late.penalty, review])
    return _csv(table)


def export_term(course: Course, weeks: Sequence[Week]) -> str:
    """Return all these weeks as CSV: a row for each student, a column for each week's score, then score and max_score.

    A week that a student did not hand in is empty and adds nothing; max_score is the sum of all weeks.

    Raises:
        CourseError: as for `export_csv`, for any of the weeks.
    """
    by_week = {week.name: dict(_rows(course, week)) for week in weeks}
    most = sum(course.master(week).total_points for week in weeks)
    table: list[list[object]] = [["student", *by_week, "score", "max_score"]]
    for student in sorted({student for rows in by_week.values() for student in rows}):
        scores = [row.total if (row := rows.get(student)) else None for rows in by_week.values()]
        table.append([student, *scores, sum(score or 0.0 for score in scores), most])
    return _csv(table)


def export_json(course: Course, weeks: Sequence[Week]) -> str:
    """Return these weeks as JSON: {week: [{student, status, score, max_score, questions, days_late, late_penalty,
    comments, needs_review}]}, sorted by student. A number that is not known yet is null.

    Raises:
        CourseError: as for `export_csv`, for any of the weeks.
    """
    rows_by_week = {
        week.name: [
            {
                "student": student,
                "status": row.status if row else "missing",
                "score": row.total if row else None,
                "max_score": row.max_score if row else None,
                "questions": row.questions if row else {},
                "days_late": row.late.days if row else None,
                "late_penalty": row.late.penalty if row else None,
                "comments": row.comments if row else {},
                "needs_review": _needs_review(row),
            }
            for student, row in _rows(course, week)
        ]
        for week in weeks
    }
    return json.dumps(rows_by_week, indent=1, ensure_ascii=False) + "\n"


def _rows(course: Course, week: Week) -> Iterator[tuple[str, Marks | None]]:
    """Return (student, marks) of all with marks or in the roster, sorted; None for those who handed in nothing."""
    rows = {row.student: row for row in marks(course, week)}
    return ((student, rows.get(student)) for student in sorted({*rows, *read_roster(course).ids}))


def _needs_review(row: Marks | None) -> bool:
    return row is not None and (row.needs_manual or row.flagged)


def _csv(table: Iterable[Iterable[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(map(_cell, row) for row in table)
    return out.getvalue()


def _cell(value: object) -> object:
    """Return a value for a spreadsheet: points rounded, and an apostrophe before text that would be a formula."""
    if isinstance(value, float):
        return f"{round(value, 4):g}"
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
