"""What the reference run prints is kept in the folded discussions, for those who cannot train: written and checked."""

import nbformat
import pytest
from small_course import code, make_course, notebook_of
from test_findings import lesson, master

from coursekit.authoring.checks.execution import NotebookRun, execute
from coursekit.authoring.lesson import reference_run
from coursekit.authoring.lesson.findings import FINDING, printed
from coursekit.authoring.lesson.reference_run import HEADING, check_stored, experiments, stored, with_stored
from coursekit.engine.shared.errors import CourseError

PRINTED = [
    "5 heads: more than two.",
    "heads  flips",
]  # in some order: the one is displayed, the other printed


def trained():
    """The lesson of `test_findings`, with a training above its experiment."""
    cells = lesson()
    cells[-2]["source"] = cells[-2]["source"].replace("print(", 'print("learning:   0%|   | 0/30")\nprint(')
    return [*cells[:2], code("train", "sides = 2", tags=["training"]), *cells[2:]]


BEFORE = trained()[-1]["source"]


@pytest.fixture
def write(tmp_path, monkeypatch, capsys):
    """Runs the command on a course with this notebook; returns what it printed, and the notebook as it is then."""
    make_course(tmp_path, [])
    path = tmp_path / "source" / "week1_attention" / "attention.ipynb"
    monkeypatch.chdir(tmp_path)

    def run(cells):
        path.write_bytes(notebook_of(*cells))
        assert reference_run.main(["week1_attention"]) == 0
        return capsys.readouterr().out, nbformat.read(path, 4)

    run.path = path
    return run


def problems(run, text):
    cells = trained()
    cells[-1]["source"] = text
    return "\n".join(check_stored(run, master(cells)))


def test_only_what_stands_below_a_training_needs_it():
    pairs = [(cell.cell_id, below.cell_id) for cell, below in experiments(master(trained()))]
    assert pairs == [("coin", "coin-said")]
    assert list(experiments(master(lesson()))) == []


def test_the_text_is_put_at_the_end_of_the_fold_and_replaced():
    once = with_stored(BEFORE, "3 of 4")
    assert once.startswith(BEFORE.removesuffix("\n</details>"))
    assert once.endswith("```\n\n</details>") and once.count(HEADING) == 1
    assert stored(BEFORE) is None and stored(once) == "3 of 4"
    assert with_stored(once, "3 of 4") == once
    assert stored(with_stored(once, "other")) == "other" and with_stored(once, "other").count(HEADING) == 1


def test_it_is_what_the_cell_printed_without_progress_and_guess():
    run = execute(notebook_of(*trained()))
    assert sorted(printed(run, "coin").splitlines()) == PRINTED
    assert printed(run, "train") == ""
    missing = "cell coin-said: what the reference run prints is missing"
    assert problems(run, BEFORE).startswith(missing)
    assert problems(run, with_stored(BEFORE, printed(run, "coin"))) == ""


@pytest.mark.parametrize(
    ("sentence", "text", "reported"),
    [
        ("5 heads: more than two.", "5 heads: no more than two.", True),
        ("5 heads: more than two.", "12 heads: more than two.", False),
        ("'the' gets 0.31.", "'cat' gets 0.29.", False),
        (
            "With another's source 3 are right, with the date's own 9.",
            "With another's source 4 are right.",
            True,
        ),
        ("'the' gets most.", "'the' gets least.", True),
    ],
)
def test_only_numbers_and_quotations_may_differ(sentence, text, reported):
    """An apostrophe is no quotation mark."""
    output = nbformat.v4.new_output("display_data", {FINDING: "holds", "text/plain": sentence})
    found = problems(NotebookRun(outputs=[("coin", output)]), with_stored(BEFORE, text))
    assert (f"does not have {sentence!r}" in found) == bool(found) == reported


@pytest.mark.slow
def test_the_command_writes_what_the_source_then_holds(write):
    """And leaves all the rest of the file as it is."""
    printed_once, notebook = write(trained())
    assert printed_once == "week1_attention: 1 discussions changed\n"
    nbformat.validate(notebook)
    assert sorted(stored(notebook.cells[-1].source).splitlines()) == PRINTED
    assert [cell.source for cell in notebook.cells[:-1]] == [cell["source"] for cell in trained()[:-1]]


@pytest.mark.slow
def test_a_run_that_fails_is_not_stored(write):
    cells = trained()
    cells[0]["source"] += "\nimport os\nos._exit(1)"
    with pytest.raises(CourseError, match=f"cell {cells[0]['id']} raises DeadKernelError"):
        write(cells)
    assert write.path.read_bytes() == notebook_of(*cells)


@pytest.mark.slow
@pytest.mark.parametrize("available", [True, False])
def test_what_an_optional_experiment_printed_is_kept_where_it_is_skipped(available, write):
    cells = trained()
    cells[-2]["metadata"]["tags"] = ["optional"]
    cells[-2]["source"] = (
        '# @title Experiment: a coin\nif SEED > 5:\n    finding(True, "Many heads.", "Few.")\n'
        'else:\n    print("Skipped.")\nbeside_guess(my_guess, "many")'
    )
    cells[0]["source"] = f"SEED = {9 if available else 2}"
    cells[-1]["source"] = with_stored(BEFORE, "An old run.")
    reported, notebook = write(cells)
    assert reported == f"week1_attention: {int(available)} discussions changed\n"
    assert stored(notebook.cells[-1].source) == ("Many heads." if available else "An old run.")
