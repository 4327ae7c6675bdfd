"""Marks as a table for a spreadsheet or a learning platform."""

import csv
import io

from coursekit.course import Course, Week
from coursekit.gradebook.marks import marks
from coursekit.roster import the_roster

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
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    behind = ("days_late", "late_penalty", "needs_review")
    writer.writerow(_text(name) for name in ("student", "status", "score", "max_score", *questions, *behind))
    for student in sorted({*rows, *the_roster(course).ids}):
        if (row := rows.get(student)) is None:
            writer.writerow([_text(student), "missing", *[""] * (len(questions) + 4), "no"])
            continue
        writer.writerow(
            [
                _text(row.student),
                row.status,
                _points(row.total),
                _points(row.max_score),
                *(_points(row.questions[name]) for name in questions),
                row.late.days,
                _points(row.late.penalty),
                "yes" if row.needs_manual or row.flagged else "no",
            ]
        )
    return out.getvalue()


def _text(value: str) -> str:
    """The value with an apostrophe in front where a spreadsheet would run it as a formula."""
    return f"'{value}" if value.startswith(_FORMULA) else value


def _points(value: float | None) -> str:
    return "" if value is None else f"{round(value, 4):g}"
