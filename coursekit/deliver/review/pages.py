"""The reports as HTML: a page for each week, one for each student who handed in, and an index."""

import csv
import hashlib
import io
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coursekit.course.config import Course, Week
from coursekit.course.roster import read_roster
from coursekit.deliver.feedback import messages
from coursekit.deliver.feedback.comparison import view_of
from coursekit.deliver.review import statistics
from coursekit.deliver.review.files import files_beside
from coursekit.deliver.review.groups import failure_groups
from coursekit.deliver.review.repair_diffs import RepairDiffs, repair_diffs
from coursekit.deliver.review.similarity import similar_answers
from coursekit.deliver.review.week_data import (
    TO_MARK,
    Student,
    WeekData,
    load_week,
    pseudonyms,
    read_pictures,
    read_salt,
    reasons,
)
from coursekit.deliver.templates import Templates, write_page
from coursekit.engine.shared.result import PASSED, SIGNS
from coursekit.progress import Progress, no_progress


def file_name(student: Student) -> str:
    """Return the file name of a student's page: whatever the student's name, it stays in the folder and is unique."""
    plain = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in student.name)[:80]
    if plain == student.name and not plain.startswith("."):
        return f"{plain}.html"
    digest = hashlib.sha256(student.name.encode("utf-8", "replace")).hexdigest()
    return f"{plain.lstrip('.')}-{digest[:8]}.html"


_TEMPLATES = Templates(
    "review",
    "feedback",
    skip_link_to="report",
    script="review/review.js",
    file_name=file_name,
    signs=SIGNS,
    outcomes=messages.OUTCOME,
    passed=PASSED,
    view_of=view_of,
    answer_characters=8_000,
    trace_characters=4_000,
)


def write_reports(
    course: Course,
    weeks: list[Week],
    named: bool = False,
    progress: Progress = no_progress,
) -> tuple[list[Path], list[str]]:
    """Write `reports/<week>/index.html`, `reports/<week>/students/<name>.html` and `reports/index.html`.

    Args:
        named: show students' ids; if False, pseudonyms, which reports/names.csv lists.

    Returns:
        The pages that were written, the index first; and sentences on what the pages do not show.

    Raises:
        CourseError: nothing was graded yet, results, gradebook or roster cannot be read, or a page cannot be made.
    """
    reports = course.root / "reports"
    written: list[Path] = []
    gaps, rows, students = [], [], []
    unread = list(read_roster(course).unread)
    for week in weeks:
        data = load_week(course, week, named, progress)
        students += [student.id for student in data.students]
        if data.undiagnosed:
            gaps.append(f"{week.name}: no probable causes are named. {data.undiagnosed}")
        diffs, reason = repair_diffs(course, data)
        if reason:
            gaps.append(f"{week.name}: {reason}")
        pages, row = _pages_of_week(course, data, diffs, gaps)
        new = [write_page(reports / week.name / name, text) for name, text in pages]
        written += new
        for old in (reports / week.name / "students").glob("*.html"):
            if old not in new:
                old.unlink()  # its student has no result any more, or has another name here
        rows.append(row)
    index = _TEMPLATES.render(
        "index.html", title="Reports", course=course, weeks=rows, named=named, unread=unread
    )
    written.insert(0, write_page(reports / "index.html", index))
    if named:
        (reports / "names.csv").unlink(missing_ok=True)
    else:
        names = pseudonyms(students, read_salt(course))
        table = io.StringIO()
        csv.writer(table, lineterminator="\r\n").writerows(
            [("pseudonym", "student"), *sorted((name, student) for student, name in names.items())]
        )
        write_page(reports / "names.csv", table.getvalue())
    return written, gaps


def _pages_of_week(
    course: Course, week: WeekData, diffs: RepairDiffs, gaps: list[str]
) -> tuple[Iterator[tuple[str, str]], dict[str, Any]]:
    """Return (file, page) of each page of a week, made one by one since they may hold many pictures, and its row.

    Sentences on answers that are not compared are added to `gaps`.
    """
    handed_in = week.handed_in
    why = {student.id: reasons(student, week.roster) for student in week.students}
    triage = sorted(
        (student for student in week.students if any(reason.what != TO_MARK for reason in why[student.id])),
        key=lambda student: (why[student.id][0].rank, student.name),
    )
    try:
        (pairs, left_out), compared = similar_answers(week), True
    except ImportError:
        pairs, left_out, compared = [], [], False
        sentence = "Answers are not compared: `pip install 'coursekit[review]'` installs what that needs."
        gaps += [sentence] if sentence not in gaps else []
    if left_out:
        names = ", ".join(student.name for student in left_out)
        gaps.append(f"{week.week.name}: not compared with the others, since that takes too long: {names}.")
    missing = sum(student.result is None and not student.result_damaged for student in week.students)
    waiting = {
        question.id: [student for student in handed_in if student.question_score(question.id) is None]
        for question in week.master.questions
        if question.written
    }
    scores = statistics.score_distribution(week)
    shared = {"course": course, "week": week.week, "title": week.week.title}
    index = _TEMPLATES.render(
        "week.html",
        **shared,
        students=week.students,
        handed_in=handed_in,
        triage=[(student, why[student.id]) for student in triage],
        written=[question for question in week.master.questions if question.written],
        waiting=waiting,
        scores=scores,
        questions=statistics.question_facts(week),
        tests=statistics.test_facts(week),
        groups=failure_groups(week),
        pairs=pairs,
        compared=compared,
        left_out=left_out,
        missing=missing,
        unread=list(week.roster.unread),
    )
    beside = files_beside(week)
    sources = {cell.grade_id: cell.source for cell in week.master.cells}

    def page_of(student: Student) -> str:
        return _TEMPLATES.render(
            "student.html",
            **shared,
            student=student,
            result=student.result,
            why=why[student.id],
            repair_diff=diffs.get(student.id, []),
            sources=sources,
            beside=beside[student.id],
            pairs=[pair for pair in pairs if student in (pair.one, pair.other)],
            pictures=read_pictures(course, week, student.id) if student.pictures else {},
        )

    pages = ((f"students/{file_name(student)}", page_of(student)) for student in handed_in)
    row = {
        "week": week.week,
        "handed_in": len(handed_in),
        "missing": missing,
        "to_look_at": len(triage),
        "to_mark": sum(map(len, waiting.values())),
        "mean": scores.mean,
        "max_score": scores.max_score,
    }
    return itertools.chain([("index.html", index)], pages), row
