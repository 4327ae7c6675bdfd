"""The command `course`: verbs for the stations of the pipeline, run from the course folder.

Exit codes: 0 done; 1 done, but something was found wrong (a check failed, a submission got no result, or the grader
itself failed on it); 2 the command could not be carried out as given; 130 interrupted.
"""

import json
import os
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from importlib.metadata import version
from itertools import groupby, islice
from pathlib import Path
from textwrap import fill
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from coursekit.course import Course, Week, open_course
from coursekit.errors import CourseError
from coursekit.files import printable, write_atomically
from coursekit.result import Result

# Heavy modules (nbgrader, the engine) are imported by the verbs that need them: `course --help` is instant.

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
INTERRUPTED = 130
SHOWN = 200  # students in a table on the terminal
out = Console()
err = Console(stderr=True)

Weeks = Annotated[list[str] | None, typer.Argument(help="Weeks; all of course.toml when none is named.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the answer as JSON, for a program.")]
Unsafe = Annotated[bool, typer.Option("--unsafe", help="Without the sandbox; every result says so.")]
Workers = Annotated[
    int | None, typer.Option(min=1, help="Submissions at a time; default: the cores and one more.")
]


def once(names: list[str] | None) -> list[str]:
    """Each name once, in the order in which they were given."""
    return list(dict.fromkeys(names or ()))


Students = Annotated[
    list[str] | None, typer.Option(callback=once, help="Only this student; may be repeated.")
]


def tell_version(asked: bool) -> None:
    """Print the installed version and end."""
    if asked:
        print("course", version("coursekit"))
        raise typer.Exit


@app.callback(help=__doc__)
def options(
    _: Annotated[
        bool, typer.Option("--version", callback=tell_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """What goes before any verb."""


def main() -> None:
    """Entry point: errors that a person can mend come out as a sentence."""
    try:
        code = app(standalone_mode=False)  # so typer gives back the exit code instead of ending the process
    except CourseError as error:
        err.print(Text(f"course: {error}", style="red"), soft_wrap=True)
        sys.exit(2)
    except typer.Abort:
        code = INTERRUPTED
    except Exception as error:
        # typer's own usage errors know how to show themselves
        if hasattr(error, "show") and hasattr(error, "exit_code"):
            error.show()
            sys.exit(error.exit_code)
        raise
    if code == INTERRUPTED:
        err.print(
            "course: interrupted. What was done is kept; the same command goes on from here.", soft_wrap=True
        )
        os._exit(code)  # kernels end with this process; threads that wait for them need not be waited for
    sys.exit(code)


@contextmanager
def progress(title: str) -> Iterator:
    """A progress bar on stderr; gives a function (done, total)."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def select(weeks: list[str] | None) -> tuple[Course, list[Week]]:
    course = open_course(Path.cwd())
    return course, course.select(weeks or [])


@app.command()
def release(
    weeks: Weeks = None,
    as_json: AsJson = False,
    gradebook: Annotated[bool, typer.Option(help="Also tell nbgrader's gradebook about the cells.")] = True,
    drop_marks: Annotated[
        bool, typer.Option(help="Drop marks of cells that are gone from the source.")
    ] = False,
) -> None:
    """Make the students' notebooks: source/ to release/, without solutions and hidden tests."""
    from coursekit import release as station

    course, chosen = select(weeks)
    made = []
    for week in chosen:
        path = station.release(course, week, gradebook=gradebook, drop_marks=drop_marks)
        made.append(str(path.relative_to(course.root)))
    if as_json:
        print(json.dumps({"released": made}))
    else:
        for path in made:
            out.print(Text(path))


@app.command()
def narrate(
    weeks: Weeks = None,
    engine: Annotated[
        str, typer.Option(metavar="NAME", help="This voice engine instead of course.toml's.")
    ] = "",
    force: Annotated[bool, typer.Option(help="Also make again what has not changed.")] = False,
    pack: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Instead: pack all audio into one archive for mirrors."),
    ] = None,
    fetch: Annotated[bool, typer.Option(help="Instead: get all audio from course.toml's mirrors.")] = False,
    as_json: AsJson = False,
) -> None:
    """Read the scripts aloud: narration/<week>/NN_slug.md to .mp3 and cues. Only what has changed is made again."""
    from coursekit.narrate import archive
    from coursekit.narrate.settings import read_settings
    from coursekit.narrate.station import narrate as station

    course, chosen = select(weeks)
    if fetch and pack:
        raise CourseError("--pack and --fetch are two things: give one of them.")
    if pack:
        packed = archive.pack(course.root / "narration", pack)
        print(json.dumps(asdict(packed))) if as_json else out.print(Text(str(packed)), soft_wrap=True)
        return
    if fetch:
        told = [] if as_json else [lambda text: err.print(Text(text), soft_wrap=True)]
        got = archive.fetch(read_settings(course).archive, course.root / "narration", tell=told)
        print(json.dumps(asdict(got))) if as_json else out.print(Text(str(got)), soft_wrap=True)
        return
    with progress("narrate") as tell:
        report = station(course, chosen, engine=engine, force=force, tell=tell)
    if as_json:
        print(json.dumps(asdict(report)))
    else:
        for note in dict.fromkeys(report.notes):
            err.print(Text(note, style="yellow"), soft_wrap=True)
        for name, reason in report.failed.items():
            err.print(Text(printable(f"{name}: {reason}"), style="red"), soft_wrap=True)
        out.print(
            f"{len(report.made)} made, {len(report.kept)} unchanged, {len(report.failed)} without audio. "
            f"{report.audio_seconds / 60:.1f} minutes of audio in {report.took_seconds:.0f} s."
        )
    raise typer.Exit(1 if report.failed else 0)


@app.command()
def publish(
    folder: Annotated[
        Path, typer.Argument(metavar="DEST", help="A folder; a clone of the students' repository.")
    ],
    weeks: Weeks = None,
    as_json: AsJson = False,
) -> None:
    """Put what students need into a folder to push: the released weeks, what is said in them, a page; nothing else."""
    from coursekit.publish import publish as station

    course, chosen = select(weeks)
    files = station(course, chosen, folder)
    if as_json:
        print(json.dumps({"published": files}))
    else:
        out.print(f"{len(files)} files in {folder}, of {len(chosen)} weeks.")


@app.command()
def grade(
    context: typer.Context,
    weeks: Weeks = None,
    workers: Workers = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help='On a Dask cluster; "local" starts one here.')
    ] = None,
    student: Students = None,
    force: Annotated[bool, typer.Option(help="Also grade again what has not changed.")] = False,
    unsafe: Unsafe = False,
    as_json: AsJson = False,
) -> None:
    """Grade what was handed in: submitted/ to autograded/, results and gradebook. Repeat it at any time."""
    from coursekit.classroom import grade_class, students
    from coursekit.doubtful import doubtful_tests
    from coursekit.gradebook import record

    course, chosen = select(weeks)
    if not weeks:  # without a name: the weeks that anybody handed in
        chosen = [week for week in chosen if students(course, week)] or chosen
    place = context.with_resource(open_cluster(cluster, workers)) if cluster else None
    answer, failed = {}, False
    for week in chosen:
        with progress(week.name) as tell:
            run = grade_class(
                course,
                week,
                workers=workers,
                unsafe=unsafe,
                cluster=place,
                force=force,
                only=student,
                progress=tell,
            )
        unrecorded = ""
        try:
            record(course, week, run.results.values())
        except CourseError as error:
            unrecorded = str(error)
        faulty = sorted(name for name in run.fresh if run.results[name].faulty)
        doubts = doubtful_tests(run.results.values())
        failed |= bool(run.failed or unrecorded or faulty)
        answer[week.name] = {
            "graded": sorted(run.fresh),
            "unchanged": sorted(set(run.results) - run.fresh),
            "failed": run.failed,
            "faulty": faulty,
            "unrecorded": unrecorded,
            "doubtful": [asdict(doubt) for doubt in doubts],
        }
        if not as_json:
            show_class(course, week, run.results.values())
            fresh = len(run.fresh)
            out.print(
                f"{fresh} graded, {len(run.results) - fresh} unchanged, {len(run.failed)} without a result."
            )
            for name, reason in run.failed.items():
                err.print(Text(printable(f"{name}: {reason}"), style="red"), soft_wrap=True)
            for name in faulty:
                text = f"{name}: the grader itself failed on this notebook. The same command tries it again."
                err.print(Text(printable(text), style="red"), soft_wrap=True)
            for doubt in doubts:
                err.print(Text(f"{week.name}: {doubt}", style="yellow"), soft_wrap=True)
        if unrecorded:
            text = f"{week.name}: the results are in autograded/, but not in the gradebook. {unrecorded}"
            err.print(Text(text, style="red"), soft_wrap=True)
    if as_json:
        print(json.dumps(answer))
    raise typer.Exit(1 if failed else 0)


def open_cluster(address: str, workers: int | None):
    """Connect to a cluster; what happens to its workers is said on stderr."""
    from coursekit.cluster import connect

    return connect(address, workers, lambda text: err.print(Text(f"course: {text}"), soft_wrap=True))


@app.command()
def feedback(
    weeks: Weeks = None,
    student: Students = None,
    as_json: AsJson = False,
) -> None:
    """Write a page per student: autograded/ to feedback/."""
    course, chosen = select(weeks)
    written = [path for week in chosen for path in write_pages(course, week, student)]
    if as_json:
        print(json.dumps({"written": [str(path.relative_to(course.root)) for path in written]}))
    else:
        out.print(f"{len(written)} pages in feedback/.")


def write_pages(course: Course, week: Week, only: list[str] | None = None) -> list[Path]:
    """The pages of a week, for everybody who has a result."""
    from coursekit.feedback import write_feedback

    folder = course.root / "autograded"
    graded = only or sorted(path.parent.parent.name for path in folder.glob(f"*/{week.name}/result.json"))
    if not graded:
        raise CourseError(
            f"autograded/ holds no result of {week.name}. Run `course grade {week.name}` first."
        )
    pages, failed = [], []
    with progress("feedback") as tell:
        for number, name in enumerate(graded, 1):
            try:
                pages.append(write_feedback(course, week, name))
            except (CourseError, OSError):
                raise
            except Exception as error:  # whatever one result causes, the others get their pages
                failed.append(f"{printable(name)}: {error!s:.500} ({type(error).__name__})")
            tell(number, len(graded))
    if failed:
        raise CourseError("Some pages could not be written, the others were. " + " ".join(failed))
    return pages


@app.command()
def export(
    week: Annotated[str, typer.Argument(help="The week.")],
    to: Annotated[str, typer.Option(help="What the marks are for: csv.")] = "csv",
    output: Annotated[Path | None, typer.Option(help="A file instead of the terminal.")] = None,
) -> None:
    """Marks for the learning platform, from the gradebook: with what people have graded so far."""
    from coursekit.export import export_csv

    if to != "csv":
        raise CourseError(f"There is no export to {to!r}. There is: csv.")
    course, (chosen,) = select([week])
    text = export_csv(course, chosen)
    if output is None:
        sys.stdout.write(text)
    else:
        write_atomically(output, text.encode())
        err.print(f"{text.count(chr(10)) - 1} students in {output}.")


@app.command()
def check(
    weeks: Weeks = None,
    run: Annotated[
        bool, typer.Option(help="Also run the notebooks, and every answer of the bank through the engine.")
    ] = True,
    workers: Workers = None,
    unsafe: Unsafe = False,
    as_json: AsJson = False,
) -> None:
    """Prove what can be proved before students see a week. Exits with 1 when something is wrong."""
    from coursekit.check import check_week

    course, chosen = select(weeks)
    reports = {}
    for week in chosen:
        with progress(f"check {week.name}") as tell:
            reports[week.name] = check_week(course, week, run=run, workers=workers, unsafe=unsafe, tell=tell)
    problems = [f"{name}: {problem}" for name, report in reports.items() for problem in report.problems]
    if as_json:
        facts = [f"{name}: {fact}" for name, report in reports.items() for fact in report.facts]
        counts = {name: report.counts for name, report in reports.items()}
        print(json.dumps({"problems": problems, "facts": facts, "counts": counts}))
    else:
        show_counts({name: report.counts for name, report in reports.items()})
        for problem in problems:
            out.print(Text(f"BAD {problem}", style="red"), soft_wrap=True)
        out.print(f"{len(problems)} problems." if problems else "All checks hold.")
    raise typer.Exit(1 if problems else 0)


@app.command()
def demo(workers: Workers = None, unsafe: Unsafe = False) -> None:
    """The whole pipeline on the bundled class, compared with what each submission must get."""
    from coursekit.demo import run_demo

    course = open_course(Path.cwd())
    with progress("demo") as tell:
        report = run_demo(course, workers=workers, unsafe=unsafe, progress=tell)
    for week, results in report.weeks:
        show_class(report.course, week, results.values())
    root = report.course.root.relative_to(course.root)
    graded = sum(len(results) for _, results in report.weeks)
    out.print(f"Graded {graded} submissions of {len(report.weeks)} weeks in {report.seconds:.0f} s.")
    for line in (
        f"Pages:      {root}/feedback/<student>/<week>/<notebook>.html",
        f"Marks:      {root}/marks_<week>.csv",
        f"Formgrader: cd {root} && ../../.venv/bin/jupyter lab   (then Nbgrader > Formgrader)",
    ):
        out.print(Text(line), soft_wrap=True)
    for problem in report.problems:
        out.print(Text(f"BAD {problem}", style="red"), soft_wrap=True)
    if report.problems:
        out.print(f"{len(report.problems)} differ from what must come out.")
    else:
        out.print("Every submission got what it must: demo/expected.json and the bank of answers hold.")
    raise typer.Exit(1 if report.problems else 0)


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """What this machine can and cannot do, each thing really tried. A line with - is wrong nowhere, only not here."""
    from coursekit.doctor import examine

    lines = examine(Path.cwd())
    if as_json:
        print(json.dumps([asdict(line) for line in lines]))
    else:
        show_lines(lines)
    raise typer.Exit(1 if any(line.works is False for line in lines) else 0)


def show_lines(lines) -> None:
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


def show_counts(counts: dict[str, dict[str, float]]) -> None:
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


def show_class(course: Course, week: Week, results: Collection[Result]) -> None:
    """A class as a table, what needs a person marked; of a large class the first."""
    table = Table(title=f"{week.name}: {week.title}")
    for name, justify in (("student", "left"), ("status", "left"), ("score", "right"), ("review", "left")):
        table.add_column(name, justify=justify)
    table.add_column("tests", justify="left")
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


if __name__ == "__main__":
    main()
