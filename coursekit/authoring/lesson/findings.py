"""Experiments: students guess first, and then see the measured answer beside their guess.

Below its introduction, an experiment has three cells: `my_guess = "…"  # @param [...]`; its code, whose last line is
`beside_guess(my_guess, ...)`; and a discussion. `finding(holds, sentence, otherwise)` shows a finding. The setup cell
`tools` defines both functions.
"""

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from coursekit.authoring.checks.execution import NotebookRun
from coursekit.engine.shared.master import GIVEN, Cell, Master

# MIME types and a value with which those two functions mark their outputs, to distinguish them from printed text.
FINDING = "application/x-course-finding"
MEASURED = "application/x-course-measured"
HOLDS = "holds"

OPTIONAL = "optional"  # tag of a cell that needs something which not every machine has
EXPERIMENT = "**Experiment"
GUESS = re.compile(r'my_guess = "…"  # @param (\["…", ".*"\])')
DISCUSSION = "<details><summary>"
SENTENCE = re.compile(r"[.!?]$")
MIN_WORDS = 5  # a constant text that has fewer is a heading or a label
NOT_TEXT = re.compile(r"\x1b\[[0-9;]*m|^.*\d%\|.*\n", re.MULTILINE)  # colour codes; progress bars


@dataclass(frozen=True)
class Finding:
    """One finding of a run."""

    cell: str  # id of the experiment's cell
    number: int  # which of the cell's findings, from 1
    holds: bool
    sentence: str  # the one shown: for a finding that holds, or for one that does not


def findings(run: NotebookRun) -> list[Finding]:
    """Return all findings of a run, in order."""
    result, numbers = [], Counter[str]()
    for cell, output in run.outputs:
        data = output.get("data", {})
        if FINDING in data:
            numbers[cell] += 1
            result.append(Finding(cell, numbers[cell], data[FINDING] == HOLDS, data["text/plain"]))
    return result


def measured(run: NotebookRun) -> dict[str, str]:
    """Return {id of an experiment's cell: the measured answer, which should be an option of its menu}."""
    return {cell: output.data[MEASURED] for cell, output in run.outputs if MEASURED in output.get("data", {})}


def printed(run: NotebookRun, cell: str) -> str:
    """Return the text that a cell printed and its findings, without progress bars and the line about the guess."""
    parts = []
    for name, output in run.outputs:
        data = output.get("data", {})
        if name == cell and output.get("name") == "stdout":
            parts.append(output.text)
        elif name == cell and "text/plain" in data and "image/png" not in data and MEASURED not in data:
            parts.append(data["text/plain"] + "\n")
    return NOT_TEXT.sub("", "".join(parts)).strip("\n")


def skipped(cell: Cell, run: NotebookRun) -> bool:
    """Return whether a cell is tagged `optional` and has no finding in a run."""
    return OPTIONAL in cell.tags and all(finding.cell != cell.cell_id for finding in findings(run))


def check_experiments(master: Master) -> Iterator[str]:
    """Yield a sentence for each experiment without a guess above, title, last line, folding or discussion below."""
    for index, cell in enumerate(master.cells):
        if cell.kind != "markdown" or EXPERIMENT not in cell.source:
            continue
        guess, experiment, discussion = [*master.cells[index + 1 :], *[None] * 3][:3]
        where = f"the experiment below cell {cell.cell_id}"
        if guess is None or not _menu(guess):
            yield f'{where} has no cell `my_guess = "…"  # @param ["…", "one", "other"]` above it'
            continue
        if experiment is None or not ends_beside_guess(experiment):
            yield f"{where} does not end with `beside_guess(my_guess, ...)`"
        elif not experiment.source.startswith("# @title Experiment: "):
            yield f"{where} does not begin with `# @title Experiment: ...`"
        elif not folded(master, experiment):
            yield f"{where} is not folded: its sentences give away what comes out"
        if discussion is None or not discussion.source.startswith(DISCUSSION):
            yield f"{where} has no discussion in `{DISCUSSION}...` below it"


def _menu(cell: Cell) -> list[str]:
    """Return the options in the menu of a cell for a guess; [] for any other cell."""
    match = GUESS.fullmatch(cell.source) if cell.kind == "code" else None
    return json.loads(match[1])[1:] if match else []


def ends_beside_guess(cell: Cell) -> bool:
    """Return whether a cell's last line calls `beside_guess`, as an experiment's does."""
    body = ast.parse(cell.source).body if cell.kind == "code" else []
    return bool(body) and ast.unparse(body[-1]).startswith("beside_guess(my_guess, ")


def folded(master: Master, cell: Cell) -> bool:
    """Return whether a cell shows only its title, on Colab and in JupyterLab."""
    metadata = master.notebook.cells[cell.index].metadata
    return metadata.get("cellView") == "form" and bool(metadata.get("jupyter", {}).get("source_hidden"))


def check_fixed(master: Master) -> list[str]:
    """Return a problem for each constant sentence that a given cell prints in any case."""
    return [
        f"cell {cell.cell_id} always prints {text!r}: make it a finding, or move it into the discussion"
        for cell in _given_code_cells(master)
        for text in _always_printed(ast.parse(cell.source).body)
        if SENTENCE.search(text.strip()) and len(text.split()) >= MIN_WORDS
    ]


def _always_printed(body: list[ast.stmt]) -> Iterator[str]:
    """Yield the constant texts that these statements print, themselves or in the body of a `for` or `with`."""
    for statement in body:
        match statement:
            case ast.For() | ast.With():
                yield from _always_printed(statement.body)
            case ast.Expr(ast.Call(ast.Name("print"), arguments)):
                for argument in arguments:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        yield argument.value


def check_seeds(master: Master) -> Iterator[str]:
    """Yield a sentence for each missing or constant seed: it is SEED, which `benchmarks/findings.py` replaces."""
    for cell in _given_code_cells(master):
        for node in ast.walk(ast.parse(cell.source)):
            match node:
                case ast.Call(ast.Attribute(attr="manual_seed" | "default_rng" | "Random"), arguments):
                    if not any(isinstance(part, ast.Name) for part in ast.walk(ast.Tuple(arguments))):
                        yield f"cell {cell.cell_id}, line {node.lineno}: take the seed from SEED"


def _given_code_cells(master: Master) -> Iterator[Cell]:
    return (cell for cell in master.cells if cell.kind == "code" and cell.role == GIVEN)


def check_findings(run: NotebookRun, master: Master) -> Iterator[str]:
    """Yield a sentence for each finding that does not hold or is not reached, and each measurement not on the menu.

    A cell tagged `optional` may reach no finding, and is then skipped.
    """
    of_run, outcomes = findings(run), measured(run)
    for result in of_run:
        if not result.holds:
            yield f"cell {result.cell}, finding {result.number} does not hold: {result.sentence}"
    reached = Counter(result.cell for result in of_run)
    for cell in _given_code_cells(master):
        if "setup" in cell.tags or skipped(cell, run):
            continue
        name = cell.cell_id
        calls = Counter(
            node.func.id
            for node in ast.walk(ast.parse(cell.source))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        )
        if reached[name] < calls["finding"]:
            yield f"cell {name} has {calls['finding']} findings and reaches {reached[name]}"
        menu = _menu(master.cells[cell.index - 1]) if cell.index else []
        if calls["beside_guess"] and outcomes.get(name) not in menu:
            yield (
                f"cell {name} measures {outcomes.get(name)!r}, which its menu does not have: {', '.join(menu)}"
            )
