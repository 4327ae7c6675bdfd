"""Experiments: students guess first, what came out is computed, and it is set beside the guess.

A cell `my_guess = "…"  # @param [...]`, the experiment, whose last line is `beside_guess(my_guess, ...)`, and below it
the discussion. A sentence about what came out is `finding(holds, sentence, otherwise)`; the setup cell `tools` defines
both functions.
"""

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from coursekit.authoring.checks.execution import NotebookRun
from coursekit.engine.shared.master import GIVEN, Cell, Master

# What the cell `tools` gives its outputs, so that they can be told from what is printed.
FINDING = "application/x-course-finding"
MEASURED = "application/x-course-measured"
HOLDS = "holds"

OPTIONAL = "optional"  # tag of a cell that needs something which not every machine has
EXPERIMENT = "**Experiment"
GUESS = re.compile(r'my_guess = "…"  # @param (\["…", ".*"\])')
DISCUSSION = "<details><summary>"
SENTENCE = re.compile(r"[.!?:]$")
MIN_WORDS = 5  # a fixed text that has fewer is a heading or a label


@dataclass(frozen=True)
class Said:
    """One finding of a run.

    Attributes:
        cell: id of the experiment's cell.
        number: which of the cell's findings, from 1.
        holds: whether it does; if not, `sentence` is what is said otherwise.
    """

    cell: str
    number: int
    holds: bool
    sentence: str


def findings(run: NotebookRun) -> list[Said]:
    """All findings of a run, in order."""
    found, numbers = [], Counter[str]()
    for cell, output in run.outputs:
        data = output.get("data", {})
        if FINDING in data:
            numbers[cell] += 1
            found.append(Said(cell, numbers[cell], data[FINDING] == HOLDS, data["text/plain"]))
    return found


def skipped(cell: Cell, run: NotebookRun) -> bool:
    """Whether a run did without this cell: it is tagged `optional`, and has found nothing."""
    return OPTIONAL in cell.tags and all(one.cell != cell.cell_id for one in findings(run))


def measured(run: NotebookRun) -> dict[str, str]:
    """{experiment's cell: what was measured, in the words of its menu}."""
    return {cell: output.data[MEASURED] for cell, output in run.outputs if MEASURED in output.get("data", {})}


def check_experiments(master: Master) -> list[str]:
    """Each has a guess above, is folded, since its sentences give the outcome away, and is discussed below."""
    problems = []
    for index, cell in enumerate(master.cells):
        if cell.kind != "markdown" or EXPERIMENT not in cell.source:
            continue
        guess, experiment, discussion = [*master.cells[index + 1 :], *[None] * 3][:3]
        where = f"the experiment below cell {cell.cell_id}"
        if guess is None or not _menu(guess):
            problems.append(f'{where} has no cell `my_guess = "…"  # @param ["…", "one", "other"]` above it')
            continue
        if experiment is None or not ends_beside_guess(experiment):
            problems.append(f"{where} does not end with `beside_guess(my_guess, ...)`")
        elif not experiment.source.startswith("# @title Experiment: "):
            problems.append(f"{where} does not begin with `# @title Experiment: ...`")
        elif not folded(master, experiment):
            problems.append(f"{where} is not folded: its sentences give away what comes out")
        if discussion is None or not discussion.source.startswith(DISCUSSION):
            problems.append(f"{where} has no discussion behind `{DISCUSSION}...` below it")
    return problems


def _menu(cell: Cell) -> list[str]:
    """What the menu of a cell for a guess offers; [] where it is no such cell."""
    found = GUESS.fullmatch(cell.source) if cell.kind == "code" else None
    return json.loads(found[1])[1:] if found else []


def ends_beside_guess(cell: Cell) -> bool:
    """Whether a cell's last line sets the guess beside what was measured, as an experiment's does."""
    body = ast.parse(cell.source).body if cell.kind == "code" else []
    return bool(body) and ast.unparse(body[-1]).startswith("beside_guess(my_guess, ")


def folded(master: Master, cell: Cell) -> bool:
    """Whether a cell shows its title alone, on Colab and in JupyterLab."""
    metadata = master.notebook.cells[cell.index].metadata
    return metadata.get("cellView") == "form" and bool(metadata.get("jupyter", {}).get("source_hidden"))


def check_fixed(master: Master) -> list[str]:
    """No sentence is printed whatever comes out."""
    return [
        f"cell {cell.cell_id} always prints {text!r}: make it a finding, or move it into the discussion"
        for cell in _given(master)
        for text in _fixed(ast.parse(cell.source).body)
    ]


def _fixed(body: list[ast.stmt]) -> Iterator[str]:
    """Sentences that these statements print in any case: not those behind an `if` or an `except`."""
    for statement in body:
        if isinstance(statement, ast.For | ast.With):
            yield from _fixed(statement.body)
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            call = statement.value
            if isinstance(call.func, ast.Name) and call.func.id == "print":
                yield from (text for text in map(_constant, call.args) if _is_sentence(text))


def _constant(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _is_sentence(text: str) -> bool:
    return bool(SENTENCE.search(text.strip())) and len(text.split()) >= MIN_WORDS and not text.endswith(":")


def check_seeds(master: Master) -> list[str]:
    """What is random comes from SEED: `benchmarks/findings.py` replaces it."""
    problems = []
    for cell in _given(master):
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                seeded = node.func.attr in ("manual_seed", "default_rng", "Random")
                if seeded and not any(isinstance(part, ast.Name) for part in ast.walk(ast.Tuple(node.args))):
                    problems.append(f"cell {cell.cell_id}, line {node.lineno}: take the seed from SEED")
    return problems


def _given(master: Master) -> Iterator[Cell]:
    return (cell for cell in master.cells if cell.kind == "code" and cell.role == GIVEN)


def check_findings(run: NotebookRun, master: Master) -> list[str]:
    """Those of the reference hold, each is reached, and what is measured can be guessed.

    A cell tagged `optional` may reach none of them, and then measures nothing.
    """
    said, outcomes = findings(run), measured(run)
    problems = [
        f"cell {one.cell}, finding {one.number} does not hold: {one.sentence}"
        for one in said
        if not one.holds
    ]
    reached = Counter(one.cell for one in said)
    for before, cell in zip([None, *master.cells], master.cells, strict=False):
        if cell.kind != "code" or cell.role != GIVEN or "setup" in cell.tags:
            continue
        calls = Counter(
            node.func.id
            for node in ast.walk(ast.parse(cell.source))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        )
        if skipped(cell, run):
            continue
        if reached[cell.cell_id] < calls["finding"]:
            problems.append(
                f"cell {cell.cell_id} has {calls['finding']} findings and reaches {reached[cell.cell_id]}"
            )
        if calls["beside_guess"]:
            menu = _menu(before) if before else []
            if outcomes.get(cell.cell_id) not in menu:
                problems.append(
                    f"cell {cell.cell_id} measures {outcomes.get(cell.cell_id)!r}, which its menu does not have: "
                    f"{', '.join(menu)}"
                )
    return problems
