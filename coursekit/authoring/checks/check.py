"""Check a week before a student sees it: its form, its notebook's runs, its tests against the bank.

A check that only some courses need is an entry point of the group `coursekit.checks`: a module, or any object, with the
two functions of `Check`. A course lists those that it uses in course.toml: `checks = ["lesson"]`.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from typing import Protocol

from coursekit.authoring import data_files
from coursekit.authoring.checks import answers, costs, execution, seeds, structure
from coursekit.authoring.checks.answers import Facts
from coursekit.authoring.release import TODO, places_to_do, stale
from coursekit.course.bank import read_bank, strays
from coursekit.course.config import Course, Week
from coursekit.engine.coordinator.grade import warm_modules
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import TEST, Master

GROUP = "coursekit.checks"
# Parts that a shorter check leaves out.
RUNS = "the notebook's runs from top to bottom"
ANSWERS = "all answers"
SEEDS = "the reference under other hash seeds"
OTHERS = "the answers to other questions"
GATES = "the three gates"  # how much answers without work get, see `gates`
TO_DO = "what is still to be written for other questions"
# Parts that are left out until a mistake is fixed.
UNTIL_FILLED = "all other checks, until that is done"
UNTIL_FULL = "whatever else is run, until the reference gets full marks"

Progress = Callable[[int, int], None]


class Check(Protocol):
    """A further check of a course's weeks."""

    def check(self, course: Course, week: Week, master: Master) -> Facts:
        """Return {fact about the master: its problems, as sentences}, without running anything."""

    def check_runs(self, course: Course, week: Week, master: Master, runs: execution.Runs) -> Facts:
        """Return {fact about the notebook's runs: its problems, as sentences}."""


@dataclass
class Report:
    """The facts that hold and the problems, as sentences, and the week's counts."""

    facts: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    counts: dict[str, float] = field(default_factory=dict)  # {"questions": 6, "seconds": 6.4, ...}
    costs: list[str] = field(
        default_factory=list
    )  # how much of each question such mistakes keep, as sentences
    left_out: list[str] = field(default_factory=list)  # parts that were not checked

    def add(self, facts: Facts, counts: dict[str, float] | None = None) -> None:
        """Add each fact without problems, the problems of the others, and the counts."""
        self.facts += [fact for fact, problems in facts.items() if not problems]
        self.problems += [problem for problems in facts.values() for problem in problems]
        self.counts |= counts or {}


def check_week(
    course: Course,
    week: Week,
    *,
    run: bool = True,
    question: str = "",
    workers: int | None = None,
    hidden_seeds: int = 2,
    unsafe: bool = False,
    tell: Progress = lambda done, total: None,
) -> Report:
    """Check one week and return the report.

    Args:
        run: also run the notebook, filled and unfilled, and grade every answer of the bank.
        question: grade only the bank's answers to this question, and do not run the notebook.
        workers: how many notebooks are graded at a time; None: as many as there are cores.
        hidden_seeds: how many the reference and the bank's notebooks are graded with, at least 2.
        unsafe: without the sandbox.
        tell: called with the number of notebooks graded so far, and the number of all.

    Raises:
        CourseError: the week or its bank cannot be read, the week cannot be released or has no such question, or a
            check that the course names cannot be used.
    """
    report = Report()
    master = course.master(week)
    checks = find_checks(course)
    known = [item.id for item in master.questions if not item.written]
    if question and question not in known:
        raise CourseError(
            f"{master.week} has no question {question!r} with a solution cell. It has: {', '.join(known)}."
        )
    if unfinished := places_to_do(course, week, master, question):
        # Other problems would only follow from that.
        report.add({"nothing is left to fill in": [f"{place} still contains {TODO}" for place in unfinished]})
        report.left_out = [UNTIL_FILLED]
        return report
    with Servers(unsafe, warm_modules(master, course.limits)) as servers:
        if run:
            servers.start()  # they warm up while the text is checked
        # While other questions are still unwritten, neither the text nor the release is checked.
        unwritten = bool(question and places_to_do(course, week, master))
        if not unwritten:
            _check_text(course, week, master, checks, report)
        if question:
            report.left_out = [RUNS, SEEDS, OTHERS, GATES, *([TO_DO] if unwritten else [])]
            selected = next(item for item in master.questions if item.id == question)
            report.counts |= {"questions": 1, "points": selected.max_score, "tests": len(selected.tests)}
            master = answers.of_question(master, question)
        if course.answers(week).is_dir():
            bank = read_bank(course, week, question)
            report.add(costs.facts(master, bank))
            report.costs = list(costs.lines(master, bank))
        if not run:
            report.left_out = [RUNS, ANSWERS, SEEDS]
            return report
        full, used, of_reference = answers.check_reference(course, master, servers)
        report.add(of_reference)
        if full.score < full.max_score:
            report.left_out.append(UNTIL_FULL)
            return report
        # After an error the servers are ended first, so that the threads do not wait for them.
        with ThreadPoolExecutor(2) as pool, servers:
            judging = pool.submit(
                answers.check_answers, course, week, master, servers, workers, tell, question
            )
            if not question:
                hash_seeds = pool.submit(answers.check_hash_seeds, course, master, full, unsafe)
                _check_runs(course, week, master, checks, report)
                report.add(hash_seeds.result())
            of_answers, counts, carried = judging.result()
            report.add(seeds.facts(course, master, servers, carried, hidden_seeds, workers))
        report.add(of_answers, counts | {"core-seconds": used})
        report.add(answers.check_limits(course, master, carried, unsafe))
    return report


def _check_text(course: Course, week: Week, master: Master, checks: list[Check], report: Report) -> None:
    """Add the facts that need no run to the report."""
    points, why = master.total_points, stale(course, week)
    tests = sum(cell.role == TEST for cell in master.cells)
    facts = {
        "the release is up to date and holds no solution, hidden test or output": [why] if why else [],
        "the source has no outputs": structure.check_outputs(master),
        f"points add up to {points:g}": structure.check_points(master),
        "all ready-made functions that the questions refuse exist": structure.check_from_scratch(master),
        "modules that servers import are installed": structure.check_modules(course.limits.modules),
        "no tag and no key has a typo": structure.check_words(master),
        "every file and folder in the bank is read": strays(course, week),
        "test cells are self-contained": structure.check_tests(master),
        "the setup cells are plain Python": structure.check_setup(master),
        "only hidden tests draw from the hand-in's seed": seeds.check_text(master),
        "the notebook names each file beside it, since students get all of them": data_files.unnamed(master),
        "no module beside the notebook has the name of another one": data_files.taken_names(master),
        "links inside the repository resolve": [
            *structure.check_links(course, master),
            *data_files.wrong_addresses(course, master),
        ],
        "the notebook has no paths that exist on one machine only": structure.check_paths(master),
        "nothing is left to fill in": [],
    }
    report.add(facts, {"questions": len(master.questions), "points": points, "tests": tests})
    for check in checks:
        report.add(check.check(course, week, master))


def _check_runs(course: Course, week: Week, master: Master, checks: list[Check], report: Report) -> None:
    """Run the notebook, filled and unfilled, and add the facts about the runs to the report."""
    runs = execution.run_both(course, week)
    facts = {
        "the notebook runs to its end, filled and unfilled": [
            *execution.check_filled(runs.filled, master),
            *execution.check_unfilled(runs.unfilled, master),
        ],
        "each cell that trains or computes gradients uses one thread": execution.check_threads(
            runs.filled, master
        ),
    }
    report.add(facts, {"figures": runs.filled.figures, "seconds": sum(runs.filled.seconds.values())})
    for check in checks:
        report.add(check.check_runs(course, week, master, runs))


def find_checks(course: Course) -> list[Check]:
    """Return the checks that the course names, in its order; raise CourseError if one cannot be used."""
    installed = {point.name: point for point in entry_points(group=GROUP)}
    checks = []
    for name in course.checks:
        if name not in installed:
            known = ", ".join(sorted(installed))
            raise CourseError(
                f"course.toml names the check {name!r}, which is not installed. There are: {known}."
            )
        where = f"The check {name!r} in course.toml, {installed[name].value},"
        try:
            check = installed[name].load()
        except CourseError:  # its message says what is missing
            raise
        except Exception as error:
            raise CourseError(
                f"{where} cannot be loaded ({type(error).__name__}: {error}). Fix or reinstall the package that "
                f"brings it, or take {name!r} out of `checks`."
            ) from error
        missing = [part for part in ("check", "check_runs") if not callable(getattr(check, part, None))]
        if missing:
            raise CourseError(
                f"{where} has no function {' or '.join(missing)}. Have its package add what "
                f"coursekit.authoring.checks.check.Check asks for, or take {name!r} out of `checks`."
            )
        checks.append(check)
    return checks
