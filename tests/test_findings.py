"""What an experiment shows is computed, and shown beside a guess: each rule broken once, and runs in a real kernel."""

import pytest
from cases import load
from quick import first
from small_course import ROOT, code, markdown, notebook_of

from coursekit.authoring.checks.execution import execute
from coursekit.authoring.lesson import findings
from coursekit.course.config import open_course
from coursekit.engine.shared.master import read_master

FOLDED = {"cellView": "form", "jupyter": {"source_hidden": True}}
COIN = """# @title Experiment: a coin
heads = 1 + sum(flip % 2 for flip in range(SEED))
finding(heads > 2, f"{heads} heads: more than two.", f"{heads} heads: no more than two.")
print("heads  flips")
beside_guess(my_guess, "many" if heads > 2 else "few")"""
OPTIONAL = """# @title Experiment: a coin
measured = "nothing"
if SEED:
    finding(SEED > 2, f"{SEED} heads: more than two.", f"{SEED} heads: no more than two.")
    finding(SEED < 9, f"{SEED} heads: fewer than nine.", f"{SEED} heads: nine or more.")
    measured = "many"
beside_guess(my_guess, measured)"""
ALWAYS = 'print("The coin has come up heads more than twice.")\nprint'


def tools():
    """The two functions, as the course's notebooks define them."""
    course = open_course(ROOT)
    source = next(cell for cell in course.master(course.weeks[0]).cells if cell.cell_id == "tools").source
    return source[source.index("FINDINGS = []") : source.index("def beside(name)")]


def lesson(coin=COIN, seed=9, **metadata):
    return [
        code("setup", f"SEED = {seed}", tags=["setup"]),
        code("tools", tools(), tags=["setup"]),
        markdown("coin-why", "**Experiment: a coin.** How many heads?"),
        code("guess-coin", 'my_guess = "…"  # @param ["…", "few", "many"]', cellView="form"),
        code("coin", coin, **(metadata or FOLDED)),
        markdown(
            "coin-said", "<details><summary>What came out, and why</summary>\n\nIt is fair.\n\n</details>"
        ),
    ]


def changed(key, old, new):
    """The lesson's cells, one of them changed."""
    cells = lesson()
    (cell,) = [cell for cell in cells if cell["id"] == key]
    assert old in cell["source"]
    cell["source"] = cell["source"].replace(old, new)
    return cells


def master(cells):
    return read_master(notebook_of(*cells), "week1_attention", "attention")


def of_text(cells):
    read = master(cells)
    checks = (findings.check_experiments, findings.check_fixed, findings.check_seeds)
    return "\n".join(problem for check in checks for problem in check(read))


def of_run(cells):
    return "\n".join(findings.check_findings(execute(notebook_of(*cells)), master(cells)))


@pytest.mark.parametrize("source", ["", "# nothing yet", "heads = 3"])
def test_a_cell_that_is_no_experiment_is_told_from_one(source):
    cells = [master([code("coin", text)]).cells[0] for text in (source, COIN)]
    assert [findings.ends_beside_guess(cell) for cell in cells] == [False, True]


@pytest.mark.parametrize(
    "key, old, new, problem",
    [
        ("coin", "heads", "heads", ""),
        ("guess-coin", "# @param", "# choose from", "has no cell `my_guess"),
        ("guess-coin", '"…", "few"', '"few"', "has no cell `my_guess"),
        ("coin", "beside_guess(my_guess, ", "print(", "does not end with `beside_guess"),
        ("coin", "# @title Experiment: a coin", "# a coin", "does not begin with"),
        ("coin-said", "<details>", "", "has no discussion"),
        ("coin", "print", ALWAYS, "always prints 'The coin has"),
        ("coin", "print", f"for _ in range(2):\n    {ALWAYS}", "always prints 'The coin has"),
        ("coin", "print", f"if heads > 2:\n    {ALWAYS}", ""),
        ("coin", "\nheads", "\ntorch.manual_seed(3)\nheads", "take the seed from SEED"),
        ("coin", "\nheads", "\ntorch.manual_seed(SEED + 3)\nheads", ""),
    ],
)
def test_the_form_of_an_experiment(key, old, new, problem):
    found = of_text(changed(key, old, new))
    assert problem in found and bool(problem) == bool(found)


def test_an_experiment_that_shows_its_sentences_is_reported():
    assert "is not folded" in of_text(lesson(cellView="form"))


def test_the_true_sentence_is_displayed_and_the_guess_stands_beside_it():
    run = execute(notebook_of(*changed("guess-coin", '= "…"', '= "few"')))
    assert findings.findings(run) == [findings.Finding("coin", 1, True, "5 heads: more than two.")]
    assert findings.measured(run) == {"coin": "many"}
    texts = [output.data["text/plain"] for _, output in run.outputs if "data" in output]
    assert texts == ["5 heads: more than two.", "Your guess: few. Measured: many."]
    assert "5 heads" in findings.printed(run, "coin")
    assert list(findings.check_findings(run, master(lesson()))) == []


@pytest.mark.parametrize(
    ("key", "old", "new", "problem"),
    first(
        1,
        [
            ("setup", "9", "2", "cell coin, finding 1 does not hold: 2 heads: no more than two."),
            ("coin", "\nfinding", "\nif heads > 90: finding", "has 1 findings and reaches 0"),
            ("coin", '"many"', '"a lot"', "measures 'a lot', which its menu does not have: few, many"),
        ],
    ),
)
def test_a_finding_that_does_not_hold_is_reported(key, old, new, problem):
    assert problem in of_run(changed(key, old, new))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "old", "new", "problem"),
    [
        (0, "", "", ""),
        (5, "", "", ""),
        (1, "", "", "finding 1 does not hold"),
        (9, "", "", "finding 2 does not hold"),
        (5, "    finding(SEED < 9", "    if SEED > 90: finding(SEED < 9", "has 2 findings and reaches 1"),
        (5, 'measured = "many"', "pass", "measures 'nothing', which its menu does not have"),
    ],
)
def test_an_optional_experiment_is_skipped_as_a_whole_or_not_at_all(seed, old, new, problem):
    found = of_run(lesson(OPTIONAL.replace(old, new), seed, **FOLDED, tags=["optional"]))
    assert problem in found and found.count("\n") == 0 and bool(found) == bool(problem)


@pytest.mark.slow
def test_an_experiment_that_is_not_optional_may_not_be_skipped():
    problems = of_run(lesson(OPTIONAL, seed=0))
    assert "has 2 findings and reaches 0" in problems and "measures 'nothing'" in problems


@pytest.mark.slow
def test_the_benchmark_reports_on_which_seed_a_finding_does_not_hold(capsys):
    benchmark = load(ROOT / "benchmarks" / "findings.py")
    week = open_course(ROOT).weeks[0]
    runs = {seed: execute(notebook_of(*lesson(seed=seed))) for seed in (2, 9)}
    assert benchmark.show(week, runs, everything=False) is False
    shown = capsys.readouterr().out
    assert "1 of 2  coin (1)" in shown and "seed 2: 2 heads: no more than two." in shown
    assert "coin: few (1), many (1)" in shown
    assert benchmark.show(week, {9: runs[9]}, everything=False) is True
