"""What the training cells of weeks 6, 7 and 8 reach, over several seeds.

    .venv/bin/python benchmarks/training.py [--seeds 1 2 3 4 5] [--week WEEK ...]

Runs each week's filled-in notebook once a seed, in an ordinary kernel, with the setup cell's SEED replaced, and prints
what the notebook itself measured in `training_results`, beside the seconds of the training cells (the lesser of wall
clock and CPU: see coursekit/checks/execution.py).
"""

import argparse
import ast
import json
import re
import statistics
from pathlib import Path

import nbformat

from coursekit.checks.execution import errors, execute
from coursekit.course import open_course
from coursekit.release import companions

ROOT = Path(__file__).resolve().parent.parent
WEEKS = ("week6_heatmaps", "week7_embeddings", "week8_transformer")


def run_seed(course, week, seed: int) -> dict[str, float]:
    """The notebook's `training_results` with this seed, and the seconds of its training cells and of all cells."""
    notebook = nbformat.reads(course.source(week).read_text(encoding="utf-8"), 4)
    (setup,) = [cell for cell in notebook.cells if "setup" in cell.metadata.get("tags", [])]
    setup.source, replaced = re.subn(r"^SEED = \d+$", f"SEED = {seed}", setup.source, flags=re.MULTILINE)
    assert replaced == 1, f"{week.name}: the setup cell has no line `SEED = …`"
    notebook.cells.append(nbformat.v4.new_code_cell("print(training_results)", id="results"))
    run = execute(nbformat.writes(notebook).encode(), companions(course, week))
    for cell, name, message in errors(run):
        raise SystemExit(f"{week.name}, seed {seed}, cell {cell}: {name}: {message}")
    results = ast.literal_eval("".join(output.text for cell, output in run.outputs if cell == "results"))
    training = [cell.id for cell in notebook.cells if "training" in cell.metadata.get("tags", [])]
    results["training cells, s"] = sum(run.seconds[cell] for cell in training)
    results["notebook, s"] = sum(run.seconds.values())
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--week", nargs="+", default=WEEKS)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    course = open_course(ROOT)
    everything = {}
    for name in arguments.week:
        rows = {seed: run_seed(course, course.week(name), seed) for seed in arguments.seeds}
        everything[name] = rows
        if arguments.json:
            continue
        print(f"\n{name}")
        print(
            f"{'':<28}" + "".join(f"{f'seed {seed}':>10}" for seed in rows) + f"{'least':>10}{'median':>10}"
        )
        for key in next(iter(rows.values())):
            values = [row[key] for row in rows.values()]
            shown = [*values, min(values), statistics.median(values)]
            print(f"{key:<28}" + "".join(f"{value:>10.4g}" for value in shown), flush=True)
    if arguments.json:
        print(json.dumps(everything, indent=1))


if __name__ == "__main__":
    main()
