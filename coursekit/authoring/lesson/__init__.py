"""The form of this course's lessons: a plug-in of `course check`, the entry point `lesson` of `coursekit.checks`.

It uses the tool as any other package might. Nothing in the tool imports it, which tests/test_architecture.py checks.

form          the first cell, questions, hints, stubs, spelling
reading       how much there is to read and how long it takes; which code is not folded
findings      computed sentences about experiments, and measured answers beside the students' guesses
reference_run  the text that experiments print in the reference's run, for students who cannot train
promises      each sentence of a docstring has an answer in the bank that breaks it
played        a run of the notebook: figures with words, tests that say that they passed
narration     each section has a script that can be spoken; text, sound and cues agree
common_cells  cells that are the same in every week, or made from the narration's scripts or the questions
"""

from collections.abc import Iterable

from coursekit.authoring.checks.execution import Runs
from coursekit.authoring.lesson import (
    common_cells,
    findings,
    form,
    narration,
    played,
    promises,
    reading,
    reference_run,
)
from coursekit.course.config import Course, Week
from coursekit.engine.shared.master import Master


def check(course: Course, week: Week, master: Master) -> dict[str, list[str]]:
    """Return {fact: its problems} for a week's master, see `coursekit.authoring.checks.check.Check`."""
    checks: dict[str, Iterable[str]] = {
        "there are enough points, and enough of them are on visible tests": form.check_points(master),
        "test cells end with their closing line": form.check_tests_end(master),
        "the first cell agrees with course.toml and the questions": form.check_title(course, week, master),
        "the minutes of the first cell are about what it takes": reading.check_time(course, week, master),
        "the core is short, and tests and long given code are folded": reading.check_core(master),
        "each question has its line, hints or a rubric": form.check_questions(master),
        "each experiment has its guess above and its discussion below": findings.check_experiments(master),
        "no sentence is printed regardless of the outcome": findings.check_fixed(master),
        "what is random comes from SEED": findings.check_seeds(master),
        "ready-made functions that are refused are named, and refused by visible tests too": form.check_refused(
            master
        ),
        "each hidden test draws its inputs from the hand-in's seed": form.check_hidden(master),
        "each wrong answer says what is wrong and what it deserves": form.check_costs(course, week),
        "each sentence of a docstring has an answer that breaks it": promises.check_promises(
            course, week, master
        ),
        "headings are in order": form.check_headings(master),
        "stubs say what to do": form.check_stubs(master),
        "tensors are made on the chosen device": form.check_device(master),
        "shared helpers are the same in every week": form.check_shared(course, week),
        "the file is small and clean": form.check_file(course, week, master),
        "spelling": form.check_spelling(course, week, master),
        "each section has its narration": narration.check_narration(course, week, master),
        "each script has its audio, and text, sound and cues agree": narration.check_audio(course, week),
        "the cells that no author writes are up to date": common_cells.check_common_cells(
            course, week, master
        ),
        f"each question has {form.MIN_RIGHT} right and {form.MIN_WRONG} wrong answers in the bank": form.check_bank(
            course, week, master
        ),
    }
    return {fact: list(problems) for fact, problems in checks.items()}


def check_runs(course: Course, week: Week, master: Master, runs: Runs) -> dict[str, list[str]]:
    """Return {fact: its problems} for the notebook's runs, see `coursekit.authoring.checks.check.Check`."""
    checks: dict[str, Iterable[str]] = {
        "figures have words, and titles that say where their numbers are from": played.check_figures(
            runs.filled
        ),
        "every finding holds, and what is measured can be guessed": findings.check_findings(
            runs.filled, master
        ),
        "discussions from the first training on show what the reference run prints": reference_run.check_stored(
            runs.filled, master
        ),
        "tests say that they passed": played.check_tests_say(runs.filled, master),
        "stubs say which question is missing": played.check_stubs_say(runs.unfilled, master),
    }
    return {fact: list(problems) for fact, problems in checks.items()}
