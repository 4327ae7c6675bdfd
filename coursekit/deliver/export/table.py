"""Marks as a table for a spreadsheet, or as JSON for a program."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

from coursekit.course.config import Course, Week
from coursekit.course.roster import the_roster
from coursekit.gradebook.marks import marks

# A spreadsheet takes a cell that begins so for a formula; some strip a tab or line end first.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def export_csv(course: Course, week: Week) -> str:
    """The week's marks as CSV (RFC 4180, UTF-8, one row per student, sorted by student).

    Columns: student, status, score, max_score, one per question (named by its id), days_late, late_penalty,
    needs_review. Scores are points, marks given by people included; a question that waits for a person is empty and
    counts nothing in score. late_penalty has been taken off the score already, which is never below 0. needs_review
    is yes while a person still has to mark or look at something. Whoever is in roster.csv and handed in nothing has a
    row with the status "missing" and no score.

    Raises:
        CourseError: nothing was recorded for this week yet, or roster.csv cannot be read.
    """
    rows = {row.student: row for row in marks(course, week)}
    questions = [question.id for question in course.master(week).questions]
    behind = ("days_late", "late_penalty", "needs_review")
    table: list[list[Any]] = [["student", "status", "score", "max_score", *questions, *behind]]
    for student in sorted({*rows, *the_roster(course).ids}):
        if (row := rows.get(student)) is None:
            table.append([student, "missing", *[""] * (len(questions) + 4), "no"])
            continue
        table.append(
            [
                row.student,
                row.status,
                _points(row.total),
                _points(row.max_score),
                *(_points(row.questions[name]) for name in questions),
                row.late.days,
                _points(row.late.penalty),
                "yes" if row.needs_manual or row.flagged else "no",
            ]
        )
    return _csv(table)


def export_term(course: Course, weeks: Sequence[Week]) -> str:
    """All these weeks as CSV: a row for each student, a column for each week's score, then score and max_score.

    A week that a student did not hand in is empty and counts nothing; max_score is of all weeks.

    Raises:
        CourseError: as `export_csv`, of any of the weeks.
    """
    by_week = {week.name: {row.student: row for row in marks(course, week)} for week in weeks}
    most = sum(course.master(week).points for week in weeks)
    students = {student for rows in by_week.values() for student in rows}
    table: list[list[Any]] = [["student", *by_week, "score", "max_score"]]
    for student in sorted({*students, *the_roster(course).ids}):
        mine = [rows[student].total if student in rows else None for rows in by_week.values()]
        total = sum(score for score in mine if score is not None)
        table.append([student, *map(_points, mine), _points(total), _points(most)])
    return _csv(table)


def export_json(course: Course, weeks: Sequence[Week]) -> str:
    """The same as JSON: {week: [{student, status, score, max_score, questions, days_late, late_penalty, comments,
    needs_review}]}, sorted by student. A number that is not known yet is null.

    Raises:
        CourseError: as `export_csv`, of any of the weeks.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    for week in weeks:
        rows = {row.student: row for row in marks(course, week)}
        found[week.name] = []
        for student in sorted({*rows, *the_roster(course).ids}):
            row = rows.get(student)
            found[week.name].append(
                {
                    "student": student,
                    "status": row.status if row else "missing",
                    "score": row.total if row else None,
                    "max_score": row.max_score if row else None,
                    "questions": row.questions if row else {},
                    "days_late": row.late.days if row else None,
                    "late_penalty": row.late.penalty if row else None,
                    "comments": row.comments if row else {},
                    "needs_review": bool(row and (row.needs_manual or row.flagged)),
                }
            )
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _csv(table: Iterable[Iterable[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    for row in table:
        writer.writerow([_text(value) if isinstance(value, str) else value for value in row])
    return out.getvalue()


def _text(value: str) -> str:
    """The value with an apostrophe in front where a spreadsheet would run it as a formula."""
    return f"'{value}" if value.startswith(_FORMULA) else value


def _points(value: float | None) -> str:
    return "" if value is None else f"{round(value, 4):g}"
