"""The bank's answers with the visible tests as a student runs them: in one process, without the grader.

A page says "All visible tests of this question pass"; the student must see the same. A test that hands an answer the
same array twice ends otherwise in the notebook if the answer changes it, since each call has a copy while grading.
"""

import ast
import json
import os
import resource
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout, suppress

import matplotlib.backends.backend_agg  # noqa: F401  Jupyter's own backend imports it
import pytest
import seaborn  # noqa: F401  so that no fork imports it anew
import torch
from small_course import ROOT

from coursekit.course.bank import read_bank
from coursekit.course.config import open_course
from coursekit.engine.shared.master import TEST

COURSE = open_course(ROOT)
SECONDS = 20  # of processor time for one answer; one that never ends is stopped
# Only Jupyter closes the figures that `plt.show` draws.
NEEDS_JUPYTER = {"grid_shows_only"}


def definitions(source):
    """The functions, classes, imports and plain values of a given cell, without what it computes or draws."""
    kinds = ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
    kept = [
        node
        for node in ast.parse(source).body
        if isinstance(node, kinds)
        or (
            isinstance(node, ast.Assign)
            and not any(isinstance(part, ast.Call) for part in ast.walk(node.value))
        )
    ]
    return ast.unparse(ast.Module(kept, []))


def failed_in_one_process(master, answer):
    """The visible tests of its question that an answer fails."""
    names, failed = {"__name__": "__main__"}, []
    for cell in master.cells:
        if cell.kind != "code" or (cell.role == TEST and (cell.hidden or cell.question != answer.question)):
            continue
        if cell.role == TEST:
            try:
                exec(compile(cell.source, "<test>", "exec"), names)
            except Exception:
                failed.append(cell.grade_id)
        elif cell in master.setup:
            exec(compile(cell.source, "<setup>", "exec"), names)
        elif cell.grade_id == answer.question:
            with suppress(Exception):
                exec(compile(answer.source, "<answer>", "exec"), names)
        elif cell.grade_id in master.solutions:
            exec(compile(master.solutions[cell.grade_id], "<solution>", "exec"), names)
        else:
            with suppress(Exception):  # what it needs may be computed by a cell that is left out
                exec(compile(definitions(cell.source), "<given>", "exec"), names)
    return failed


def in_a_fork(master, answer):
    reading, writing = os.pipe()
    if (process := os.fork()) == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        try:
            with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
                failed = failed_in_one_process(master, answer)
            os.write(writing, json.dumps(failed).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading) as pipe:
        text = pipe.read()
    os.waitpid(process, 0)
    return json.loads(text) if text else ["stopped"]


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("week", [week.name for week in COURSE.weeks])
def test_visible_tests_end_in_the_notebook_as_while_grading(week):
    """In a new process, whose libraries have no threads: a fork would wait for them."""
    done = subprocess.run([sys.executable, __file__, week], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    *differing, count = done.stdout.splitlines()
    assert differing == [] and int(count) > 50


def main(week_name):
    """Print a sentence for each answer of a week that passes in one place only, and how many answers there are."""
    torch.set_num_threads(1)
    week = COURSE.week(week_name)
    master, bank = COURSE.master(week), read_bank(COURSE, week)
    visible = {cell.grade_id for cell in master.cells if cell.role == TEST and not cell.hidden}
    for answer in bank:
        failed = in_a_fork(master, answer)
        expected = sorted(visible & set(answer.fails))
        if bool(failed) != bool(expected) and answer.path.stem not in NEEDS_JUPYTER:
            print(f"{answer.name} fails {failed} in the notebook, and while graded {expected}")
    print(len(bank))


if __name__ == "__main__":
    main(sys.argv[1])
