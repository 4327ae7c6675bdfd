"""How fast the engine grades: against `nbgrader autograde`, and against the bare cost of the cells.

    .venv/bin/python benchmarks/speed.py [--submissions 40] [--rounds 4] [--week WEEK] [--json FILE]

Three ways to do the same work, on the same submissions of one week, in one run:

    A  the command `course grade`, sandbox and gradebook included;
    B  the command `nbgrader autograde`, with a gradebook of its own;
    C  the bare cells: those that A runs (the student's, the given ones but for those tagged skip-grading, and
       every test), executed one after another in one warm process by one IPython shell on one core. Nothing is
       confined, nothing judged, nothing written.

B also repeats the cells tagged skip-grading, which plain nbgrader does not know.

and, for what A has on top of the bare cells,

    D  the bare cells on all cores: as many warm processes as there are, each taking the next notebook when it is free.

The submissions are split into batches. In each round all get the same batch, in turn first and last, so that a
machine whose speed drifts disturbs them alike; ratios are taken within a round. A batch ends when its last
submission does, with nothing beside it, so short batches are unfair to A.
D is compared with A apart from that, in pairs of runs of a class of 100, in turn first and last: what the servers of A
do once, beside their first submissions, would weigh ten times as much in a batch of ten. It is compared with D and not
with C, since two cores that share what one of them has are not twice as fast.

A command pays its start once for a class however large, and here once for each batch. So the start is measured by
itself and taken out of the batches: the time from the start of the process to the first submission, for A with the
warming up of its servers; and, later, the import of nbgrader before the gradebook is written, and what nbgrader makes
of the master. A whole class is then one start (the median) and all the work. Both are printed; the budget against
nbgrader is held against the class.

Memory is measured in a run of its own, since to look at it takes time on the same cores: A once more, on all
submissions in one go, as a class is graded. The coordinator's CPU is that of A in the pairs, their median.

Exits with 1 when a command fails or a submission with only right answers gets less than full marks from any.
"""

import argparse
import atexit
import contextlib
import gc
import io
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEEK = "week1_attention"
SAMPLE_SECONDS = 0.2
PAIRS, CLASS = 3, 100  # runs of A and D, of so many submissions

# Budgets of the design, in seconds of the machine that they were measured on. On another one, `against.py` with an
# older checkout tells what is the machine's doing.
MIN_AGAINST_NBGRADER = 15
MAX_START_SECONDS = 2  # before the first submission
MAX_ON_TOP = 0.15  # core-seconds per submission, beside those of the bare cells
MAX_COORDINATOR_SECONDS = 0.020
MAX_CORE_SECONDS = 5


# The submissions.


def make_submissions(master, bank, count: int) -> dict[str, dict[str, str]]:
    """{student: {question: code}}: honest answers from the bank, the same every time.

    The first is the reference. Of the others six in ten have only right answers, in mixed styles; two in ten
    have a wrong answer or two; two in ten stopped half-way.
    """
    coded = [question for question in master.questions if not question.written]
    right = {item.id: [a for a in bank if a.right and a.question == item.id] for item in coded}
    wrong = {item.id: [a for a in bank if not a.right and a.question == item.id] for item in coded}
    reference = {cell.grade_id: cell.source for cell in master.cells if cell.role == "solution"}
    made = {"s000": reference}
    for number in range(1, count):
        chance = random.Random(number)
        answers = {item.id: chance.choice(right[item.id]).source for item in coded}
        match number % 10:
            case 3 | 7:
                for item in chance.sample(coded, chance.randint(1, 2)):
                    answers[item.id] = chance.choice(wrong[item.id]).source
            case 5 | 9:
                for item in coded[chance.randrange(1, len(coded)) :]:
                    del answers[item.id]
        made[f"s{number:03d}"] = answers
    return made


def only_right(master, bank, answers: dict[str, str]) -> bool:
    """Whether every question is answered, with a right answer of the bank or the reference."""
    good = {(a.question, a.source) for a in bank if a.right}
    good |= {(cell.grade_id, cell.source) for cell in master.cells if cell.role == "solution"}
    questions = [question.id for question in master.questions if not question.written]
    return all((name, answers.get(name)) in good for name in questions)


def bare_cells(master, answers: dict[str, str]) -> list[tuple[str, str]]:
    """(grade_id of a test or "", source) for each code cell that is run, the student's in their places."""
    cells = []
    for cell in master.cells:
        if cell.kind != "code" or "skip-grading" in cell.tags:
            continue
        source = answers.get(cell.grade_id, master.stub(cell)) if cell.role == "solution" else cell.source
        cells.append((cell.grade_id if cell.role == "test" else "", source))
    return cells


# A and B: a command under a stopwatch.


def stopwatch(report: Path, program: str, arguments: list[str]) -> None:
    """In a process of its own: be the command `course` or `nbgrader`, and note when its work begins.

    Writes to `report` at the end: `begun` (monotonic clock, when the first submission was begun), `once`
    (seconds spent later on what a class pays once), `cpu` (CPU seconds of this process from `begun` on, without
    `once`), `peak_kb` (largest resident memory of this process, KiB).
    """
    noted = {"once": 0.0, "cpu_once": 0.0}

    def begin() -> None:
        noted.setdefault("begun", time.monotonic())
        noted.setdefault("cpu_begun", time.process_time())

    def end() -> None:
        if "begun" not in noted:
            return  # the command failed before any work; the parent sees its exit code
        with open("/proc/self/status") as file:
            peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM:"))
        answer = {
            "begun": noted["begun"],
            "once": noted["once"],
            "cpu": time.process_time() - noted["cpu_begun"] - noted["cpu_once"],
            "peak_kb": peak,
        }
        report.write_text(json.dumps(answer))

    atexit.register(end)
    sys.argv = [program, *arguments]
    if program == "course":
        from coursekit.cli import commands
        from coursekit.grading import warm_start

        @contextlib.contextmanager
        def once_a_class():
            wall, cpu = time.monotonic(), time.process_time()
            yield
            noted["once"] += time.monotonic() - wall
            noted["cpu_once"] += time.process_time() - cpu

        def put_in_place() -> None:
            # The command itself imports these now, so importing them here changes nothing.
            from coursekit.gradebook import convert as converter
            from coursekit.gradebook import record
            from coursekit.grading import place

            grade, write, convert = place.grade, record.record, converter.convert

            def timed_grade(master, submission, limits, servers, *rest):
                servers.wait()
                begin()
                return grade(master, submission, limits, servers, *rest)

            def timed_record(*args, **kwargs):
                with once_a_class():  # `record` imports them itself when it is first called
                    import coursekit.gradebook.rows  # noqa: F401
                return write(*args, **kwargs)

            def timed_convert(*args, **kwargs):
                with once_a_class():
                    return convert(*args, **kwargs)

            place.grade, record.record, converter.convert = timed_grade, timed_record, timed_convert

        start_servers = warm_start.start_servers

        def timed_start(*args):
            servers = start_servers(*args)
            put_in_place()
            return servers

        warm_start.start_servers = timed_start
        commands.main()
    else:
        from nbgrader.apps.nbgraderapp import main
        from nbgrader.converters import Autograde

        init_assignment = Autograde.init_assignment

        def timed_init(*args, **kwargs):
            begin()
            return init_assignment(*args, **kwargs)

        Autograde.init_assignment = timed_init
        main()


def bare_import(modules: Iterable[str]) -> float:
    """Seconds that a new Python takes to import these modules and a kernel: the least of three."""
    code = f"import {', '.join([*modules, 'ipykernel.kernelapp'])}"
    seconds = []
    for _ in range(3):
        started = time.monotonic()
        subprocess.run([sys.executable, "-c", f"import gc; gc.disable(); {code}"], check=True)
        seconds.append(time.monotonic() - started)
    return min(seconds)


class CommandFailed(Exception):
    """A command's exit code was not 0."""


def environment() -> dict[str, str]:
    """Ours, with this interpreter's programs first on PATH: nbgrader starts others by name. It may grade."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    return os.environ | {"PATH": path, "PLAIN_NBGRADER": "1"}


def command(folder: Path, program: str, *arguments: str, watch=None) -> dict:
    """Run a command in a course folder, under the stopwatch.

    Args:
        watch: called with the process as soon as it runs.

    Returns:
        `first`, the seconds until the first submission; `start`, these and what is paid once later; `work`, all
        others; and `cpu`, `peak_kb` as in `stopwatch`.

    Raises:
        CommandFailed: with the end of what it printed.
    """
    report = folder / "stopwatch.json"
    report.unlink(missing_ok=True)
    log = folder / "log.txt"
    with open(log, "wb") as output:
        started = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, __file__, "--stopwatch", str(report), program, *arguments],
            cwd=folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        if watch:
            watch(process)
        status = process.wait()
        ended = time.monotonic()
    if status != 0 or not report.exists():
        text = log.read_text(errors="replace")[-3000:]
        raise CommandFailed(f"`{program} {' '.join(arguments)}` ended with {status}:\n{text}")
    noted = json.loads(report.read_text())
    start = noted["begun"] - started + noted["once"]
    return {
        "first": noted["begun"] - started,
        "start": start,
        "work": ended - started - start,
        "cpu": noted["cpu"],
        "peak_kb": noted["peak_kb"],
    }


# C: the bare cells.


def serve_bare_cells() -> None:
    """In a process of its own: run what is asked for on standard input.

    A line in is the path of a JSON file, a notebook as `bare_cells` gives it. A line out is its CPU seconds, `cpu`, the
    tests that `passed`, and how many `pictures` it drew.
    """
    answers = os.fdopen(os.dup(1), "w")
    import torch

    torch.set_num_threads(1)
    from IPython.core.displaypub import CapturingDisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    class Shell(InteractiveShell):
        def enable_gui(self, gui=None) -> None:
            """There is none; `%matplotlib inline` asks for it all the same."""

    config = Config()
    config.HistoryManager.enabled = False
    shell = Shell.instance(config=config)
    shell.display_pub = CapturingDisplayPublisher()
    torch.broadcast_shapes((2, 1), (1, 3))  # imports sympy when it is first called
    shell.run_line_magic("matplotlib", "inline")
    import matplotlib.pyplot as plt
    import seaborn  # noqa: F401

    gc.collect()
    gc.freeze()  # else each reset of the shell has the collector walk through all of torch, which no cell asks for

    for line in sys.stdin:
        cells = json.loads(Path(line.strip()).read_text())
        cpu = time.process_time()
        shell.reset(new_session=True)
        passed = []
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            for test, source in cells:
                if shell.run_cell(source).success and test:
                    passed.append(test)
        pictures = sum("image/png" in output["data"] for output in shell.display_pub.outputs)
        shell.display_pub.outputs.clear()
        plt.close("all")
        answer = {"cpu": time.process_time() - cpu, "passed": passed, "pictures": pictures}
        print(json.dumps(answer), file=answers, flush=True)


class BareCells:
    """Warm processes that run bare cells. Use as a context manager.

    Args:
        folder: where notebooks are handed over.
        processes: how many.
    """

    def __init__(self, folder: Path, processes: int):
        self._folder = folder
        self._processes = [
            subprocess.Popen(
                [sys.executable, __file__, "--bare-cells"],
                cwd=folder,
                env=environment() | {"OMP_NUM_THREADS": "1"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for _ in range(processes)
        ]

    def __enter__(self) -> "BareCells":
        return self

    def __exit__(self, *_) -> None:
        for process in self._processes:
            process.stdin.close()
            process.wait()
            process.stdout.close()

    def run(self, notebooks: list[list[tuple[str, str]]], processes: int) -> dict:
        """Have the first of the processes run notebooks, each the next one as soon as it is free.

        Returns:
            `seconds` of wall clock, `cpu` seconds of all, and `notebooks` as `serve_bare_cells` reports them.

        Raises:
            CommandFailed: a process ended.
        """
        for number, cells in enumerate(notebooks):
            (self._folder / f"cells{number}.json").write_text(json.dumps(cells))
        waiting = iter(range(len(notebooks)))  # what `next` gives one thread, no other gets
        outcomes: list[dict] = [{}] * len(notebooks)

        def work(process: subprocess.Popen) -> None:
            for number in waiting:
                with contextlib.suppress(BrokenPipeError):
                    print(self._folder / f"cells{number}.json", file=process.stdin, flush=True)
                if not (line := process.stdout.readline()):
                    raise CommandFailed("A process for the bare cells ended.")
                outcomes[number] = json.loads(line)

        with ThreadPoolExecutor(processes) as pool:
            started = time.monotonic()
            list(pool.map(work, self._processes[:processes]))  # a list, so that what went wrong is raised
            seconds = time.monotonic() - started
        return {"seconds": seconds, "cpu": sum(item["cpu"] for item in outcomes), "notebooks": outcomes}


# Memory.


class MemoryWatch:
    """Samples the fair share of memory (PSS) of a process and all its descendants until it ends."""

    def __init__(self):
        self.peak_kb = 0
        self.samples = 0

    def __call__(self, process: subprocess.Popen) -> None:
        threading.Thread(target=self._watch, args=(process.pid,), daemon=True).start()

    def _watch(self, pid: int) -> None:
        from coursekit.engine.supervisor.guardian import descendants

        while Path(f"/proc/{pid}").exists():
            total = 0
            for member in [pid, *descendants(pid)]:
                with contextlib.suppress(OSError, IndexError):
                    text = Path(f"/proc/{member}/smaps_rollup").read_text()
                    total += int(text.split("\nPss:")[1].split()[0])
            self.peak_kb = max(self.peak_kb, total)
            self.samples += total > 0
            time.sleep(SAMPLE_SECONDS)


# Scores.


def scores_by_course(folder: Path, week: str, students: list[str]) -> dict[str, dict[str, float]]:
    """{student: {test: score}} from the results of `course grade`."""
    found = {}
    for student in students:
        result = json.loads((folder / "autograded" / student / week / "result.json").read_text())
        found[student] = {test["id"]: test["score"] for test in result["tests"]}
    return found


def scores_by_nbgrader(
    folder: Path, week: str, students: list[str], tests: set[str]
) -> dict[str, dict[str, float]]:
    """{student: {test: score}} from nbgrader's gradebook."""
    from nbgrader.api import Gradebook

    found = {}
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "transformer") as book:
        for student in students:
            (notebook,) = book.find_submission(week, student).notebooks
            grades = {grade.name: grade.auto_score for grade in notebook.grades}
            found[student] = {name: score for name, score in grades.items() if name in tests}
    return found


# The run.


def make_template(folder: Path, week: str) -> None:
    """A course folder with the week released by nbgrader, and so in its gradebook."""
    folder.mkdir()
    for name in ("course.toml", "nbgrader_config.py"):
        shutil.copy(ROOT / name, folder / name)
    shutil.copytree(ROOT / "source", folder / "source")
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "generate_assignment", week],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise CommandFailed(f"`nbgrader generate_assignment` failed:\n{done.stderr[-3000:]}")


def make_folder(template: Path, folder: Path, master, notebooks: dict[str, bytes]) -> Path:
    """A copy of the template with these submissions."""
    shutil.copytree(template, folder)
    for student, data in notebooks.items():
        path = folder / "submitted" / student / master.week / f"{master.name}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
    return folder


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def measure(week: str, count: int, rounds: int, cores: int, temporary: Path) -> tuple[dict, list[str]]:
    """Everything that is measured, and what is wrong with it: in words, [] when nothing is.

    Raises:
        CommandFailed: one of the commands did.
    """
    from coursekit.course.bank import read_bank
    from coursekit.course.config import open_course
    from coursekit.engine.shared.master import fill

    course = open_course(ROOT)
    master = course.master(course.week(week))
    bank = read_bank(course, course.week(week))
    points = {cell.grade_id: cell.points for cell in master.cells if cell.role == "test"}
    everyone = make_submissions(master, bank, max(count, CLASS))
    notebooks = {student: fill(master, given) for student, given in everyone.items()}
    answers = dict(list(everyone.items())[:count])
    students = list(answers)
    random.Random(0).shuffle(students)  # wrong answers come at fixed places; no batch shall have more of them
    batches = [students[number::rounds] for number in range(rounds)]

    template = temporary / "template"
    make_template(template, week)
    measured: dict[str, list[dict]] = {method: [] for method in "ABC"}  # by round
    paired: dict[str, list[dict]] = {method: [] for method in "AD"}  # by pair
    scores: dict[str, dict] = {method: {} for method in "ABCD"}

    def run(method: str, name: str, batch: list[str]) -> dict:
        if method in "CD":
            cells = [bare_cells(master, everyone[student]) for student in batch]
            done = bare.run(cells, 1 if method == "C" else cores)
            for student, outcome in zip(batch, done["notebooks"], strict=True):
                scores[method][student] = {
                    test: worth if test in outcome["passed"] else 0.0 for test, worth in points.items()
                }
            pictures = sum(outcome["pictures"] for outcome in done["notebooks"])
            seconds = {"start": 0.0, "work": done["seconds"], "cpu": done["cpu"], "pictures": pictures}
        else:
            folder = temporary / f"{method} {name}"
            make_folder(template, folder, master, {student: notebooks[student] for student in batch})
            if method == "A":
                seconds = command(folder, "course", "grade", week)
                scores["A"] |= scores_by_course(folder, week, batch)
                seconds["pictures"] = sum(
                    path.read_text().count('"image/png"') for path in folder.glob("autograded/*/*/*.ipynb")
                )
            else:
                seconds = command(folder, "nbgrader", "autograde", week)
                scores["B"] |= scores_by_nbgrader(folder, week, batch, set(points))
        say(f"  {name}, {method}: {seconds['work'] / len(batch):.3f} s per submission")
        return seconds | {"submissions": len(batch)}

    with BareCells(temporary, cores) as bare:
        # A warm process has drawn these pictures before.
        bare.run([bare_cells(master, answers["s000"])] * cores, cores)
        for number, batch in enumerate(batches):
            for method in "ABC" if number % 2 == 0 else "CBA":
                measured[method].append(run(method, f"round {number + 1}", batch))
        for number in range(PAIRS):
            for method in "AD" if number % 2 == 0 else "DA":
                paired[method].append(run(method, f"pair {number + 1}", list(everyone)))

    say("  memory: all submissions once more, not timed")
    watch = MemoryWatch()
    folder = make_folder(template, temporary / "memory", master, notebooks)
    whole = command(folder, "course", "grade", week, watch=watch)

    problems, others = [], []
    for student, given in answers.items():
        got = {method: scores[method][student] for method in "ABCD"}
        if only_right(master, bank, given):
            for method in "ABCD":
                lost = sorted(test for test, worth in points.items() if got[method].get(test) != worth)
                if lost:
                    problems.append(
                        f"{student} has only right answers; {method} gave it no points for {lost}"
                    )
        elif not got["A"] == got["B"] == got["C"] == got["D"]:
            tests = [test for test in points if len({got[method].get(test) for method in "ABCD"}) > 1]
            others.append(f"{student}: {', '.join(tests)}")
    pictures = [sum(item["pictures"] for item in measured[method]) for method in "AC"]
    if pictures[0] != pictures[1]:
        problems.append(f"A drew {pictures[0]} pictures and C {pictures[1]}: they did not do the same work")
    if not watch.samples:
        problems.append("memory was never sampled")

    numbers = summarize(measured, paired, count, cores) | {"week": week}
    coordinator = statistics.median(item["cpu"] for item in paired["A"])
    numbers["cpu_seconds_a_submission"]["coordinator"] = coordinator / len(everyone)
    numbers["memory_mib"] = {
        "coordinator_peak": round(whole["peak_kb"] / 1024, 1),
        "family_peak_pss": round(watch.peak_kb / 1024, 1),
        "nbgrader_command_peak": round(max(item["peak_kb"] for item in measured["B"]) / 1024, 1),
    }
    numbers["bare_import_seconds"] = bare_import(course.limits.modules)
    numbers["pictures_a_submission"] = pictures[0] / count
    numbers["pairs"] = paired
    numbers["scores_differ"] = others
    numbers["only_right"] = sum(only_right(master, bank, given) for given in answers.values())
    numbers["rounds"] = measured
    return numbers, problems


def summarize(measured: dict[str, list[dict]], paired: dict[str, list[dict]], count: int, cores: int) -> dict:
    """The figures that are printed, from the rounds and the pairs."""
    each = {method: [item["work"] / item["submissions"] for item in measured[method]] for method in "ABC"}
    mean = {method: sum(item["work"] for item in measured[method]) / count for method in "ABC"}
    classes = {method: [item["work"] / item["submissions"] for item in paired[method]] for method in "AD"}
    pairs = list(zip(classes["A"], classes["D"], strict=True))
    start = {method: statistics.median(item["start"] for item in measured[method]) for method in "AB"}
    whole = {method: mean[method] + start[method] / count for method in "AB"}
    against_nbgrader = [b / a for a, b in zip(each["A"], each["B"], strict=True)]
    against_cells = [a / c for a, c in zip(each["A"], each["C"], strict=True)]

    def spread(values: list[float]) -> dict[str, float]:
        return {"min": min(values), "median": statistics.median(values), "max": max(values)}

    return {
        "submissions": count,
        "cores": cores,
        "start_seconds": start,
        "first_submission_seconds": {
            method: statistics.median(item["first"] for item in (*measured[method], *paired.get(method, ())))
            for method in "AB"
        },
        "seconds_a_submission_in_pairs": {method: statistics.median(classes[method]) for method in "AD"},
        "core_seconds_on_top": spread([cores * (a - d) for a, d in pairs]),
        "seconds_a_submission": {
            "without_start": mean,
            "with_start": mean | whole,
        },
        "cpu_seconds_a_submission": {
            "bare_cells": sum(item["cpu"] for item in measured["C"]) / count,
        },
        "nbgrader_to_course": {
            "class": whole["B"] / whole["A"],
            "without_start": mean["B"] / mean["A"],
            "pairs": spread(against_nbgrader),
        },
        "course_to_cells_on_all_cores": spread([a / d for a, d in pairs]),
        "course_to_cells": {
            "class": whole["A"] / mean["C"],
            "without_start": mean["A"] / mean["C"],
            "pairs": spread(against_cells),
        },
    }


def show(numbers: dict) -> None:
    """Print the figures, and what the budgets say to them."""
    count, cores = numbers["submissions"], numbers["cores"]
    work, whole = (numbers["seconds_a_submission"][key] for key in ("without_start", "with_start"))
    start, cpu, memory = (numbers[key] for key in ("start_seconds", "cpu_seconds_a_submission", "memory_mib"))
    first = numbers["first_submission_seconds"]
    nbgrader, cells = numbers["nbgrader_to_course"], numbers["course_to_cells"]
    on_top = numbers["core_seconds_on_top"]

    def spread(values: dict[str, float]) -> str:
        return ", ".join(f"{name} {values[name]:.3g}" for name in values)

    print(f"{numbers['week']}: {count} submissions, {numbers['only_right']} of them with only right answers,")
    print(f"{numbers['pictures_a_submission']:.1f} pictures each; {cores} cores.")
    print()
    print(f"seconds per submission         work   start of the command   class of {count}")
    for method, name in (("A", "course grade"), ("B", "nbgrader autograde")):
        print(f"{method}  {name:<20} {work[method]:10.3f} {start[method]:16.1f} s {whole[method]:15.3f}")
    print(f"C  {'bare cells, one core':<20} {work['C']:10.3f} {'none':>18} {work['C']:15.3f}")
    print()
    print(f"B/A            {nbgrader['class']:6.2f} with the start, {nbgrader['without_start']:.2f} without")
    print(f"               rounds: {spread(nbgrader['pairs'])}")
    print(f"A/C            {cells['class']:6.2f} with the start, {cells['without_start']:.2f} without")
    print(f"               rounds: {spread(cells['pairs'])}")
    print()
    print(f"A class of {CLASS} on {cores} cores, without the start, {PAIRS} pairs:")
    for method, name in (("A", "course grade"), ("D", "bare cells")):
        print(
            f"{method}  {name:<20} {numbers['seconds_a_submission_in_pairs'][method]:10.3f} s per submission (median)"
        )
    print(f"A/D            {spread(numbers['course_to_cells_on_all_cores'])}")
    print(f"A on top of D  {spread(on_top)} core-seconds per submission")
    print()
    print(f"Peak memory: coordinator {memory['coordinator_peak']:.0f} MiB; with servers, kernels and")
    print(f"examiners {memory['family_peak_pss']:.0f} MiB (PSS, sampled every {SAMPLE_SECONDS} s).")
    print(f"The coordinator's own CPU: {1000 * cpu['coordinator']:.0f} ms a submission.")
    print(f"The bare cells' CPU: {cpu['bare_cells']:.3f} s a submission.")
    print(
        f"The first submission is begun after {first['A']:.1f} s by A, after {first['B']:.1f} s by B; the rest of"
    )
    print("the start is nbgrader's import, and what it makes of the master.")
    print(f"Importing what kernels have takes a new Python {numbers['bare_import_seconds']:.1f} s here.")
    if numbers["scores_differ"]:
        print("Not all right, and not the same score from all:")
        for line in numbers["scores_differ"]:
            print(f"  {line}")
    print()

    def say_budget(budget: str, value: float, holds: bool) -> None:
        print(f"budget: {budget}: {value:.3g}, {'within' if holds else 'OVER'}")

    ratio = nbgrader["class"]
    say_budget(f"B/A at least {MIN_AGAINST_NBGRADER}", ratio, ratio >= MIN_AGAINST_NBGRADER)
    if numbers["week"] != WEEK:
        print(f"The other budgets are for {WEEK}.")
        return
    for name, most, value in (
        ("core-seconds per submission on top of the bare cells", MAX_ON_TOP, on_top["median"]),
        ("seconds before the first submission", MAX_START_SECONDS, first["A"]),
        ("seconds of the coordinator's CPU a submission", MAX_COORDINATOR_SECONDS, cpu["coordinator"]),
        ("core-seconds of work a submission", MAX_CORE_SECONDS, work["A"] * cores),
    ):
        say_budget(f"at most {most:g} {name}", value, value <= most)


def main() -> int:
    if sys.argv[1:2] == ["--stopwatch"]:
        stopwatch(Path(sys.argv[2]), sys.argv[3], sys.argv[4:])
        return 0
    if sys.argv[1:2] == ["--bare-cells"]:
        serve_bare_cells()
        return 0
    parser = argparse.ArgumentParser(
        description=__doc__.partition("\n")[0], epilog="The file's head says how it measures."
    )
    parser.add_argument("--submissions", type=int, default=40, help="how many (default: 40)")
    parser.add_argument("--rounds", type=int, default=4, help="batches that they are split into (default: 4)")
    weeks = sorted(folder.name for folder in (ROOT / "source").iterdir())
    parser.add_argument(
        "--week", choices=weeks, metavar="WEEK", default=WEEK, help=f"its folder in source/ (default: {WEEK})"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers there")
    asked = parser.parse_args()
    if not 1 <= asked.rounds <= asked.submissions:
        parser.error("there must be a submission for each round")
    with tempfile.TemporaryDirectory(prefix="course-speed-") as temporary:
        try:
            numbers, problems = measure(
                asked.week, asked.submissions, asked.rounds, len(os.sched_getaffinity(0)), Path(temporary)
            )
        except CommandFailed as failure:
            say(str(failure))
            return 1
    show(numbers)
    if asked.json:
        asked.json.write_text(json.dumps(numbers, indent=1) + "\n")
    for problem in problems:
        say(f"BAD {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
