"""What the verbs of `cli` print for a person: tables, bars and sentences. What a program reads is JSON, in `cli`."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby, islice
from textwrap import fill
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from coursekit.course import Course, Week
from coursekit.engine.result import Result
from coursekit.files import printable

if TYPE_CHECKING:  # `course --help` is instant
    from coursekit.classroom.doubtful import Doubt
    from coursekit.classroom.run import ClassRun
    from coursekit.doctor import Line

SHOWN = 200  # students in a table on the terminal
out = Console()
err = Console(stderr=True)


def say(text: str, style: str = "") -> None:
    """A sentence on stdout, as it stands: no markup, and no line breaks but the terminal's own."""
    out.print(Text(text, style=style), soft_wrap=True)


def warn(text: str, style: str = "") -> None:
    """A sentence on stderr."""
    err.print(Text(text, style=style), soft_wrap=True)


def problems(found: Iterable[str]) -> None:
    """A red line for each."""
    for problem in found:
        say(f"BAD {problem}", "red")


@contextmanager
def progress(title: str) -> Iterator:
    """A progress bar on stderr; gives a function (done, total)."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def doctor_lines(lines: "list[Line]") -> None:
    """The doctor's findings by section, folded to the terminal."""
    width = min(out.width, 100)
    for section, members in groupby(lines, key=lambda line: line.section):
        out.print(Text(f"\n{section}", style="bold"))
        for line in members:
            word, style = {True: ("yes", ""), False: ("NO", "red"), None: ("-", "yellow")}[line.works]
            for head, words in ((f"{word:5}", line.what), ("     ", line.detail)):
                if words:
                    folded = fill(words, width, initial_indent=head, subsequent_indent="     ")
                    out.print(Text(folded, style=style), soft_wrap=True)


def counts_table(counts: dict[str, dict[str, float]]) -> None:
    """What each week has, and all together."""
    table = Table(title="Weeks")
    names = list(dict.fromkeys(name for week in counts.values() for name in week))
    table.add_column("week")
    for name in names:
        table.add_column(name, justify="right")
    every = {name: sum(week.get(name, 0) for week in counts.values()) for name in names}
    for week, numbers in [*counts.items(), (f"{len(counts)} in all", every)]:
        table.add_row(week, *(f"{round(numbers.get(name, 0), 2):g}" for name in names))
    Console(width=max(out.width, 112)).print(table)  # in a log, a terminal's 80 columns would cut the names


def class_run(course: Course, week: Week, run: "ClassRun", faulty: list[str], doubts: "list[Doubt]") -> None:
    """What one call of `course grade` did in a week, and what a person has to look at."""
    class_table(course, week, run.results.values())
    fresh = len(run.fresh)
    say(f"{fresh} graded, {len(run.results) - fresh} unchanged, {len(run.failed)} without a result.")
    for name, reason in run.failed.items():
        warn(printable(f"{name}: {reason}"), "red")
    for name in faulty:
        text = f"{name}: the grader itself failed on this notebook. The same command tries it again."
        warn(printable(text), "red")
    for doubt in doubts:
        warn(f"{week.name}: {doubt}", "yellow")


def class_table(course: Course, week: Week, results: Collection[Result]) -> None:
    """A class as a table, what needs a person marked; of a large class the first."""
    table = Table(title=f"{week.name}: {week.title}")
    for name in ("student", "status", "score", "review", "tests"):
        table.add_column(name, justify="right" if name == "score" else "left")
    for result in islice(results, SHOWN):
        reasons = sorted({flag.kind for flag in result.flags})
        if any(question.score is None for question in result.questions):
            reasons.insert(0, "written answer")
        marks = "".join(
            {"passed": ".", "failed": "F", "error": "E"}.get(test.outcome, "-") for test in result.tests
        )
        table.add_row(
            Text(printable(result.student)),
            Text(result.status),
            Text(f"{result.score:g} / {result.max_score:g}"),
            Text(", ".join(reasons)),
            Text(marks),
        )
    out.print(table)
    if len(results) > SHOWN:
        out.print(f"... and {len(results) - SHOWN} more: `course export {week.name}` has all.")
