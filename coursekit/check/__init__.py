"""What can be proved about a week before a student sees it: its form, its notebooks, its tests against the bank."""

from collections.abc import Callable

from coursekit import common_cells
from coursekit.check import answers, audio, execution, lesson, narration, structure
from coursekit.check.report import Report
from coursekit.course import Course, Week
from coursekit.master import TEST
from coursekit.release import stale


def check_week(
    course: Course,
    week: Week,
    *,
    run: bool = True,
    workers: int | None = None,
    unsafe: bool = False,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> Report:
    """Check one week.

    Args:
        run: also run the notebook, filled and unfilled, and every answer of the bank through the engine.
        workers: notebooks at a time.
        unsafe: without the sandbox.
        tell: called with how many notebooks of the bank are graded, and of how many.

    Raises:
        CourseError: the week cannot be read at all.
    """
    report = Report()
    master = course.master(week)
    points = sum(question.max_score for question in master.questions)
    for fact, problems in {
        "the release is up to date and holds no solution, hidden test or output": list(
            filter(None, [stale(course, week)])
        ),
        "cell ids are unique and the source has no outputs": structure.check_cells(master),
        f"points add up to {points:g}": structure.check_points(master),
        "ready-made functions that are refused exist": structure.check_from_scratch(master),
        "test cells are self-contained": structure.check_tests(master),
        "test cells end with their closing line": lesson.check_tests_end(master),
        "the setup cells are plain Python": structure.check_setup(master),
        "links inside the repository resolve": structure.check_links(course, master),
        "the notebook holds no machine's paths": structure.check_paths(master),
        "the first cell agrees with course.toml and the questions": lesson.check_title(course, week, master),
        "each question has its line, hints or a rubric": lesson.check_questions(master),
        "headings are in order": lesson.check_headings(master),
        "stubs say what to do": lesson.check_stubs(master),
        "tensors are made on the chosen device": lesson.check_device(master),
        "shared helpers are the same in every week": lesson.check_shared(course, week),
        "the file is small and clean": lesson.check_file(course, week, master),
        "spelling": lesson.check_spelling(course, week, master),
        "each section has its narration": narration.check_narration(course, week, master),
        "each script has its audio, and text, sound and cues agree": audio.check_audio(course, week),
        "the cells that all weeks share are the same": common_cells.check_same(course, week),
        "the last cells name the visible tests and make the file to hand in": common_cells.check_last_cells(
            master
        ),
    }.items():
        report.add(fact, problems)
    report.counts = {
        "questions": len(master.questions),
        "points": points,
        "tests": sum(cell.role == TEST for cell in master.cells),
    }
    if run:
        problems, counts = execution.check_runs(course, week, master)
        report.add("the notebook runs to its end, filled and unfilled", problems)
        answers.check_answers(course, week, master, report, workers, unsafe, tell)
        report.counts |= counts
    return report
