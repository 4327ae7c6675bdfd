"""The reports as HTML: a page for each week, one for each student in it, and an index."""

import base64
import csv
import hashlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from coursekit.course.config import Course, Week
from coursekit.deliver.feedback import words
from coursekit.deliver.feedback.compared import view_of
from coursekit.deliver.html import environment
from coursekit.deliver.plain import cut
from coursekit.deliver.review import statistics
from coursekit.deliver.review.alike import alike
from coursekit.deliver.review.gather import TO_MARK, Gathered, Student, aliases, gather, reasons, the_salt
from coursekit.deliver.review.groups import groups
from coursekit.deliver.review.mended import Mended, mended
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.result import PASSED, SIGNS
from coursekit.files import write_atomically

FOLDER = "reports"
NAMES = "names.csv"
ANSWER_CHARACTERS = 8_000
TRACE_CHARACTERS = 4_000

_HERE = Path(__file__).parent
_ENVIRONMENT = environment([_HERE, _HERE.parent / "feedback"])
_SCRIPT = (_HERE / "review.js").read_text(encoding="utf-8")
# The one program that these pages may run; whatever a student wrote is none.
_SCRIPT_HASH = base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()


def write_reports(
    course: Course,
    weeks: list[Week],
    named: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[list[Path], list[str]]:
    """Write `reports/<week>/index.html`, `reports/<week>/students/<name>.html` and `reports/index.html`.

    Args:
        named: call students by their ids. Else by pseudonyms, with the list in reports/names.csv.

    Returns:
        The pages that were written, the index first; and sentences on what they lack.

    Raises:
        CourseError: nothing was graded yet, or a page cannot be written.
    """
    written, lacking, rows, known = [], [], [], []
    for week in weeks:
        gathered = gather(course, week, named, progress)
        known += [student.id for student in gathered.students]
        if gathered.unknown:
            lacking.append(f"{week.name}: no probable causes are named. {gathered.unknown}")
        differences, reason = mended(course, gathered)
        if reason:
            lacking.append(f"{week.name}: {reason}")
        pages, summary = _week(course, gathered, differences, lacking)
        folder = course.root / FOLDER / week.name
        for name, text in pages.items():
            written.append(_write(folder / name, text))
        for old in (folder / "students").glob("*.html"):
            if f"students/{old.name}" not in pages:
                old.unlink()  # of a student who has left, or by another name
        rows.append(summary)
    index = _render("index.html", title="Reports", course=course, weeks=rows, named=named)
    written.insert(0, _write(course.root / FOLDER / "index.html", index))
    _write_names(course, known, named)
    return written, lacking


def file_name(student: Student) -> str:
    """The name of a student's page: any id is one, and none leads out of the folder."""
    plain = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in student.name)[:80]
    if plain == student.name and not plain.startswith("."):
        return f"{plain}.html"
    return (
        f"{plain.lstrip('.')}-{hashlib.sha256(student.name.encode('utf-8', 'replace')).hexdigest()[:8]}.html"
    )


def _week(
    course: Course, week: Gathered, differences: Mended, lacking: list[str]
) -> tuple[dict[str, str], dict[str, Any]]:
    """{file: page} of a week, and its row on the index."""
    why = {student.id: reasons(student, week.roster) for student in week.students}
    triage = sorted(
        (student for student in week.students if any(reason.what != TO_MARK for reason in why[student.id])),
        key=lambda student: (why[student.id][0].rank, student.name),
    )
    try:
        (pairs, left_out), compared = alike(week), True
    except ImportError:
        pairs, left_out, compared = [], [], False
        sentence = "Answers are not compared: `pip install 'coursekit[review]'` installs what that needs."
        lacking += [sentence] if sentence not in lacking else []
    if left_out:
        names = ", ".join(student.name for student in left_out)
        lacking.append(f"{week.week.name}: not compared with the others, since that takes too long: {names}.")
    missing = sum(student.result is None and not student.damaged for student in week.students)
    written = [question for question in week.master.questions if question.written]
    waiting = {
        question.id: [student for student in week.handed_in if student.of_question(question.id) is None]
        for question in written
    }
    marked = {name: len(week.handed_in) - len(some) for name, some in waiting.items()}
    together = groups(week)
    distribution = statistics.scores(week)
    shared = {
        "course": course,
        "week": week.week,
        "file_name": file_name,
        "signs": SIGNS,
        "outcomes": words.OUTCOME,
        "cut": cut,
        "title": week.week.title,
    }
    pages = {
        "index.html": _render(
            "week.html",
            **shared,
            students=week.students,
            handed_in=week.handed_in,
            triage=[(student, why[student.id]) for student in triage],
            written=written,
            marked=marked,
            waiting=waiting,
            scores=distribution,
            questions=statistics.of_questions(week),
            tests=statistics.of_tests(week),
            groups=together,
            pairs=pairs,
            compared=compared,
            left_out=left_out,
            missing=missing,
            answer_characters=ANSWER_CHARACTERS,
        )
    }
    sources = {cell.grade_id: cell.source for cell in week.master.cells}
    for student in week.handed_in:
        pages[f"students/{file_name(student)}"] = _render(
            "student.html",
            **shared,
            student=student,
            result=student.result,
            why=why[student.id],
            mended=differences.get(student.id, []),
            sources=sources,
            words=words,
            view_of=view_of,
            passed=PASSED,
            answer_characters=ANSWER_CHARACTERS,
            trace_characters=TRACE_CHARACTERS,
            pairs=[pair for pair in pairs if student in (pair.one, pair.other)],
        )
    row = {
        "week": week.week,
        "handed_in": len(week.handed_in),
        "missing": missing,
        "look": len(triage),
        "to_mark": sum(map(len, waiting.values())),
        "mean": distribution.mean,
        "most": distribution.most,
    }
    return pages, row


def _render(template: str, **values: Any) -> str:
    return _ENVIRONMENT.get_template(template).render(script=_SCRIPT, script_hash=_SCRIPT_HASH, **values)


def _write(path: Path, text: str) -> Path:
    try:
        write_atomically(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise CourseError(f"{path} cannot be written ({error.strerror}).") from error
    return path


def _write_names(course: Course, students: list[str], named: bool) -> None:
    """Who is who, beside the pages that do not say it."""
    path = course.root / FOLDER / NAMES
    if named:
        path.unlink(missing_ok=True)
        return
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(("pseudonym", "student"))
    writer.writerows(sorted((name, student) for student, name in aliases(students, the_salt(course)).items()))
    _write(path, out.getvalue())
