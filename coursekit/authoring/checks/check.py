"""What can be proved about a week before a student sees it: its form, its notebooks, its tests against the bank.

What only some courses ask for is a check by a name of its own, an entry point of the group `coursekit.checks`: a
module, or any object, with the two functions of `Check`. A course names those that it wants in course.toml: `checks =
["lesson"]`.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import entry_points
from typing import Protocol

from coursekit.authoring.checks import answers, execution, structure, threads
from coursekit.authoring.checks.report import Report
from coursekit.authoring.release import stale
from coursekit.course.bank import strays
from coursekit.course.config import Course, Week
from coursekit.engine.coordinator.grade import warm_modules
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import TEST, Master

GROUP = "coursekit.checks"
# What a shorter check leaves out.
RUNS = "the notebook's runs from top to bottom"
ANSWERS = "all answers"
SEEDS = "the reference under other hash seeds"
OTHERS = "the answers to other questions"
GATES = "the three gates"
TO_DO = "what is still to be written for other questions"
# What a mistake hides that has to be mended first.
UNTIL_FILLED = "all other checks, until that is done"
UNTIL_FULL = "whatever else is run, until the reference gets full marks"


class Check(Protocol):
    """What else a course asks of its weeks. Both give {what should hold: what is wrong with it, in sentences}."""

    def check(self, course: Course, week: Week, master: Master) -> dict[str, list[str]]:
        """What can be seen without running anything."""

    def check_runs(
        self, course: Course, week: Week, master: Master, runs: execution.Runs
    ) -> dict[str, list[str]]:
        """What can be seen of the notebook's runs."""


def check_week(
    course: Course,
    week: Week,
    *,
    run: bool = True,
    question: str = "",
    workers: int | None = None,
    unsafe: bool = False,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> Report:
    """Check one week.

    Args:
        run: also run the notebook, filled and unfilled, and every answer of the bank through the engine.
        question: of the answers only those of the bank to this question, and no run of the notebook.
        workers: notebooks at a time.
        unsafe: without the sandbox.
        tell: called with how many notebooks of the bank are graded, and of how many.

    Raises:
        CourseError: the week cannot be read at all, or has no such question.
    """
    report = Report()
    master = course.master(week)
    if question:
        _check_known(master, question)
    if unfinished := structure.check_nothing_to_do(course, week, master, question):
        # What else is wrong would only follow from that.
        report.add("nothing is left to fill in", unfinished)
        report.left_out = [UNTIL_FILLED]
        return report
    with Servers(unsafe, warm_modules(master, course.limits)) as servers:
        if run:
            servers.start()  # they get warm while the text is looked at
        if question:
            _check_question(course, week, master, question, servers, workers, tell, report)
        else:
            _check_text(course, week, master, report)
            if run:
                _check_all(course, week, master, servers, workers, tell, report)
            else:
                report.left_out = [RUNS, ANSWERS, SEEDS]
    return report


def _check_question(
    course: Course,
    week: Week,
    master: Master,
    question: str,
    servers: Servers,
    workers: int | None,
    tell: Callable[[int, int], None],
    report: Report,
) -> None:
    """One question, while others may still be unwritten: then nothing is asked of the text, or of the release."""
    report.left_out = [RUNS, SEEDS, OTHERS, GATES]
    part = answers.of_question(master, question)
    if structure.check_nothing_to_do(course, week, master):
        report.left_out.append(TO_DO)
    else:
        _check_text(course, week, master, report)
    own = next(item for item in master.questions if item.id == question)
    report.counts |= {"questions": 1, "points": own.max_score, "tests": len(own.tests)}
    full, used, of_reference = answers.check_reference(course, part, servers)
    _add(report, of_reference, {})
    if full.score < full.max_score:
        report.left_out.append(UNTIL_FULL)
    else:
        facts, counts, carried = answers.check_answers(course, week, part, servers, workers, tell, question)
        _add(report, facts | answers.check_limits(course, part, carried, servers.unsafe), counts)
    report.counts["core-seconds"] = used


def _check_known(master: Master, question: str) -> None:
    known = [item.id for item in master.questions if not item.written]
    if question not in known:
        raise CourseError(
            f"{master.week} has no question {question!r} with a solution cell. It has: {', '.join(known)}."
        )


def _check_text(course: Course, week: Week, master: Master, report: Report) -> None:
    """What can be seen without running anything."""
    points = master.points
    facts = {
        "the release is up to date and holds no solution, hidden test or output": list(
            filter(None, [stale(course, week)])
        ),
        "cell ids are unique and the source has no outputs": structure.check_cells(master),
        f"points add up to {points:g}": structure.check_points(master),
        "all ready-made functions that the questions refuse exist": structure.check_from_scratch(master),
        "modules that servers import are installed": structure.check_modules(course.limits.modules),
        "no tag and no key has a typo": structure.check_words(master),
        "every file and folder in the bank is read": strays(course, week),
        "test cells are self-contained": structure.check_tests(master),
        "the setup cells are plain Python": structure.check_setup(master),
        "links inside the repository resolve": structure.check_links(course, master),
        "the notebook has no paths that exist on one machine only": structure.check_paths(master),
        "nothing is left to fill in": [],
    }
    for check in find_checks(course):
        facts |= check.check(course, week, master)
    tests = sum(cell.role == TEST for cell in master.cells)
    _add(report, facts, {"questions": len(master.questions), "points": points, "tests": tests})


def _check_all(
    course: Course,
    week: Week,
    master: Master,
    servers: Servers,
    workers: int | None,
    tell: Callable[[int, int], None],
    report: Report,
) -> None:
    """What has to be run: the reference alone, and then all the rest side by side."""
    full, used, of_reference = answers.check_reference(course, master, servers)
    _add(report, of_reference, {})
    if full.score < full.max_score:
        report.left_out = [UNTIL_FULL]
        return
    with (
        ThreadPoolExecutor(2) as beside,
        servers,
    ):  # where this ends early, they end first, and so the threads do too
        bank = beside.submit(answers.check_answers, course, week, master, servers, workers, tell)
        seeds = beside.submit(answers.check_hash_seeds, course, master, full, servers.unsafe)
        runs = execution.run_both(course, week)
        of_answers, of_bank, carried = bank.result()
        of_seeds = seeds.result()
    of_limits = answers.check_limits(course, master, carried, servers.unsafe)
    facts = {
        "the notebook runs to its end, filled and unfilled": execution.check_runs(runs, master),
        "each cell that trains or computes gradients uses one thread": threads.check_threads(
            runs.filled.outputs, master
        ),
    }
    for check in find_checks(course):
        facts |= check.check_runs(course, week, master, runs)
    of_runs = {"figures": runs.filled.figures, "seconds": sum(runs.filled.seconds.values())}
    _add(report, facts | of_answers | of_limits | of_seeds, of_bank | {"core-seconds": used} | of_runs)


def _add(report: Report, facts: dict[str, list[str]], counts: dict[str, float]) -> None:
    for fact, problems in facts.items():
        report.add(fact, problems)
    report.counts |= counts


def find_checks(course: Course) -> list[Check]:
    """The checks that the course names, in its order.

    Raises:
        CourseError: there is none of a name, or it cannot be loaded.
    """
    there = {point.name: point for point in entry_points(group=GROUP)}
    found = []
    for name in course.checks:
        if name not in there:
            known = ", ".join(sorted(there))
            raise CourseError(
                f"course.toml names the check {name!r}, which is not installed. There are: {known}."
            )
        try:
            found.append(there[name].load())
        except ImportError as error:
            raise CourseError(f"The check {name!r} cannot be loaded: {error}.") from error
    return found
