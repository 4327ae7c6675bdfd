"""The command `course`: one command for each stage of the pipeline, run from the course folder.

Exit codes: 0 done; 1 done, but something was found wrong (a check failed, a submission got no result, the grader
itself failed on it, or a line of the roster could not be read); 2 the command could not be carried out as given; 130
interrupted.
"""

import io
import json
import os
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from coursekit.cli import shown
from coursekit.course.config import Course, Week, open_course
from coursekit.engine.shared.errors import CourseError
from coursekit.files import printable, write_atomically

# Heavy modules (nbgrader, the engine) are imported by the commands that need them: `course --help` is instant.

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
INTERRUPTED = 130

Weeks = Annotated[list[str] | None, typer.Argument(help="Weeks; default: all in course.toml.")]
GradedWeeks = Annotated[list[str] | None, typer.Argument(help="Weeks; default: all that have been graded.")]
HandedInWeeks = Annotated[list[str] | None, typer.Argument(help="Weeks; default: all with a submission.")]
OneWeek = Annotated[str, typer.Argument(metavar="WEEK", help="The week.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the answer as JSON, for a program.")]
Unsafe = Annotated[bool, typer.Option("--unsafe", help="Run without the sandbox; every result says so.")]
Workers = Annotated[
    int | None, typer.Option(min=1, help="Submissions at a time; default: one more than there are cores.")
]


def once(names: list[str] | None) -> list[str]:
    """Return each name once, in the order of the command line."""
    return list(dict.fromkeys(names or ()))


Students = Annotated[
    list[str] | None, typer.Option(callback=once, help="Only this student; may be repeated.")
]


def print_version(asked: bool) -> None:
    """Print the installed version and end."""
    if asked:
        from importlib.metadata import version

        print("course", version("coursekit"))
        raise typer.Exit


@app.callback(help=__doc__)
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Also print what is graded again, and why.")
    ] = False,
) -> None:
    """Options that go before any command."""
    shown.log_to_terminal(verbose)


def main() -> None:
    """Run the command line, and exit; print an error that the user can fix as a sentence."""
    # jsonschema, which nbformat imports, imports rfc3987_syntax if it can, which takes a second to compile a grammar
    # for internationalised URLs, a format that no notebook uses. None forbids that import.
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal may be unable to show the letters of a name
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = app(standalone_mode=False)  # so typer returns the exit code instead of ending the process
    except CourseError as error:
        shown.warn(f"course: {error}", "red")
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
        shown.warn("course: interrupted. Finished work is kept; run the same command again to continue.")
        os._exit(code)  # kernels end with this process; the threads that wait for them need not be joined
    sys.exit(code)


def select(weeks: list[str] | None) -> tuple[Course, list[Week]]:
    """Return the course and the weeks of these names; without names, all weeks."""
    course = open_course(Path.cwd())
    return course, course.select(weeks or [])


def select_graded(weeks: list[str] | None) -> tuple[Course, list[Week]]:
    """Return the course and the weeks of these names; without names, the graded weeks, or all if none is graded."""
    from coursekit.intake.submissions import graded_students

    course, chosen = select(weeks)
    return course, chosen if weeks else [week for week in chosen if graded_students(course, week)] or chosen


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="DEST", help="A new folder, or an empty one.")],
    as_json: AsJson = False,
) -> None:
    """Make a course of your own: a folder with one small week, and three sample submissions to try it on."""
    from coursekit.authoring.new.folder import make_folder

    data = {"made": str(folder), "weeks": [week.name for week in make_folder(folder).weeks]}
    sentence = f"Made {folder}: its README.md says what to do there. Next: cd {folder}, then course release"
    shown.answer(as_json, data, sentence)


@app.command()
def new_week(
    name: Annotated[str, typer.Argument(help="The week's name, such as week2_spread.")],
    title: Annotated[str, typer.Option(help="The week's title, as students see it.")],
    minutes: Annotated[int, typer.Option(min=1, help="Minutes that a student needs.")] = 60,
    as_json: AsJson = False,
) -> None:
    """Begin a week: an entry in course.toml, and a notebook with TODO(author) wherever you have to write something."""
    from coursekit.authoring.new.week import make_week

    course = open_course(Path.cwd())
    path = make_week(course, name, title, minutes).relative_to(course.root)
    sentence = f"{path}: fill in each TODO(author). Next: course new-question {name} ID --points N"
    shown.answer(as_json, {"written": [str(path)]}, sentence)


@app.command()
def new_question(
    week: OneWeek,
    name: Annotated[
        str, typer.Argument(metavar="ID", help="The function that students write: running_mean.")
    ],
    points: Annotated[int, typer.Option(help="Points: half for a visible test, the rest for a hidden one.")],
    title: Annotated[str, typer.Option(help="Its heading; default: made from the ID.")] = "",
    as_json: AsJson = False,
) -> None:
    """Begin a question: its cells below the week's last question, a right and a wrong answer for the bank."""
    from coursekit.authoring.new.question import make_question

    course, (chosen,) = select([week])
    paths = make_question(course, chosen, name, title, points)
    written = [str(path.relative_to(course.root)) for path in paths]
    sentence = (
        f"Fill in each TODO(author) in these files. Next: course release {week}, then course check {week}"
    )
    shown.answer(as_json, {"written": written}, *written, sentence)


@app.command()
def release(
    weeks: Weeks = None,
    as_json: AsJson = False,
    gradebook: Annotated[bool, typer.Option(help="Also enter the cells in nbgrader's gradebook.")] = True,
    drop_marks: Annotated[bool, typer.Option(help="Drop marks of cells that are gone.")] = False,
) -> None:
    """Make the students' notebooks: source/ to release/, without solutions and hidden tests."""
    from coursekit.authoring import release

    course, chosen = select(weeks)
    released, unfinished = [], {}
    for week in chosen:
        try:
            path = release.release(course, week, gradebook=gradebook, drop_marks=drop_marks)
        except release.Unfinished as error:  # the other weeks can be released all the same
            unfinished[week.name] = str(error)
        else:
            released.append(str(path.relative_to(course.root)))
    shown.answer(as_json, {"released": released, "unfinished": unfinished}, *released)
    for sentence in () if as_json else unfinished.values():
        shown.warn(sentence, "red")
    raise typer.Exit(1 if unfinished else 0)


@app.command()
def narrate(
    weeks: Weeks = None,
    engine: Annotated[str, typer.Option(help="Use this voice engine, not those in course.toml.")] = "",
    force: Annotated[bool, typer.Option(help="Make all audio again, even what has not changed.")] = False,
    pack: Annotated[Path | None, typer.Option(help="Instead: pack all audio into this archive.")] = None,
    fetch: Annotated[bool, typer.Option(help="Instead: get all audio from course.toml's mirrors.")] = False,
    as_json: AsJson = False,
) -> None:
    """Read the scripts aloud: narration/<week>/NN_slug.md to .mp3 and cues. Only what has changed is made again."""
    from coursekit.authoring.narration import archive, narrate
    from coursekit.authoring.narration.settings import read_settings

    course, chosen = select(weeks)
    if fetch and pack:
        raise CourseError("Give either --pack or --fetch, not both.")
    if pack:
        packed = archive.pack(course.root / "narration", pack)
        return shown.answer(as_json, asdict(packed), str(packed))
    if fetch:
        on_failure = (lambda reason: None) if as_json else shown.warn
        fetched = archive.fetch(read_settings(course).archive, course.root / "narration", on_failure)
        return shown.answer(as_json, asdict(fetched), str(fetched))
    with shown.progress("narrate") as on_progress:
        report = narrate.narrate(course, chosen, engine=engine, force=force, progress=on_progress)
    if as_json:
        print(json.dumps(asdict(report)))
    else:
        for note in dict.fromkeys(report.notes):
            shown.warn(note, "yellow")
        for name, reason in report.failed.items():
            shown.warn(printable(f"{name}: {reason}"), "red")
        shown.say(
            f"{len(report.made)} made, {len(report.kept)} unchanged, {len(report.failed)} without audio. "
            f"{report.audio_seconds / 60:.1f} minutes of audio in {report.took_seconds:.0f} s."
        )
    raise typer.Exit(1 if report.failed else 0)


@app.command()
def publish(
    folder: Annotated[Path, typer.Argument(metavar="DEST", help="A clone of the students' repository.")],
    weeks: Weeks = None,
    as_json: AsJson = False,
) -> None:
    """Put what students need into a folder to push: the released weeks, their narration, a README; nothing else."""
    from coursekit.authoring.publish import publish

    course, chosen = select(weeks)
    files = publish.publish(course, chosen, folder)
    sentence = f"{len(files)} files in {folder}, for {shown.counted(len(chosen), 'week')}."
    shown.answer(as_json, {"published": files}, sentence)


@app.command()
def collect(
    week: OneWeek,
    source: Annotated[str, typer.Argument(metavar="PATH", help="The download: .zip, folder, or Drive link.")],
    roster: Annotated[Path | None, typer.Option(help="The class as CSV; default: roster.csv.")] = None,
    dry_run: Annotated[bool, typer.Option(help="Only print what would be done.")] = False,
    as_json: AsJson = False,
) -> None:
    """Take in what was handed in: a download to submitted/. Exits with 1 if a file or a line of the roster is left."""
    from coursekit.intake import collect

    course, (chosen,) = select([week])
    with shown.progress("collect") as on_progress:
        done = collect.collect(course, chosen, source, roster=roster, dry_run=dry_run, progress=on_progress)
    if as_json:
        print(json.dumps(asdict(done), default=str))
    else:
        shown.collected(chosen, done, dry_run)
    raise typer.Exit(1 if done.unplaced or done.roster_problems else 0)


@app.command()
def grade(
    context: typer.Context,
    weeks: HandedInWeeks = None,
    workers: Workers = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help='On a Dask cluster; "local" starts one here.')
    ] = None,
    student: Students = None,
    force: Annotated[bool, typer.Option(help="Grade everything again, even what has not changed.")] = False,
    changed: Annotated[bool, typer.Option("--changed", help="Only print whose marks would change.")] = False,
    why: Annotated[str, typer.Option(help="The reason, for students whose points change.")] = "",
    unsafe: Unsafe = False,
    as_json: AsJson = False,
) -> None:
    """Grade what was handed in: submitted/ to autograded/, results and gradebook. Repeat it at any time."""
    from coursekit.grading.warm_start import start_servers
    from coursekit.intake.submissions import strays, students

    if changed and (force or cluster or why):
        raise CourseError("--changed cannot be combined with --force, --cluster or --why.")
    course, chosen = select(weeks)
    if not weeks:
        chosen = [week for week in chosen if students(course, week)] or chosen
    for stray in strays(course):
        what = "belongs to no week in course.toml" if "/" in stray else "is not in a student's folder"
        shown.warn(f"submitted/{printable(stray)} {what}: it is not graded.", "yellow")
    # The fork servers start while the rest is imported.
    servers = None if cluster else start_servers(course, chosen, student, force, unsafe)
    if servers is not None:
        context.with_resource(servers)

    from coursekit.doctor import older_python
    from coursekit.grading.place import Here, Place
    from coursekit.grading.preview import clear_killed_previews, preview
    from coursekit.pipeline import grade_week

    if sentence := older_python():
        shown.warn(sentence, "yellow")
    clear_killed_previews(course)
    place: Place = Here(workers, servers)
    if changed:
        previews = {}
        for week in chosen:
            with shown.progress(week.name) as on_progress:
                week_preview = preview(
                    course, week, place=place, unsafe=unsafe, only=student, progress=on_progress
                )
            previews[week.name] = week_preview
            if not as_json:
                shown.preview(course, week, week_preview)
        if as_json:
            print(json.dumps({name: asdict(one) for name, one in previews.items()}))
        raise typer.Exit(1 if any(one.failed for one in previews.values()) else 0)
    if cluster:
        from coursekit.grading.cluster import connect

        place = context.with_resource(connect(cluster, workers))
    reports, complete = {}, True
    for week in chosen:
        with shown.progress(week.name) as on_progress:
            done = grade_week(
                course,
                week,
                place=place,
                unsafe=unsafe,
                force=force,
                only=student,
                why=why,
                progress=on_progress,
            )
        complete &= done.complete and not done.roster_problems
        reports[week.name] = {
            "graded": sorted(done.run.fresh),
            "unchanged": sorted(set(done.run.results) - done.run.fresh),
            "failed": done.run.failed,
            "faulty": sorted(done.run.faulty),
            "unrecorded": done.unrecorded,
            "doubtful": [asdict(test) for test in done.suspect_tests],
            "missing": done.missing,
            "roster_problems": done.roster_problems,
            "left_behind": done.left_behind,
        }
        if not as_json:
            shown.graded_week(course, week, done)
        shown.unrecorded(week, done)
    if as_json:
        print(json.dumps(reports))
    raise typer.Exit(0 if complete else 1)


@app.command()
def feedback(
    weeks: GradedWeeks = None,
    student: Students = None,
    download: Annotated[
        str | None, typer.Option("--zip", help="Also write a .zip for the platform of this download.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a page per student, with the marks given by hand so far: autograded/ and gradebook to feedback/."""
    from coursekit.deliver.feedback.archive import zip_pages
    from coursekit.pipeline import feedback_week

    course, chosen = select_graded(weeks)
    if download is not None and len(weeks or course.weeks) != 1:
        raise CourseError("Name the week whose pages go back: `course feedback WEEK --zip DOWNLOAD`.")
    written: list[Path] = []
    for week in chosen:
        with shown.progress("feedback") as on_progress:
            pages = feedback_week(course, week, only=student, progress=on_progress)
        if pages.undiagnosed:
            shown.warn(f"{week.name}: the pages name no probable causes. {pages.undiagnosed}", "yellow")
        if pages.failed:
            reasons = (f"{printable(name)}: {reason}" for name, reason in pages.failed.items())
            raise CourseError("Some pages could not be written, the others were. " + " ".join(reasons))
        written += pages.paths
    if download is not None:
        target = course.root / "feedback" / f"{chosen[0].name}.zip"
        shown.zipped(target.relative_to(course.root), zip_pages(course, chosen[0], download, target))
    paths = [str(path.relative_to(course.root)) for path in written]
    shown.answer(as_json, {"written": paths}, f"{shown.counted(len(paths), 'page')} in feedback/.")


@app.command()
def review(
    weeks: GradedWeeks = None,
    names: Annotated[bool, typer.Option("--names", help="Show students' ids instead of pseudonyms.")] = False,
    serve: Annotated[
        bool, typer.Option("--serve", help="Mark in a browser, until Ctrl-C; write no pages.")
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="With --serve; 0: any that is free.")] = 0,
) -> None:
    """Write the TA's pages into reports/. Submissions that somebody has to look at come first.

    With --serve, you mark all answers to one question in a row, and each mark is saved in the gradebook at once. The
    address that is printed works only on this machine, and everybody who has it can mark.
    """
    course, chosen = select_graded(weeks)
    if serve:
        from coursekit.deliver.marking.server import create_server

        with shown.progress("known mistakes") as on_progress:
            server = create_server(course, chosen, names, port, on_progress)
        with suppress(KeyboardInterrupt):
            server.run(lambda address: shown.say(f"Open {address} (Ctrl-C ends it)"))
        return
    if port:
        raise CourseError("--port is only for --serve.")
    from coursekit.deliver.review.pages import write_reports

    with shown.progress("known mistakes") as on_progress:
        pages, gaps = write_reports(course, chosen, names, on_progress)
    for sentence in gaps:
        shown.warn(sentence, "yellow")
    shown.say(f"{shown.counted(len(pages), 'page')} in reports/. Begin with reports/index.html.")


@app.command()
def codes(
    renew: Annotated[
        list[str] | None, typer.Option(callback=once, help="A new code for this student; may be repeated.")
    ] = None,
    revoke: Annotated[
        list[str] | None, typer.Option(callback=once, help="Take this student's code away; may be repeated.")
    ] = None,
    output: Annotated[Path | None, typer.Option(help="Write to this file instead of the terminal.")] = None,
) -> None:
    """Make personal codes for everybody in the roster who has none, as CSV for a mail merge. They are shown once."""
    from coursekit.serve.codes import make_codes, revoke_codes

    course = open_course(Path.cwd())
    if revoke and (renew or output):
        raise CourseError("--revoke cannot be combined with --renew or --output.")
    if revoke:
        revoke_codes(course, revoke)
        return
    if output is not None and output.exists():
        raise CourseError(f"{output} is there already: it may hold codes that are shown only once.")
    text = make_codes(course, renew or [])
    if output is None:
        sys.stdout.write(text)
    else:
        write_atomically(output, text.encode())
        output.chmod(0o600)
        shown.warn(f"The codes are in {output}. Delete it when they are sent.")


@app.command()
def serve(
    context: typer.Context,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 8321,
    workers: Workers = None,
    unsafe: Unsafe = False,
) -> None:
    """Take hand-ins from students' notebooks, and grade each within seconds, until Ctrl-C.

    It listens only on this machine: put a proxy with TLS before it, docs/operators.md shows how.
    """
    from contextlib import ExitStack

    from coursekit.grading.place import HereForLong
    from coursekit.grading.run import allow_open_files
    from coursekit.serve.server import create_server

    allow_open_files()

    course = open_course(Path.cwd())
    resources = context.with_resource(ExitStack())
    place = resources.enter_context(HereForLong(workers))
    server = create_server(course, place, port, unsafe, resources)
    with suppress(KeyboardInterrupt):
        server.run(shown.say)


@app.command()
def export(
    weeks: GradedWeeks = None,
    to: Annotated[str, typer.Option(help="What the marks are for: csv, json, canvas or moodle.")] = "csv",
    into: Annotated[Path | None, typer.Option(help="The sheet that the platform gave.")] = None,
    column: Annotated[str, typer.Option(help="The marks' column, if not named after the week.")] = "",
    scale: Annotated[bool, typer.Option(help="Convert the marks to the sheet's own maximum.")] = False,
    output: Annotated[Path | None, typer.Option(help="Write to this file instead of the terminal.")] = None,
    dry_run: Annotated[bool, typer.Option(help="Only print what would change in the sheet.")] = False,
) -> None:
    """Export marks for the learning platform from the gradebook, with those given by hand so far.

    Several weeks, or all that were graded when none is named, make a table of the term. With --to canvas or moodle,
    one week's marks go into the sheet that the platform gave. Exits with 1 if it lacks a student who has a mark.
    """
    from coursekit.deliver.export import LAYOUTS, export_csv, export_json, export_term, merge

    if to not in ("csv", "json", *LAYOUTS):
        raise CourseError(f"There is no export to {to!r}. There is: csv, json, {', '.join(LAYOUTS)}.")
    course, chosen = select_graded(weeks)
    absent: list[str] = []
    if to not in LAYOUTS:
        if into or column or scale or dry_run:
            raise CourseError(
                f"--into, --column, --scale and --dry-run are for a platform's sheet: --to {' or '.join(LAYOUTS)}."
            )
        if to == "json":
            text = export_json(course, chosen)
        elif weeks and len(chosen) == 1:
            text = export_csv(course, chosen[0])
        else:
            text = export_term(course, chosen)
    else:
        if into is None or len(chosen) != 1:
            command = f"course export {chosen[0].name} --to {to} --into SHEET"
            raise CourseError(f"Give one week and the sheet that the platform gave: {command}.")
        merged = merge(course, chosen[0], to, into, column, scale)
        shown.merged(merged, dry_run)
        absent = merged.absent
        if dry_run:
            raise typer.Exit(1 if absent else 0)
        text = merged.text
    if output is None:
        sys.stdout.write(text)
    else:
        write_atomically(output, text.encode())
        shown.warn(f"The marks are in {output}.")
    raise typer.Exit(1 if absent else 0)


@app.command()
def check(
    weeks: Weeks = None,
    run: Annotated[bool, typer.Option(help="Also run the notebooks, and grade the bank's answers.")] = True,
    question: Annotated[str, typer.Option(help="For one week: only this question's answers.")] = "",
    seeds: Annotated[
        int, typer.Option(min=2, help="How many seeds of hidden tests to grade the answers with.")
    ] = 2,
    workers: Workers = None,
    unsafe: Unsafe = False,
    as_json: AsJson = False,
) -> None:
    """Prove what can be proved before students see a week. Exits with 1 when something is wrong."""
    from coursekit.authoring.checks.check import check_week

    course, chosen = select(weeks)
    if question and len(weeks or ()) != 1:
        raise CourseError("A question belongs to one week: name that week, and no other, with --question.")
    if question and not run:
        raise CourseError("--question runs answers and --no-run runs nothing: give only one of them.")
    reports = {}
    for week in chosen:
        with shown.progress(f"check {week.name}") as on_progress:
            reports[week.name] = check_week(
                course,
                week,
                run=run,
                question=question,
                workers=workers,
                hidden_seeds=seeds,
                unsafe=unsafe,
                tell=on_progress,
            )
    counts = {name: report.counts for name, report in reports.items()}
    problems = [f"{name}: {problem}" for name, report in reports.items() for problem in report.problems]
    if as_json:
        facts = [f"{name}: {fact}" for name, report in reports.items() for fact in report.facts]
        left_out = {name: report.left_out for name, report in reports.items()}
        costs = {name: report.costs for name, report in reports.items()}
        found = {"problems": problems, "facts": facts, "counts": counts, "costs": costs, "left_out": left_out}
        print(json.dumps(found))
    else:
        shown.counts_table(counts)
        for report in reports.values():
            for line in report.costs:
                shown.say(line)
        shown.problems(problems)
        missing = list(dict.fromkeys(item for report in reports.values() for item in report.left_out))
        held = "What was checked holds." if missing else "All checks hold."
        shown.say(f"{shown.counted(len(problems), 'problem')}." if problems else held)
        if missing:
            shown.say(f"Left out: {', '.join(missing)}.")
    raise typer.Exit(1 if problems else 0)


@app.command()
def demo(workers: Workers = None, unsafe: Unsafe = False) -> None:
    """Run the whole pipeline on the bundled class, and compare each result with the one expected."""
    from coursekit.demo import run_demo

    course = open_course(Path.cwd())
    with shown.progress("demo") as on_progress:
        report = run_demo(course, workers=workers, unsafe=unsafe, progress=on_progress)
    for week, results in report.weeks:
        shown.class_table(report.course, week, results.values())
    root = report.course.root.relative_to(course.root)
    graded = sum(len(results) for _, results in report.weeks)
    shown.say(f"Graded {graded} submissions from {len(report.weeks)} weeks in {report.seconds:.0f} s.")
    shown.say(f"Pages:      {root}/feedback/<student>/<week>/<notebook>.html")
    shown.say(f"Marks:      {root}/marks_<week>.csv")
    shown.say(f"Formgrader: cd {root} && ../../.venv/bin/jupyter lab   (then Nbgrader > Formgrader)")
    shown.problems(report.problems)
    if report.problems:
        shown.say(f"{shown.counted(len(report.problems), 'difference')} from the expected results.")
    else:
        shown.say("Every submission got the result expected by demo/expected.json and the bank of answers.")
    raise typer.Exit(1 if report.problems else 0)


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Try what this machine can and cannot do. A line with - names something optional that is missing."""
    from coursekit.doctor import examine

    lines = examine(Path.cwd())
    if as_json:
        print(json.dumps([asdict(line) for line in lines]))
    else:
        shown.doctor_lines(lines)
    raise typer.Exit(1 if any(line.works is False for line in lines) else 0)
