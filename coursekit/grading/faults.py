"""Find out why a master's own solutions do not get full marks: the wrong cells and lines."""

import ast
import json
import re
from dataclasses import replace
from typing import Any

from coursekit.engine.coordinator.grade import grade, warm_modules
from coursekit.engine.coordinator.kernel_client import StudentKernel
from coursekit.engine.coordinator.outcome import Graded
from coursekit.engine.coordinator.sentences import sentence
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.coordinator.working_folder import WorkingFolder
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import Master, fill
from coursekit.engine.shared.outputs import OutputBudget
from coursekit.engine.shared.result import ERROR, FAILED, PASSED, TestResult
from coursekit.engine.supervisor import sandbox

LINE = re.compile(r"(?:Cell In\[\d+\]|File <ipython[^>]*>), line (\d+)")  # in IPython's tracebacks
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def filled(master: Master) -> bytes:
    """Return the notebook with the master's own solutions."""
    return fill(master, master.solutions)


def faults_of(master: Master, graded: Graded, limits: Limits) -> list[str]:
    """Return a sentence for each fault of a master, given what grading its filled notebook gave; [] with full marks.

    If a setup cell fails, that is the only fault reported: without it, no other cell can be run.
    """
    if graded.result.score == graded.result.max_score:
        return []
    with Servers(bool(sandbox.missing()), warm_modules(master, limits)) as servers:
        return _setup_faults(master, limits, servers) or _other_faults(master, graded, limits, servers)


def faults_of_setup(master: Master, limits: Limits) -> list[str]:
    """Return a sentence for the first fault of the setup cells; [] where they run."""
    with Servers(bool(sandbox.missing()), warm_modules(master, limits)) as servers:
        return _setup_faults(master, limits, servers)


def _setup_faults(master: Master, limits: Limits, servers: Servers) -> list[str]:
    kernel = StudentKernel(servers, limits, folder=WorkingFolder(master.data_files))
    try:
        for cell in master.setup:
            done = kernel.execute(cell.source, limits.cell_seconds, OutputBudget(kilobytes=16))
            name = cell.grade_id or cell.cell_id
            if faults := [
                _raised(name, output) for output in done.outputs if output["output_type"] == "error"
            ]:
                return faults
            if done.ended != "ok":
                return [f"Cell {name} {'does not end' if done.ended == 'timed_out' else 'ends Python'}."]
    finally:
        kernel.close()
    return []


def _raised(name: str, output: dict[str, Any]) -> str:
    line = LINE.search(COLOURS.sub("", "\n".join(output["traceback"])))
    on_line = f", line {line[1]}" if line else ""
    return f"Cell {name}{on_line}: {output['ename']}: {output['evalue']}"


def _other_faults(master: Master, graded: Graded, limits: Limits, servers: Servers) -> list[str]:
    """Return a sentence for each cell that raised or was stopped, then for each test that did not pass."""
    faults = []
    tests = {test.id for test in graded.result.tests}
    for cell in json.loads(graded.notebook)["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id") or cell["id"]
        if name not in tests:
            outputs = cell.get("outputs", [])
            faults += [_raised(name, output) for output in outputs if output["output_type"] == "error"]
    faults += [
        f"Cell {note.cell}: {sentence(note)}" for note in graded.result.stops if note.cell not in tests
    ]
    lost = [test for test in graded.result.tests if test.outcome != PASSED]
    lines = _lines(master, [test for test in lost if test.outcome in (FAILED, ERROR)], limits, servers)
    for test in lost:
        on_line = f", line {lines[test.id]}" if test.id in lines else ""
        faults.append(f"Test {test.id}{on_line}: {test.message}")
    return faults


def _lines(master: Master, lost: list[TestResult], limits: Limits, servers: Servers) -> dict[str, int]:
    """Return {test: line of the first statement of its cell with which it fails}.

    An examiner reports no lines, since students would read them. Bisection finds the line: it grades shortened tests,
    on this machine even without a sandbox, since the code is the instructor's own.
    """
    sources = {cell.grade_id: cell.source for cell in master.cells}
    bodies = {test.id: ast.parse(sources[test.id]).body for test in lost}
    passes = dict.fromkeys(bodies, 0)  # {test: most statements with which it is known to pass}
    fails = {name: len(body) for name, body in bodies.items()}

    while middles := {
        name: (passes[name] + fails[name]) // 2 for name in bodies if fails[name] - passes[name] > 1
    }:
        cells = []
        for cell in master.cells:
            if cell.grade_id in middles:
                last = bodies[cell.grade_id][middles[cell.grade_id] - 1].end_lineno
                cell = replace(cell, source="\n".join(cell.source.splitlines()[:last]))
            cells.append(cell)
        shorter = replace(master, cells=tuple(cells))
        for test in grade(shorter, filled(shorter), limits, servers).result.tests:
            if test.id in middles:
                (passes if test.outcome == PASSED else fails)[test.id] = middles[test.id]
    return {name: body[fails[name] - 1].lineno for name, body in bodies.items()}
