"""Why a master's own solutions do not get full marks: which cells are wrong, on which lines."""

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
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import Master, fill
from coursekit.engine.shared.outputs import OutputBudget
from coursekit.engine.shared.result import ERROR, FAILED, PASSED, TestResult
from coursekit.engine.supervisor import sandbox

LINE = re.compile(r"(?:Cell In\[\d+\]|File <ipython[^>]*>), line (\d+)")  # in IPython's tracebacks
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def filled(master: Master) -> bytes:
    """The notebook that has the master's own solutions."""
    return fill(master, master.solutions)


def faults_of(master: Master, graded: Graded, limits: Limits) -> list[str]:
    """Return a sentence for each fault of a master whose filled notebook came out like this; [] with full marks.

    Where a setup cell fails, that is the only fault reported: without it, no cell and no test can be run.
    """
    if graded.result.score == graded.result.max_score:
        return []
    with Servers(bool(sandbox.missing()), warm_modules(master, limits)) as servers:
        return _setup(master, limits, servers) or _wrong(master, graded, limits, servers)


def faults_of_setup(master: Master, limits: Limits) -> list[str]:
    """Return a sentence for the first fault of the setup cells; [] where they run."""
    with Servers(bool(sandbox.missing()), warm_modules(master, limits)) as servers:
        return _setup(master, limits, servers)


def _setup(master: Master, limits: Limits, servers: Servers) -> list[str]:
    kernel = StudentKernel(servers, limits)
    try:
        for cell in master.setup:
            done = kernel.execute(cell.source, limits.cell_seconds, OutputBudget(16))
            name = cell.grade_id or cell.cell_id
            if found := [_raised(name, shown) for shown in done.outputs if shown["output_type"] == "error"]:
                return found
            if done.ended != "ok":
                return [f"Cell {name} {'does not end' if done.ended == 'timed_out' else 'ends Python'}."]
    finally:
        kernel.close()
    return []


def _raised(name: str, output: dict[str, Any]) -> str:
    line = LINE.search(COLOURS.sub("", "\n".join(output["traceback"])))
    place = f", line {line[1]}" if line else ""
    return f"Cell {name}{place}: {output['ename']}: {output['evalue']}"


def _wrong(master: Master, graded: Graded, limits: Limits, servers: Servers) -> list[str]:
    """Return a line for each cell that raised, then for each test that did not pass."""
    found = []
    tests = {test.id for test in graded.result.tests}
    for cell in json.loads(graded.notebook)["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id") or cell["id"]
        if name not in tests:
            shown = cell.get("outputs", [])
            found += [_raised(name, output) for output in shown if output["output_type"] == "error"]
    found += [f"Cell {note.cell}: {sentence(note)}" for note in graded.result.stops if note.cell not in tests]
    lost = [test for test in graded.result.tests if test.outcome != PASSED]
    lines = _lines(master, [test for test in lost if test.outcome in (FAILED, ERROR)], limits, servers)
    for test in lost:
        place = f", line {lines[test.id]}" if test.id in lines else ""
        found.append(f"Test {test.id}{place}: {test.message}")
    return found


def _lines(master: Master, lost: list[TestResult], limits: Limits, servers: Servers) -> dict[str, int]:
    """Return {test: line of the first statement of its cell with which it fails}.

    An examiner reports no lines, since students would read them. So each test is searched by halves, and graded on this
    machine, since the reference is the instructor's own code.
    """
    sources = {cell.grade_id: cell.source for cell in master.cells}
    bodies = {test.id: ast.parse(sources[test.id]).body for test in lost}
    passes = dict.fromkeys(bodies, 0)  # with so many statements
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
