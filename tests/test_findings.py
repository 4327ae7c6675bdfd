"""What an experiment shows is computed, and set beside a guess: each rule, broken once, and a run in a real kernel."""

import importlib.util
import json
from pathlib import Path

import pytest
from small_course import code, markdown

from coursekit.authoring.checks.execution import execute
from coursekit.authoring.lesson import findings, played
from coursekit.course.config import open_course
from coursekit.engine.shared.master import read_master

ROOT = Path(__file__).parent.parent
FOLDED = {"cellView": "form", "jupyter": {"source_hidden": True}}
COIN = """# @title Experiment: a coin
heads = 1 + sum(flip % 2 for flip in range(SEED))
finding(heads > 2, f"{heads} heads: more than two.", f"{heads} heads: no more than two.")
print("heads  flips")
beside_guess(my_guess, "many" if heads > 2 else "few")"""


def tools():
    """The two functions, as the course's notebooks define them."""
    course = open_course(ROOT)
    source = next(cell for cell in course.master(course.weeks[0]).cells if cell.cell_id == "tools").source
    return source[source.index("FINDINGS = []") : source.index("def beside(name)")]


def lesson():
    return [
        code("setup", "SEED = 9", tags=["setup"]),
        code("tools", tools(), tags=["setup"]),
        markdown("coin-why", "**Experiment: a coin.** How many heads?"),
        code("guess-coin", 'my_guess = "…"  # @param ["…", "few", "many"]', cellView="form"),
        code("coin", COIN, **FOLDED),
        markdown(
            "coin-said", "<details><summary>What came out, and why</summary>\n\nIt is fair.\n\n</details>"
        ),
    ]


def to_bytes(cells):
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}).encode()


def changed(key, old, new):
    """The lesson's cells, one of them changed."""
    cells = lesson()
    (cell,) = [cell for cell in cells if cell["id"] == key]
    assert old in cell["source"]
    cell["source"] = cell["source"].replace(old, new)
    return cells


def master(cells):
    return read_master(to_bytes(cells), "week1_attention", "attention")


def of_text(cells):
    read = master(cells)
    return [
        problem
        for check in (findings.check_experiments, findings.check_fixed, findings.check_seeds)
        for problem in check(read)
    ]


def test_an_experiment_in_form_is_left_in_peace():
    assert of_text(lesson()) == []


@pytest.mark.parametrize("source", ["", "# nothing yet", "heads = 3"])
def test_a_cell_that_is_no_experiment_is_told_from_one(source):
    """Also one that has nothing in it."""
    cells = [master([code("coin", text)]).cells[0] for text in (source, COIN)]
    assert [findings.ends_beside_guess(cell) for cell in cells] == [False, True]


ALWAYS = '\nprint("The coin has come up heads more than twice.")'


@pytest.mark.parametrize(
    "key, old, new, told",
    [
        ("guess-coin", "# @param", "# choose from", "has no cell `my_guess"),
        ("guess-coin", '"…", "few"', '"few"', "has no cell `my_guess"),
        ("coin", "beside_guess(my_guess, ", "print(", "does not end with `beside_guess"),
        ("coin", "# @title Experiment: a coin", "# a coin", "does not begin with"),
        ("coin-said", "<details>", "", "has no discussion"),
        ("coin", "\nprint", ALWAYS + "\nprint", "always prints 'The coin has"),
        ("coin", "\nprint", f"\nfor _ in range(2):\n   {ALWAYS[1:]}\nprint", "always prints 'The coin has"),
        ("coin", "\nheads", "\ntorch.manual_seed(3)\nheads", "take the seed from SEED"),
    ],
)
def test_what_breaks_the_form_is_told(key, old, new, told):
    problems = of_text(changed(key, old, new))
    assert [problem for problem in problems if told in problem], problems


def test_an_experiment_that_shows_its_sentences_is_told():
    cells = lesson()
    cells[4]["metadata"] = {"cellView": "form"}
    assert "is not folded" in " ".join(of_text(cells))


@pytest.mark.parametrize(
    "old, new",
    [
        ("\nprint", "\nif heads > 2:\n   " + ALWAYS[1:] + "\nprint"),  # what is behind an `if` is computed
        ("\nheads", "\ntorch.manual_seed(SEED + 3)\nheads"),
    ],
)
def test_what_is_computed_is_left_in_peace(old, new):
    assert of_text(changed("coin", old, new)) == []


def test_the_true_sentence_is_said_and_the_guess_stands_beside_it():
    run = execute(to_bytes(changed("guess-coin", '= "…"', '= "few"')))
    assert findings.findings(run) == [findings.Said("coin", 1, True, "5 heads: more than two.")]
    assert findings.measured(run) == {"coin": "many"}
    texts = [output.data["text/plain"] for _, output in run.outputs if "data" in output]
    assert texts == ["5 heads: more than two.", "Your guess: few. Measured: many."]
    assert "5 heads" in played._printed(run)["coin"]
    assert findings.check_findings(run, master(lesson())) == []


@pytest.mark.parametrize(
    "key, old, new, told",
    [
        ("setup", "9", "2", "cell coin, finding 1 does not hold: 2 heads: no more than two."),
        ("coin", "\nfinding", "\nif heads > 90: finding", "has 1 findings and reaches 0"),
        ("coin", '"many"', '"a lot"', "measures 'a lot', which its menu does not have: few, many"),
    ],
)
def test_a_finding_that_does_not_hold_is_told(key, old, new, told):
    cells = changed(key, old, new)
    problems = findings.check_findings(execute(to_bytes(cells)), master(cells))
    assert [problem for problem in problems if told in problem], problems


def optional(source):
    """The lesson, its experiment optional and changed."""
    cells = changed("coin", COIN, source)
    cells[4]["metadata"] = FOLDED | {"tags": ["optional"]}
    return cells


IF_THERE = """# @title Experiment: a coin
measured = "nothing"
if coins:
    finding(coins > 2, f"{coins} heads: more than two.", f"{coins} heads: no more than two.")
    finding(coins < 9, f"{coins} heads: fewer than nine.", f"{coins} heads: nine or more.")
    measured = "many"
beside_guess(my_guess, measured)"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("coins", "told"),
    [(0, ""), (5, ""), (1, "finding 1 does not hold"), (9, "finding 2 does not hold")],
)
def test_an_optional_experiment_may_be_skipped_and_else_is_held_to_its_findings(coins, told):
    cells = optional(IF_THERE.replace("if coins", f"coins = {coins}\nif coins"))
    problems = findings.check_findings(execute(to_bytes(cells)), master(cells))
    assert all(told in problem for problem in problems) and bool(problems) == bool(told), problems


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("    finding(coins < 9", "    if coins > 90: finding(coins < 9", "has 2 findings and reaches 1"),
        ('measured = "many"', "pass", "measures 'nothing', which its menu does not have"),
    ],
)
def test_an_optional_experiment_is_skipped_as_a_whole_or_not_at_all(old, new, told):
    cells = optional(IF_THERE.replace("if coins", "coins = 5\nif coins", 1).replace(old, new))
    (problem,) = findings.check_findings(execute(to_bytes(cells)), master(cells))
    assert told in problem


def test_an_experiment_that_is_not_optional_may_not_be_skipped():
    cells = optional(IF_THERE.replace("if coins", "coins = 0\nif coins", 1))
    cells[4]["metadata"] = FOLDED
    problems = " ".join(findings.check_findings(execute(to_bytes(cells)), master(cells)))
    assert "has 2 findings and reaches 0" in problems and "measures 'nothing'" in problems


@pytest.mark.slow
def test_the_benchmark_says_on_which_seed_a_finding_does_not_hold(capsys):
    spec = importlib.util.spec_from_file_location("benchmark_findings", ROOT / "benchmarks" / "findings.py")
    benchmark = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(benchmark)
    week = open_course(ROOT).weeks[0]
    runs = {seed: execute(to_bytes(changed("setup", "9", str(seed)))) for seed in (2, 9)}
    assert benchmark.show(week, runs, everything=False) is False
    said = capsys.readouterr().out
    assert "1 of 2  coin (1)" in said and "seed 2: 2 heads: no more than two." in said
    assert "coin: few (1), many (1)" in said
    assert benchmark.show(week, {9: runs[9]}, everything=False) is True
