"""The output of the commands: tables, progress bars and sentences for a person, JSON for a program."""

import json
import logging
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby, islice
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from coursekit.course.config import Course, Week
from coursekit.engine.shared.result import SIGNS, Result
from coursekit.files import printable

if TYPE_CHECKING:  # not at run time: `course --help` is instant
    from coursekit.deliver.export import MergedSheet
    from coursekit.deliver.feedback.archive import PageArchive
    from coursekit.doctor import Line
    from coursekit.gradebook.marks import Marks
    from coursekit.grading.preview import Preview
    from coursekit.intake.collect import Collected
    from coursekit.pipeline import GradedWeek

MAX_ROWS = 200  # of a table on the terminal
out = Console()
err = Console(stderr=True)


def say(text: str, style: str = "") -> None:
    """Print a sentence on stdout, unchanged: no markup, and no line breaks but the terminal's own."""
    out.print(Text(text, style=style), soft_wrap=True)


def warn(text: str, style: str = "") -> None:
    """Print a sentence on stderr."""
    err.print(Text(text, style=style), soft_wrap=True)


def answer(as_json: bool, data: Any, *lines: str) -> None:
    """Print a command's answer on stdout: its data as JSON, or these lines."""
    if as_json:
        print(json.dumps(data))
    else:
        for line in lines:
            say(line)


class TerminalHandler(logging.Handler):
    """Prints log records on stderr, as sentences."""

    def emit(self, record: logging.LogRecord) -> None:
        for line in self.format(record).splitlines():  # an exception's text may be a student's
            warn(printable(line))


def log_to_terminal(verbose: bool) -> None:
    """Print the package's warnings; if verbose, all that its modules log, with their names."""
    logger, handler = logging.getLogger("coursekit"), TerminalHandler()
    handler.setFormatter(logging.Formatter("%(name)s: %(message)s" if verbose else "course: %(message)s"))
    logger.handlers = [handler]
    logger.setLevel(logging.DEBUG if verbose else logging.WARNING)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which takes an s unless the number is 1.

    >>> counted(1, "week"), counted(2, "week")
    ('1 week', '2 weeks')
    """
    return f"{number} {noun}{'s' * (number != 1)}"


def problems(sentences: Iterable[str]) -> None:
    """Print a red line for each problem."""
    for problem in sentences:
        say(f"BAD {problem}", "red")


@contextmanager
def progress(title: str) -> Iterator:
    """Show a progress bar if stderr is a terminal; yield the function (done, total) that moves it."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    # rich's ten redraws per second would be a tenth of this process's work while a class is graded.
    is_tty = err.is_terminal
    with Progress(*columns, console=err, transient=True, refresh_per_second=2, disable=not is_tty) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def doctor_lines(lines: "list[Line]") -> None:
    """Print what the doctor found, by section, folded to the terminal."""
    width = min(out.width, 100)
    for section, members in groupby(lines, key=lambda line: line.section):
        out.print(Text(f"\n{section}", style="bold"))
        for line in members:
            word, style = {True: ("yes", ""), False: ("NO", "red"), None: ("-", "yellow")}[line.works]
            for head, words in ((f"{word:5}", line.what), ("     ", line.detail)):
                if words:
                    folded = fill(words, width, initial_indent=head, subsequent_indent="     ")
                    out.print(Text(folded, style=style), soft_wrap=True)


def _table(title: str, *names: str, right: Collection[str] = (), **options: Any) -> Table:
    """Return a table with these columns, some of them aligned to the right."""
    table = Table(title=title, **options)
    for name in names:
        table.add_column(name, justify="right" if name in right else "left")
    return table


def _print_wide(table: Table) -> None:
    """Print a table in at least 112 columns: the 80 that rich assumes in a log would cut the names."""
    Console(width=max(out.width, 112)).print(table)


def counts_table(counts: dict[str, dict[str, float]]) -> None:
    """Print the counts of each week, and their sums."""
    names = list(dict.fromkeys(name for week in counts.values() for name in week))
    table = _table("Weeks", "week", *names, right=names)
    sums = {name: sum(week.get(name, 0) for week in counts.values()) for name in names}
    for week, numbers in [*counts.items(), (f"{len(counts)} in all", sums)]:
        table.add_row(week, *(f"{round(numbers.get(name, 0), 2):g}" for name in names))
    _print_wide(table)


def preview(course: Course, week: Week, report: "Preview") -> None:
    """Print the students whose marks would change if they were graded again."""
    titles = {question.id: question.title for question in course.master(week).questions}
    columns = ("student", "question", "test", "before", "after", "")
    table = _table(f"{week.name}: what would change", *columns, right=("before", "after"))
    for move in islice(report.moves, MAX_ROWS):
        kept = "points given by hand stay" if move.kept else ""
        where = (move.student, titles.get(move.question, ""), move.test)
        row = (*where, f"{move.before:g}", f"{move.after:g}", kept)
        table.add_row(*(Text(printable(text)) for text in row))
    if report.moves:
        _print_wide(table)
    if len(report.moves) > MAX_ROWS:
        say(f"... and {len(report.moves) - MAX_ROWS} more: --json has all.")
    people = len({move.student for move in report.moves if not move.kept})
    say(
        f"{week.name}: {counted(len(report.again), 'result')} would be recomputed, with {report.examined} of "
        f"{counted(report.tests, 'test')} run; the points of {counted(people, 'student')} would change. "
        f"{counted(len(report.new), 'student')} would be graded for the first time. Nothing was written."
    )
    for name, reason in report.failed.items():
        warn(printable(f"{name}: {reason}"), "red")


def _first_names(names: list[str]) -> str:
    more = " and others" if len(names) > 20 else ""
    return ", ".join(map(printable, names[:20])) + more


def merged(report: "MergedSheet", dry_run: bool) -> None:
    """Print the changes in a platform's sheet on stderr, since stdout may hold the sheet."""
    for who, old, new in report.changes:
        warn(printable(f"{who}: {old.strip() or 'no mark'} -> {new}"))
    changed = "would change" if dry_run else "changed"
    warn(
        f"Column {printable(report.column)!r}: {counted(len(report.changes), 'mark')} {changed}, "
        f"{report.unchanged} the same.{' Nothing was written.' if dry_run else ''}"
    )
    if report.without:
        warn(
            f"No mark in this course, so their rows in the sheet were not changed: {_first_names(report.without)}.",
            "yellow",
        )
    if report.absent:
        warn(
            f"Without a row in the sheet, so their marks are not in it: {_first_names(report.absent)}. If they "
            "are in the course, add the names or ids that the sheet uses to roster.csv.",
            "red",
        )
    if report.waiting:
        number = counted(len(report.waiting), "student")
        warn(f"Not complete, since an answer still has to be marked by hand: {number}.", "yellow")


def zipped(path: Path, report: "PageArchive") -> None:
    """Print how many pages go back to the platform, and who is left out."""
    warn(f"{counted(len(report.names), 'page')} in {path}.")
    for names, why in (
        (report.without, "have no page"),
        (report.elsewhere, "handed in outside the platform"),
    ):
        if names:
            warn(f"Not in it, since they {why}: {', '.join(map(printable, names))}.", "yellow")


def collected(week: Week, report: "Collected", dry_run: bool) -> None:
    """Print the submissions found in a download, and every file that could not be placed."""
    table = _table(f"{week.name}: {week.title}", "student", "file", "", "handed in (UTC)", "look at")
    for one in islice(report.students, MAX_ROWS):
        when = f"{one.when:%Y-%m-%d %H:%M}" if one.when else ""
        late = " late" if one.late else ""
        row = (one.student, one.file, one.what, when + late, "; ".join(one.remarks))
        table.add_row(*(Text(printable(text)) for text in row))
    _print_wide(table)
    if len(report.students) > MAX_ROWS:
        say(f"... and {len(report.students) - MAX_ROWS} more: --json has all.")
    counts = Counter(one.what for one in report.students)
    kinds = ("new", "replaced", "unchanged", "older", "not placed")
    words = ", ".join(f"{counts[what]} {what}" for what in kinds if counts[what])
    say(f"{counted(len(report.students), 'student')}{': ' + words if words else ''}.")
    if report.layouts:
        layouts = ", ".join(f"{name} ({counted(number, 'file')})" for name, number in report.layouts.items())
        say(f"The students were recognised by the names of the files: {layouts}.")
    if report.ignored:
        files = counted(report.ignored, "file")
        say(
            f"{files} left out that no student handed in: the operating system, Jupyter or the platform made them."
        )
    for path, reason in report.unplaced.items():
        warn(printable(f"Not placed: {path}: {reason}"), "yellow")
    for problem in report.roster_problems:
        warn(printable(problem), "yellow")
    missing(report.missing)
    say("This was a dry run: nothing was written." if dry_run else f"Next: course grade {week.name}")


def missing(students: list[str]) -> None:
    """Print the students of the roster who handed in nothing."""
    if students:
        names = ", ".join(students)
        warn(printable(f"Nothing handed in by {counted(len(students), 'student')}: {names}."), "yellow")


def graded_week(course: Course, week: Week, report: "GradedWeek") -> None:
    """Print the results of one `course grade` in a week, and all that somebody has to look at."""
    run = report.run
    class_table(course, week, run.results.values(), report.marks)
    fresh = len(run.fresh)
    say(f"{fresh} graded, {len(run.results) - fresh} unchanged, {len(run.failed)} without a result.")
    for name, reason in run.failed.items():
        warn(printable(f"{name}: {reason}"), "red")
    for name in sorted(run.faulty):
        warn(
            printable(f"{name}: the grader failed on this notebook. The same command tries it again."), "red"
        )
    for test in report.suspect_tests:
        warn(f"{week.name}: {test}", "yellow")
    missing(report.missing)
    for problem in report.roster_problems:
        warn(printable(problem), "yellow")
    for student in map(printable, report.left_behind):
        warn(
            f"{student} has a result but nothing in submitted/ any more; the marks stay in the gradebook and in "
            f"`course export`. If the folder was renamed, delete autograded/{student} and run: "
            f"nbgrader db student remove {student} --force",
            "yellow",
        )


def unrecorded(week: Week, report: "GradedWeek") -> None:
    """Print why the gradebook could not be used, if it could not."""
    if report.unrecorded:
        text = f"{week.name}: the results are in autograded/, but not in the gradebook. {report.unrecorded}"
        warn(text, "red")


def class_table(
    course: Course, week: Week, results: Collection[Result], marks: "Mapping[str, Marks] | None" = None
) -> None:
    """Print a class as a table, with all that has to be checked by hand; of a large class only the first MAX_ROWS."""
    signs = ", ".join(f"{sign} {outcome.replace('_', ' ')}" for outcome, sign in SIGNS.items())
    columns = ("student", "status", "tests' points", "check by hand", "tests")
    caption = f"tests: {signs}"
    table = _table(f"{week.name}: {week.title}", *columns, right=columns[2:3], caption=caption)
    for result in islice(results, MAX_ROWS):
        table.add_row(
            Text(printable(result.student)),
            Text(result.status.replace("_", " ")),
            Text(f"{result.score:g} / {result.max_score:g}"),
            Text(", ".join(_waiting(result, (marks or {}).get(result.student)))),
            Text("".join(SIGNS[test.outcome] for test in result.tests)),
        )
    out.print(table)
    if len(results) > MAX_ROWS:
        out.print(f"... and {len(results) - MAX_ROWS} more: `course export {week.name}` has all.")


def _waiting(result: Result, marks: "Marks | None") -> list[str]:
    """Return in words why a person still has to look; marked answers and cleared flags are no reason."""
    written = any(question.score is None for question in result.questions)
    flags = {flag.kind.replace("_", " ") for flag in result.flags}
    if marks is not None:
        written, flags = written and marks.needs_manual, flags if marks.flagged else set()
    return ["written answer"] * written + sorted(flags)
