"""What the reference run prints stands behind the fold, for those who cannot train: written, read and checked."""

import json

import nbformat
import pytest
from small_course import code, make_course
from test_findings import lesson, master, to_bytes

from coursekit.authoring.checks.execution import NotebookRun, execute
from coursekit.authoring.lesson import reference_run
from coursekit.authoring.lesson.findings import FINDING
from coursekit.authoring.lesson.reference_run import (
    HEADING,
    check_stored,
    experiments,
    printed,
    stored,
    with_stored,
)
from coursekit.engine.shared.errors import CourseError

SAID = "heads  flips\n5 heads: more than two."


def trained():
    """The lesson of `test_findings`, with a training above its experiment."""
    cells = lesson()
    cells[-2]["source"] = cells[-2]["source"].replace("print(", 'print("learning:   0%|   | 0/30")\nprint(')
    return [*cells[:2], code("train", "sides = 2", tags=["training"]), *cells[2:]]


@pytest.fixture(scope="module")
def run():
    return execute(to_bytes(trained()))


def with_discussion(text):
    cells = trained()
    cells[-1]["source"] = text
    return master(cells)


def test_only_what_stands_below_a_training_needs_it():
    assert [(cell.cell_id, below.cell_id) for cell, below in experiments(master(trained()))] == [
        ("coin", "coin-said")
    ]
    assert list(experiments(master(lesson()))) == []


def test_it_is_what_the_cell_printed_without_progress_and_guess(run):
    assert sorted(printed(run, "coin").splitlines()) == sorted(SAID.splitlines())
    assert "Measured" not in printed(run, "coin")
    assert printed(run, "train") == ""


def test_the_text_is_put_at_the_end_of_the_fold_and_replaced():
    before = lesson()[-1]["source"]
    once = with_stored(before, SAID)
    assert once.startswith(before.removesuffix("\n</details>"))
    assert once.endswith("```\n\n</details>") and once.count(HEADING) == 1
    assert stored(before) is None and stored(once) == SAID
    assert with_stored(once, SAID) == once
    assert stored(with_stored(once, "other")) == "other" and with_stored(once, "other").count(HEADING) == 1


def test_a_missing_and_an_old_text_are_told(run):
    before = trained()[-1]["source"]
    (problem,) = check_stored(run, with_discussion(before))
    assert problem.startswith("cell coin-said: what the reference run prints is missing")
    (problem,) = check_stored(run, with_discussion(with_stored(before, "5 heads: no more than two.")))
    assert "does not have '5 heads: more than two.'" in problem
    assert check_stored(run, with_discussion(with_stored(before, SAID))) == []
    assert check_stored(run, with_discussion(with_stored(before, SAID.replace("5", "12")))) == []


@pytest.mark.parametrize(
    ("said", "stored_text", "told"),
    [
        ("'the' gets 0.31.", "'cat' gets 0.29.", False),
        (
            "With another's source 3 are right, with the date's own 9.",
            "With another's source 4 are right.",
            True,
        ),
        ("'the' gets most.", "'the' gets least.", True),
    ],
)
def test_only_numbers_and_quotations_may_differ(said, stored_text, told):
    """An apostrophe is no quotation mark."""
    output = nbformat.v4.new_output("display_data", {FINDING: "holds", "text/plain": said})
    one = NotebookRun(outputs=[("coin", output)])
    text = with_stored(trained()[-1]["source"], stored_text)
    assert bool(check_stored(one, with_discussion(text))) == told


def test_the_command_writes_what_the_source_then_holds(tmp_path, monkeypatch, capsys):
    """And leaves all the rest of the file as it is."""
    make_course(tmp_path, [])
    path = tmp_path / "source" / "week1_attention" / "attention.ipynb"
    path.write_bytes(to_bytes(trained()))
    monkeypatch.chdir(tmp_path)
    assert reference_run.main(["week1_attention"]) == 0
    assert capsys.readouterr().out == "week1_attention: 1 discussions changed\n"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    nbformat.validate(nbformat.from_dict(notebook))
    text = "".join(notebook["cells"][-1]["source"])
    assert sorted(stored(text).splitlines()) == sorted(SAID.splitlines())
    assert ["".join(cell["source"]) for cell in notebook["cells"][:-1]] == [
        cell["source"] for cell in trained()[:-1]
    ]
    assert reference_run.main(["week1_attention"]) == 0
    assert capsys.readouterr().out == "week1_attention: 0 discussions changed\n"


@pytest.mark.slow
def test_a_run_that_fails_is_not_stored(tmp_path, monkeypatch):
    cells = trained()
    cells[0]["source"] += "\nimport os\nos._exit(1)"
    make_course(tmp_path, [])
    path = tmp_path / "source" / "week1_attention" / "attention.ipynb"
    path.write_bytes(to_bytes(cells))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CourseError, match=f"cell {cells[0]['id']} raises DeadKernelError"):
        reference_run.main(["week1_attention"])
    assert path.read_bytes() == to_bytes(cells)


@pytest.mark.slow
@pytest.mark.parametrize("there", [True, False])
def test_what_an_optional_experiment_printed_is_kept_where_it_is_skipped(
    there, tmp_path, monkeypatch, capsys
):
    cells = trained()
    cells[-2]["metadata"]["tags"] = ["optional"]
    cells[-2]["source"] = (
        '# @title Experiment: a coin\nif SEED > 5:\n    finding(True, "Many heads.", "Few.")\n'
        'else:\n    print("Skipped.")\nbeside_guess(my_guess, "many")'
    )
    cells[0]["source"] = f"SEED = {9 if there else 2}"
    cells[-1]["source"] = with_stored(cells[-1]["source"], "An old run.")
    make_course(tmp_path, [])
    path = tmp_path / "source" / "week1_attention" / "attention.ipynb"
    path.write_bytes(to_bytes(cells))
    monkeypatch.chdir(tmp_path)
    assert reference_run.main(["week1_attention"]) == 0
    assert capsys.readouterr().out == f"week1_attention: {int(there)} discussions changed\n"
    discussion = "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][-1]["source"])
    assert stored(discussion) == ("Many heads." if there else "An old run.")
