"""Every week's notebook as a student meets it: opened in JupyterLab, and with its last cell.

That it runs, filled and unfilled, `course check` shows.
"""

import re
import shutil
from pathlib import Path

import nbformat
import pytest
import torch
from jupyter_lab import TOKEN, served
from nbclient import NotebookClient
from quick import ALL
from static_site import serving

from coursekit.authoring.checks.execution import execute
from coursekit.course.bank import read_bank
from coursekit.course.config import open_course
from coursekit.engine.reader.repair import same_code
from coursekit.engine.shared.master import SOLUTION_CELL, TEST, defined_names, fill

ROOT = Path(__file__).parent.parent
COURSE = open_course(ROOT)
every_week = pytest.mark.parametrize("week", COURSE.weeks, ids=lambda week: week.name)


def printed(master, sources, wanted, without):
    """Run the code cells whose ids begin like one of these, filled with these answers: {cell: what it printed}."""
    notebook = nbformat.reads(fill(master, sources).decode(), 4)
    notebook.cells = [
        cell
        for cell in notebook.cells
        if cell.cell_type == "code" and cell.id.startswith(wanted) and not cell.id.endswith(without)
    ]
    found = {}
    for cell, output in execute(nbformat.writes(notebook).encode()).outputs:
        found[cell] = found.get(cell, "") + output.get("text", "")
    return found


@pytest.mark.slow
def test_the_last_cell_tells_which_questions_pass():
    """One question answered right, one wrong, the others not; one test cell not run."""
    master = COURSE.master(COURSE.weeks[0])
    sources = {
        "softmax": master.solutions["softmax"],
        "causal_mask": "def causal_mask(length):\n    return None",
    }
    wanted = (
        "setup",
        "tools",
        "test-helpers",
        "softmax",
        "attention",
        "causal-mask",
        "padding-mask",
        "scaling",
        "progress",
    )
    text = printed(master, sources, wanted, without="attention-mask")["progress"]
    rows = {line.split(".")[0]: line for line in text.splitlines()}
    assert re.search(r" 3 of 3$", rows["Question 1"]), text
    assert " 0 of " in rows["Question 2"] and "attention_mask not run" in rows["Question 2"], text
    assert "attention_worked not done" in rows["Question 2"], text
    assert "causal_mask_values fails" in rows["Question 3"], text
    assert "a person grades it" in rows["Question 7"], text
    assert "Hidden tests also check that your code does what its docstring says." in text


def test_week_4_knows_what_each_mistake_in_a_block_gives():
    """The numbers stand in a setup cell, where formulas would be an answer to question 3."""
    setup: dict = {}
    exec(COURSE.master(COURSE.week("week4_encoder")).setup_source, setup)
    x = setup["SAMPLE"].double()
    weights = {name: value.double() for name, value in setup["block_weights"](4, 5, 31).items()}
    layer = setup["torch_layer"](weights, 2)

    def attend(x):
        return layer.self_attn(x, x, x)[0]

    def feed(x):
        return layer.linear2(layer.linear1(x).relu())

    norm1, norm2 = layer.norm1, layer.norm2
    h, without, exchanged = norm1(x + attend(x)), norm1(attend(x)), norm2(x + attend(x))
    unscaled = x + attend(x)
    pre_norm = setup["torch_encoder"]([weights], 2, x, norm_first=True)[0]
    outputs = {
        "That is pre-norm: here the norm should come after the addition.": pre_norm,
        "Both residual connections are missing.": norm2(feed(without)),
        "The residual connection around the attention is missing.": norm2(without + feed(without)),
        "The residual connection around the feed-forward network is missing.": norm2(feed(h)),
        "The second addition adds x; it should add h, what norm1 gave.": norm2(x + feed(h)),
        "The feed-forward network was given x: give it h, what norm1 gave.": norm2(h + feed(x)),
        "After both additions, the same gamma and beta are used; norm2 should have its own.": norm1(
            h + feed(h)
        ),
        "norm1 and norm2 are exchanged.": norm1(exchanged + feed(exchanged)),
        "Both norms are missing.": unscaled + feed(unscaled),
        "The last norm is missing.": h + feed(h),
        "The feed-forward half is missing.": h,
    }
    assert list(outputs) == list(setup["SAMPLE_MISTAKES"])
    for sentence, output in outputs.items():
        torch.testing.assert_close(
            setup["SAMPLE_MISTAKES"][sentence].double(), output.detach(), atol=1e-5, rtol=0, msg=sentence
        )


@pytest.mark.slow
def test_a_test_says_which_earlier_answer_is_not_right_yet():
    """In the student's own notebook a later question uses the student's earlier answers."""
    master = COURSE.master(COURSE.week("week4_encoder"))
    wrong = master.solutions["layer_norm"].replace("+ self.beta", "- self.beta")
    wanted = ("setup", "tools", "test-helpers", "given", "layer-norm", "feed-forward", "encoder-block")
    said = printed(master, master.solutions | {"layer_norm": wrong}, wanted, without="picture")
    assert "layer_norm_learned does not pass yet" in said["encoder-block-values"]
    assert "feed_forward_worked" not in said["encoder-block-values"]
    assert said["encoder-block-parts"] == "encoder_block_parts: passed\n"


@every_week
def test_no_later_cell_takes_the_name_of_a_helper(week):
    """Experiments call the students' answers, and these call whatever helpers stand beside them."""
    master = COURSE.master(week)
    names = {question.id: question.names for question in master.questions}
    place = {cell.grade_id: cell.index for cell in master.cells if cell.role == SOLUTION_CELL}
    given = [cell for cell in master.cells if cell.kind == "code" and cell.role not in (SOLUTION_CELL, TEST)]
    taken = [
        (answer.name, name, cell.cell_id)
        for answer in read_bank(COURSE, week)
        if answer.right
        for name in set(defined_names(answer.source)).difference(names[answer.question])
        for cell in given
        if cell.index > place[answer.question] and name in defined_names(cell.source)
    ]
    assert taken == []


@every_week
def test_the_release_is_what_fill_makes_of_no_answers(week):
    """What the tests and the demo take for an untouched notebook is the one that students get."""
    master = COURSE.master(week)
    made = nbformat.reads(fill(master, {}).decode(), 4)
    released = nbformat.read(COURSE.release(week), 4)
    for ours, theirs, cell in zip(made.cells, released.cells, master.cells, strict=True):
        if cell.role == SOLUTION_CELL:  # nbgrader leaves a comment there
            assert same_code(ours.source, theirs.source)
        else:
            assert ours.source.strip() == theirs.source.strip()


@pytest.mark.parametrize(
    ("content", "found"), [(None, "http://127.0.0.1"), (b"a log-in page", "the excerpt")]
)
def test_week_5_fetches_its_text_by_hash(content, found, tmp_path, monkeypatch):
    """On Colab: nothing beside the notebook, the text from the students' repository, or a page that is not it."""
    week = COURSE.week("week5_tokenizer")
    folder = tmp_path / "served"
    folder.mkdir()
    text = (COURSE.release(week).parent / "pride_and_prejudice.txt").read_bytes()
    (folder / "pride_and_prejudice.txt").write_bytes(content or text)
    sources = {cell.cell_id: cell.source for cell in COURSE.master(week).cells}
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(COURSE.master(week).setup_source, names)
    with serving(folder) as address:
        exec(re.sub(r'TEXT_PLACE = ".*"', f'TEXT_PLACE = "{address}"', sources["text"]), names)
    assert names["found"].startswith(found)
    assert (names["novel"] == text.decode("ascii")) == (content is None)
    assert (tmp_path / "pride_and_prejudice.txt").exists() == (content is None)


@pytest.mark.slow
def test_run_all_reaches_the_last_cell(tmp_path):
    """As handed out, with no answer in it and nothing beside it, in what goes on only after cells that say so.

    `course check` holds all weeks to the tags; this shows for one what they do.
    """
    notebook = nbformat.read(COURSE.release(COURSE.weeks[0]), 4)
    client = NotebookClient(notebook, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    progress, hand_in = notebook.cells[-2:]
    assert "visible tests" in progress.outputs[0].text
    assert "type your student id" in hand_in.outputs[0].text
    assert any(output.output_type == "error" for cell in notebook.cells for output in cell.get("outputs", []))


@pytest.mark.slow
def test_they_open_in_jupyterlab_without_a_warning(chromium, tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    for week in COURSE.weeks:
        shutil.copy(COURSE.release(week), work)
    with served(work, tmp_path) as address, chromium.new_context() as context:
        context.route(lambda url: "127.0.0.1" not in url, lambda route: route.abort())
        page = context.new_page()
        for week in COURSE.weeks[:: 1 if ALL else 3]:
            number = re.match(r"week(\d+)", week.name)[1]
            page.goto(f"{address}/lab/tree/{week.notebook}.ipynb?reset&token={TOKEN}")
            heading = f".jp-Notebook .jp-MarkdownCell h1:has-text('Week {number}')"
            page.wait_for_selector(heading, timeout=60_000)
            page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)
            page.wait_for_timeout(3000)  # a warning comes as a dialog or a notification a moment later
            assert page.locator(".jp-Dialog").count() == 0
            toasts = page.locator(".jp-toast-message").all_inner_texts()
            assert [toast for toast in toasts if "Jupyter news" not in toast] == [], "asked of every new user"
            assert page.locator(".jp-Notebook .katex-error, .jp-Notebook merror").count() == 0
