"""The explorer: its numbers against PyTorch, its claims, the keyboard, the screen reader, and what it must never do."""

import ast
import inspect
import itertools
import json
import math
import random
import re
from contextlib import contextmanager

import matplotlib
import nbformat
import numpy as np
import pytest
import torch
from axe_playwright_python.sync_playwright import Axe
from nbclient import NotebookClient
from quick import first
from small_course import ROOT

from assets.explorer import build, measure, storage, train
from assets.explorer.encoder import Block, Reader, Settings, positions
from assets.explorer.export import export_attention
from assets.explorer.frame import frame
from assets.explorer.parameters import read_parameters
from assets.explorer.words import ANSWERS, GAP, MANY, NOUNS, ONE, VOCABULARY, draw, held_out
from coursekit.authoring.publish.publish import publish
from coursekit.course.config import open_course

COURSE = open_course(ROOT)
WEEK_4 = COURSE.master(COURSE.week("week4_encoder"))
URL = build.PAGE.as_uri()
CONTENT = json.loads((build.HERE / "content.json").read_text(encoding="utf-8"))
ENCODER = ("layer-norm", "feed-forward", "encoder-block", "encoder")  # cells with the answers of week 4
STORED = storage.read()
DOGS = "the dogs near the cat ___ tired"
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"
PLAIN = {"model": "trained", **Settings().plain()}
compute = build.runner(STORED)


@contextmanager
def opened(chromium, width=1280, url=URL, **options):
    """A page with the explorer, offline. At the end it fails if there was a dialog, message, error or request."""
    context = chromium.new_context(viewport={"width": width, "height": 800}, offline=True, **options)
    page = context.new_page()
    noted = []
    page.on("dialog", lambda dialog: (noted.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.on("console", lambda message: noted.append(f"console {message.text}"))
    page.on("pageerror", lambda error: noted.append(f"error {error}"))
    page.on("request", lambda request: request.url in (url, "about:srcdoc") or noted.append(request.url))
    page.set_default_timeout(30_000)  # a busy machine takes its time; what never comes fails all the same
    page.goto(url)
    yield page
    assert noted == []
    context.close()


@pytest.fixture(scope="module")
def shared(chromium):
    """One page for all that only asks it for numbers."""
    with opened(chromium) as page:
        yield page


@pytest.fixture
def page(chromium):
    with opened(chromium) as page:
        yield page


def ask(page, words, settings):
    # As one text: playwright takes long for deep lists.
    return json.loads(page.evaluate("([w, s]) => JSON.stringify(explorer.run(w, s))", [words, settings]))


def text(page, name):
    return page.locator(f"#{name}").inner_text()


def cell(page, row, column):
    return page.locator(f'#head [data-row="{row}"][data-column="{column}"]')


def read_sentence(page, sentence):
    page.fill("#words", sentence)
    page.press("#words", "Enter")


# The file


def test_the_page_is_what_the_script_makes_now_and_is_small(announce):
    made = build.page()
    assert made == build.page(), "two runs give the same bytes"
    assert build.PAGE.read_text(encoding="utf-8") == made, "run `python -m assets.explorer.build`"
    size = build.PAGE.stat().st_size
    announce(f"explorer/index.html has {size:,} bytes")
    assert size < 500_000
    assert build.main(["--check"]) == 0
    for line in re.findall(r"\b(?:https?:)?//[\w.]+\.\w+[^\s\"'<]*", made):
        assert line == "http://www.w3.org/2000/svg", "the only address is the name of SVG"


def test_a_claim_that_is_not_true_stops_the_build():
    content = json.loads(json.dumps(CONTENT))
    content["steps"][0]["numbers"]["other"]["is"] = {"above": 0.9}
    with pytest.raises(ValueError, match="Where does the gap look.*other.*is not above 0.9"):
        build.steps(content, STORED)


# The encoder and its training


def test_the_encoder_is_pytorchs_own():
    torch.manual_seed(1)
    block = Block(32, 4, 64).double()
    with torch.no_grad():
        for name, parameter in block.named_parameters():
            if "norm" in name:
                parameter.copy_(torch.randn(32) + ("gamma" in name))
    theirs = torch.nn.TransformerEncoderLayer(32, 4, 64, 0.0, batch_first=True, dtype=torch.float64).eval()
    mine, state = block.state_dict(), {}
    for kind, other in (("weight", "gamma"), ("bias", "beta")):
        parts = [mine[f"attention.W_{letter}.{kind}"] for letter in "QKV"]
        state |= {
            f"self_attn.in_proj_{kind}": torch.cat(parts),
            f"self_attn.out_proj.{kind}": mine[f"attention.W_O.{kind}"],
            **{f"linear{n}.{kind}": mine[f"feed_forward.linear{n}.{kind}"] for n in (1, 2)},
            **{f"norm{n}.{kind}": mine[f"norm{n}.{other}"] for n in (1, 2)},
        }
    theirs.load_state_dict(state)
    x = torch.randn(3, 7, 32, dtype=torch.float64)
    mask = torch.ones(7, 7, dtype=torch.bool).tril()
    torch.testing.assert_close(block(x, mask), theirs(x, src_mask=~mask), atol=1e-9, rtol=0)
    assert positions(4, 32)[3, 1] == pytest.approx(torch.cos(torch.tensor(3.0)).item())


def test_the_language_has_one_right_answer():
    chance = random.Random(5)
    for test in (False, True):
        for _ in range(500):
            words, subject, answer = draw(chance, test)
            assert set(words) <= set(VOCABULARY) and words.count(GAP) == 1
            assert (words[subject] in MANY) == bool(answer) == (ANSWERS[answer] == "are")
            others = [word for place, word in enumerate(words) if word in NOUNS and place != subject]
            assert any(held_out(words[subject], other) for other in others) == test
    assert len(ONE) == len(MANY) and len(set(VOCABULARY)) == len(VOCABULARY)


def test_what_is_said_of_the_training_is_so():
    trained, untrained = (storage.unpack(STORED["models"][name]) for name in ("trained", "untrained"))
    sentences, notes = train.test_sentences(), STORED["training"]
    for name, reader in (("right", trained), ("right_untrained", untrained)):
        assert train.right(reader, sentences, causal=False).float().mean().item() == pytest.approx(
            notes[name], abs=0.002
        )
    shares = train.subject_shares(trained, sentences)
    assert torch.tensor(shares) == pytest.approx(torch.tensor(notes["subject_shares"]), abs=0.002)
    assert notes["seed"] == train.SEED and notes["steps"] == train.STEPS and notes["sentences"] == train.TESTS
    assert storage.pack(trained) == STORED["models"]["trained"], "rounded once, they stay as they are"


@pytest.mark.slow
def test_two_trainings_give_the_same_bytes(monkeypatch):
    monkeypatch.setattr(train, "STEPS", 30)
    first, second = (storage.pack(train.train(3)[0]) for _ in range(2))
    assert first == second
    torch.manual_seed(3)
    assert first != storage.pack(Reader())


# The numbers

SENTENCES = [
    "the dogs near the cat ___ tired",
    "___ the old geese that chased the fox asleep",
    "today the wug ___ quiet",
    "cat",
    "the the ___ ___ mice constructor [pad] with here now that children near foxes the horse",
]


def furthest(mine, theirs):
    """The largest difference between two nests of lists with the same shape."""
    mine, theirs = np.array(mine, dtype=float), np.array(theirs, dtype=float)
    assert mine.shape == theirs.shape
    return float(np.abs(mine - theirs).max())


@pytest.mark.slow
@pytest.mark.parametrize("sentences", first(1, [SENTENCES[:1], SENTENCES]), ids=["one", "all"])
def test_every_number_is_pytorchs(shared, announce, sentences):
    choices = {
        "model": ["trained", "untrained"],
        "scale": [True, False],
        "causal": [False, True],
        "padding": [(0, True), (3, True), (3, False)],
        "without": [-1, 0, 1],
    }
    largest, runs = 0.0, 0
    for words, values in itertools.product(map(str.split, sentences), itertools.product(*choices.values())):
        settings = dict(zip(choices, values, strict=True))
        settings["padding"], settings["hide_padding"] = settings["padding"]
        got, want = ask(shared, words, settings), compute(words, settings)
        assert got["tokens"] == want["tokens"] and got["mask"] == want["mask"]
        assert (got["probabilities"] is None) == (want["probabilities"] is None)
        if want["probabilities"]:
            largest = max(largest, furthest(got["probabilities"], want["probabilities"]))
        assert len(got["layers"]) == len(want["layers"]) == 2
        for mine, theirs in zip(got["layers"], want["layers"], strict=True):
            assert set(mine) == set(theirs) == {"q", "k", "v", "scores", "weights", "output"}
            largest = max([largest, *(furthest(mine[name], theirs[name]) for name in theirs)])
            for head in mine["weights"]:
                for row, open_ in zip(head, got["mask"], strict=True):
                    assert all(open_[j] or weight == 0 for j, weight in enumerate(row)), (
                        "blocked is exactly 0"
                    )
        runs += 1
    announce(f"explorer: {runs} runs, the largest difference to PyTorch is {largest:.1e}")
    assert runs == 72 * len(sentences) and largest < 1e-4


@pytest.mark.slow
def test_each_steps_claim_is_true_of_what_is_shown(page):
    def run(words, settings):
        return ask(page, words, settings)

    assert 5 <= len(CONTENT["steps"]) <= 8
    for number, step in enumerate(CONTENT["steps"]):
        assert text(page, "step-title") == f"Step {number + 1} of {len(CONTENT['steps'])}: {step['title']}"
        page.click("#step-set")
        state = page.evaluate("explorer.state()")
        assert " ".join(state["words"]) == step["sentence"] and state["source"] == "model"
        assert state["settings"] == {**PLAIN, **step.get("settings", {})}
        show = step["show"]
        wanted = [show["layer"] - 1, show["head"] - 1, show["query"], show["key"]]
        assert [state[name] for name in ("layer", "head", "query", "key")] == wanted
        values, wrong = measure.findings(step, run, STORED["training"])
        assert wrong == []
        page.click("#step-answer summary")
        assert text(page, "step-found") == measure.sentence(step, values)
        # What the step talks about is what the pictures show.
        seen = run(state["words"], state["settings"])
        weight = seen["layers"][state["layer"]]["weights"][state["head"]][state["query"]][state["key"]]
        assert text(page, "cell-live").endswith(f"weight {weight:.2f}")
        assert cell(page, show["query"], show["key"]).get_attribute("aria-selected") == "true"
        shown = {wanted.get("layer"): 1 for wanted in step["numbers"].values() if "settings" not in wanted}
        assert set(shown) & {show["layer"], None}
        if number + 1 < len(CONTENT["steps"]):
            page.click("#step-next")
    assert page.locator("#step-next").is_disabled()


def numbers(row):
    return [float(entry.replace("\u2212", "-")) for entry in row if re.fullmatch(r"\u2212?\d+\.\d+", entry)]


@pytest.mark.slow
@pytest.mark.parametrize("scale", first(1, [True, False]))
def test_the_arithmetic_can_be_followed_by_hand(page, scale):
    page.set_checked("#scale", scale)
    cell(page, 6, 4).click()
    words = DOGS.split()
    seen = compute(words, {"scale": scale})["layers"][1]
    tables = [
        [[entry.inner_text() for entry in row.locator("th, td").all()] for row in table.locator("tr").all()]
        for table in page.locator("#arithmetic table").all()
    ]
    product, softmax, values = ([numbers(row[1:]) for row in table] for table in tables)
    columns = list(zip(*product[1:9], strict=True))
    for got, name, place in ((columns[0], "q", 6), (columns[1], "k", 4)):
        assert got == pytest.approx(seen[name][0][place], abs=6e-4)
    by_hand = sum(q * k for q, k in zip(columns[0], columns[1], strict=True))
    assert product[9] == pytest.approx([by_hand], abs=0.01)
    assert product[9] == pytest.approx([sum(columns[2])], abs=0.01)
    line = page.locator("#arithmetic").inner_text().split("q · k itself, ")[-1]
    found = re.findall(r"\u2212?\d+\.\d+", text(page, "score-line") if scale else line)
    score = numbers(found)[-1 if scale else 0]
    assert score == pytest.approx(by_hand / (8**0.5 if scale else 1), abs=0.01)
    assert score == pytest.approx(seen["scores"][0][6][4], abs=6e-4)
    rows = softmax[1:8]
    powers = [2.718281828 ** (row[0] - max(other[0] for other in rows)) for row in rows]
    assert [row[2] for row in rows] == pytest.approx(powers, abs=0.002)
    assert [row[3] for row in rows] == pytest.approx([power / sum(powers) for power in powers], abs=0.002)
    weighted = [sum(row[0] * row[1 + c] for row in values[1:8]) for c in range(8)]
    assert values[8] == pytest.approx(weighted, abs=0.02)
    assert values[8] == pytest.approx(seen["output"][0][6], abs=6e-4)
    assert tables[1][5][0] == "4 cat"
    assert page.locator("#arithmetic tr.here").count() == 3


# Keys and words


FOCUSED = "[document.activeElement.dataset.row, document.activeElement.dataset.column].map(Number)"


@pytest.mark.slow
def test_arrow_keys_walk_the_head_and_the_live_text_follows(page):
    weights = compute(DOGS.split(), {})["layers"][1]["weights"][0]
    labels = ["0 the", "1 dogs", "2 near", "3 the", "4 cat", "5 gap", "6 tired"]
    cell(page, 5, 1).focus()
    walked = [
        ("ArrowRight", 5, 2), ("ArrowUp", 4, 2), ("ArrowLeft", 4, 1), ("ArrowDown", 5, 1), ("Home", 5, 0),
        ("ArrowLeft", 5, 0), ("End", 5, 6), ("ArrowRight", 5, 6), ("Control+Home", 0, 0), ("ArrowUp", 0, 0),
        ("Control+End", 6, 6), ("ArrowDown", 6, 6),
    ]  # fmt: skip
    for key, row, column in walked:
        page.keyboard.press(key)
        assert page.evaluate(FOCUSED) == [row, column], key
        place = f"query {labels[row]}, key {labels[column]}"
        assert text(page, "cell-live") == f"{place}: weight {weights[row][column]:.2f}"
        assert page.locator("#head [tabindex='0']").count() == 1, "one stop for the Tab key"
        assert page.locator("#head [aria-selected='true']").count() == 1
        assert page.locator("#arithmetic p").first.inner_text().startswith(f"{place.capitalize()},")
    assert page.locator("#cell-live").get_attribute("aria-live") == "polite"
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.closest('#head')"), "Tab leaves the grid"
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.dataset.row") == "6", "and comes back to the same cell"


@pytest.mark.slow
def test_a_head_is_chosen_by_keys(page):
    page.locator("#all [aria-pressed='true']").focus()
    for key, layer, head in (("ArrowUp", 1, 1), ("ArrowRight", 1, 2), ("End", 1, 4), ("Control+End", 2, 4)):
        page.keyboard.press(key)
        focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert focused.startswith(f"layer {layer}, head {head}: "), key
    assert text(page, "head-title") == "One head: layer 2, head 1", "walking chooses nothing"
    page.keyboard.press("Enter")
    assert text(page, "head-title") == "One head: layer 2, head 4"
    assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true", "the focus stays"
    page.locator("#all button").first.click()
    assert text(page, "head-title") == "One head: layer 1, head 1"
    rows = compute(DOGS.split(), {})["layers"][0]["weights"][0]
    shown = [float(entry) for entry in page.locator("#head [role=gridcell]").all_inner_texts()]
    assert shown == pytest.approx([weight for row in rows for weight in row], abs=0.0051)


@pytest.mark.slow
def test_the_switches_are_real_controls(page):
    def settings():
        return page.evaluate("explorer.state().settings")

    page.get_by_label("divide by √d_k").focus()
    page.keyboard.press("Space")
    assert settings()["scale"] is False
    page.get_by_label("causal mask").press("Space")
    assert settings()["causal"] is True
    assert cell(page, 0, 3).inner_text() == "–"
    cell(page, 0, 3).click()
    assert text(page, "cell-live") == "query 0 the, key 3 the: blocked, weight 0"
    assert "This key is blocked" in page.locator("#arithmetic").inner_text()
    page.get_by_label("untrained", exact=True).check()
    page.get_by_label("three tokens, not masked").check()
    assert page.locator("#head tbody tr").count() == 10
    page.get_by_label("Take a word away").select_option("4")
    assert settings() == {
        "model": "untrained", "scale": False, "causal": True, "padding": 3, "hide_padding": False, "without": 4,
    }  # fmt: skip
    caption = "untrained, without the scale, causal mask, padding not masked, without 4 cat"
    assert text(page, "head-source") == text(page, "all-source") == f"This page's encoder: {caption}"
    want = compute(DOGS.split(), settings())["probabilities"]
    assert text(page, "answer").endswith(f"Probabilities: “is” {want[0]:.2f} and “are” {want[1]:.2f}.")
    page.get_by_label("none", exact=True).first.check()
    assert page.locator("#head tbody tr").count() == 7


@pytest.mark.slow
@pytest.mark.parametrize(
    "sentence, tokens, said",
    first(3, [
        ("The DOGS, near the cat ___ tired!", "the dogs near the cat gap tired", ""),
        ("the dogs are tired", "the dogs gap tired", "“are” was replaced by the gap"),
        (HOSTILE, "img src x onerror alert 1 script alert 2 script", "does not know “img”"),
        ("the wugs saw the blick ____", "the wugs saw the blick gap", "not know “wugs”, “blick”: they count"),
        ("the constructor ___ __proto__", "the constructor gap gap proto gap", "does not know “constructor”, “proto”"),
        ("the dogs", "the dogs", "There is no gap in it"),
        ("the " * 20 + "___", "the " * 16, "Only the first 16 words"),
        ("___ the dogs ___", "gap the dogs gap", "The answer is that of the first gap."),
        ("...", None, "Write at least one word."),
    ]),
)  # fmt: skip
def test_a_sentence_of_ones_own(page, sentence, tokens, said):
    before = page.locator("#tokens li").all_inner_texts()
    read_sentence(page, sentence)
    shown = page.locator("#tokens li").all_inner_texts()
    if tokens is None:
        assert shown == before
    else:
        assert [entry.split()[1] for entry in shown] == tokens.split()
    assert said in text(page, "sentence-live") and bool(said) == bool(text(page, "sentence-live"))
    assert page.locator("#tool img, #tool script").count() == 0
    if tokens and "gap" not in tokens:
        assert text(page, "answer") == "There is no gap in the sentence, so there is no answer."


@pytest.mark.slow
def test_a_shorter_sentence_keeps_everything_in_range(page):
    page.get_by_label("Take a word away").select_option("6")
    cell(page, 6, 6).click()
    read_sentence(page, "cats ___")
    state = page.evaluate("explorer.state()")
    assert (state["query"], state["key"], state["settings"]["without"]) == (1, 1, -1)
    assert text(page, "cell-live").startswith("query 1 gap, key 1 gap: weight ")
    page.select_option("#choose", "the cat ___ happy")
    assert page.input_value("#words") == "the cat ___ happy"


# Mine against the reference


def own(page, **changes):
    """Paste a file and compare."""
    page.fill("#mine-text", json.dumps(changes) if "raw" not in changes else changes["raw"])
    page.click("#mine-compare")
    return text(page, "mine-live")


def test_what_the_notebook_exports_is_compared_with_the_page(page, tmp_path):
    words = CONTENT["sentences"][1].split()
    reader = storage.unpack(STORED["models"]["trained"])
    with torch.no_grad():
        ids = torch.tensor([[VOCABULARY.index(word) for word in words]])
        reader(ids, torch.ones(1, 1, 7, 7, dtype=torch.bool))
    weights = [layer.attention.seen["weights"] for layer in reader.layers]  # each (1, heads, query, key)
    path = export_attention(words, weights, path=tmp_path / "attention.json")
    page.set_input_files("#mine-file", path)
    page.wait_for_function("document.getElementById('mine-live').textContent")
    said = text(page, "mine-live")
    assert said.startswith("Yours agrees with this page's encoder: the largest difference is ")
    assert float(said.split()[-1].rstrip(".").replace("\u2212", "-")) < 1e-5
    page.get_by_label("mine", exact=True).check()
    tokens = [f"{place} {'gap' if word == GAP else word}" for place, word in enumerate(words)]
    assert page.locator("#tokens li").all_inner_texts() == tokens
    shown = [float(entry) for entry in page.locator("#head [role=gridcell]").all_inner_texts()]
    assert shown == pytest.approx(weights[1][0, 0].flatten().tolist(), abs=0.0051)
    assert "a file holds no queries" in page.locator("#arithmetic").inner_text()
    # With a switch the reference changes, and the comparison with it.
    page.set_checked("#scale", False)
    assert text(page, "mine-live").startswith("Yours differs from this page's encoder.")
    page.click("#mine-forget")
    assert text(page, "mine-live") == "" and page.locator("#mine-result").is_hidden()


def test_the_encoder_of_week_4_gives_the_pages_weights(page, tmp_path):
    """The course's own answers, with the page's parameters in them: what a student does with theirs."""
    names = {"torch": torch, "nn": torch.nn, "math": math, "device": torch.device("cpu")}
    sources = {cell.cell_id: cell.source for cell in WEEK_4.cells}
    for part in ("given-weeks-1-to-3", *ENCODER):
        exec(sources[part], names)
    vocabulary, parameters = read_parameters(build.PAGE.read_text(encoding="utf-8"))
    encoder = names["TransformerEncoder"](2, 32, 4, 64).eval()
    layers = {name: tensor for name, tensor in parameters.items() if name.startswith("layers.")}
    encoder.load_state_dict(layers)
    words = DOGS.split()
    ids = torch.tensor([[vocabulary.index(word) for word in words]])
    weights = []
    with torch.no_grad():
        x = names["PositionalEncoding"](32)(parameters["embedding.weight"][ids] * math.sqrt(32))
        for layer in encoder.layers:
            x, seen = layer(x)  # (1, position, 32), (1, heads, query, key)
            weights.append(seen)
        answer = x[0, words.index(GAP)] @ parameters["output.weight"].T + parameters["output.bias"]
    said = own(page, raw=export_attention(words, weights, path=tmp_path / "a.json").read_text())
    assert said.startswith("Yours agrees with this page's encoder: the largest difference is ")
    shown = ask(page, words, {})["probabilities"]
    assert torch.softmax(answer, -1).tolist() == pytest.approx(shown, abs=1e-5)


@pytest.mark.slow
def test_the_largest_difference_is_found(page, tmp_path):
    generator = torch.Generator().manual_seed(7)
    reference = torch.softmax(torch.randn(3, 2, 4, 4, generator=generator), dim=-1)
    mine = reference.clone()
    mine[2, 1, 3, 0] += 0.25
    mine[2, 1, 3, 1] -= 0.25
    mine[2, 1, 3, 1] += 0.01
    mine[0, 0, 0, 0] += 0.03
    path = export_attention(["a", "b", "a", "<b>"], mine.numpy(), reference.tolist(), tmp_path / "a.json")
    said = own(page, raw=path.read_text())
    assert said.startswith(
        "Yours differs from the reference in the file. The largest difference is 0.2500, in layer 3, head 2, "
        f"query 3 <b>, key 0 a: yours {mine[2, 1, 3, 0]:.4f}, reference {reference[2, 1, 3, 0]:.4f}."
    )
    assert "row 0 of layer 1, head 1 sums to 1.030 and not to 1" in said
    table = numbers(page.locator("#mine-table td").all_inner_texts())
    assert table[0] == pytest.approx(0.03, abs=1e-4) and table[-1] == pytest.approx(0.25, abs=1e-4)
    page.click("#mine-go")
    assert page.evaluate(FOCUSED) == [3, 0]
    assert text(page, "cell-live").endswith(
        f"weight {mine[2, 1, 3, 0]:.4f}; the reference has {reference[2, 1, 3, 0]:.4f}"
    )
    assert page.locator("#all button").count() == 6
    page.get_by_label("the reference", exact=True).check()
    assert text(page, "cell-live").endswith(f"; yours has {mine[2, 1, 3, 0]:.4f}")
    page.click("#step-set")
    assert page.evaluate("explorer.state().source") == "model" and page.locator("#all button").count() == 8


def test_export_says_what_does_not_fit(tmp_path):
    weights = [torch.ones(1, 2, 3, 3), torch.ones(2, 3, 4)]
    with pytest.raises(ValueError, match=r"weights, layer 2: expected \(heads, 3, 3\)"):
        export_attention(["a", "b", "c"], weights, path=tmp_path / "a.json")
    assert not (tmp_path / "a.json").exists()


GOOD = {"format": "attention-weights-1", "tokens": ["cat", "___"], "weights": [[[[1, 0], [0.5, 0.5]]]]}


@pytest.mark.slow
@pytest.mark.parametrize(
    "raw, said",
    [
        ("", "This is not JSON."),
        (HOSTILE, "This is not JSON."),
        ("[" * 100_000, "This is not JSON."),
        ("null", 'its "format" should be'),
        ({}, "they cannot be compared"),
        ({"tokens": HOSTILE}, "tokens should be a list."),
        ({"tokens": []}, "There should be 1 to 40 tokens."),
        ({"tokens": ["a"] * 41}, "There should be 1 to 40 tokens."),
        ({"tokens": [HOSTILE, "___"]}, "does not know “<img src=x"),
        ({"weights": []}, "weights should be a list of 1 to 12 layers."),
        ({"weights": [[[[1, 0]]]]}, "Layer 1, head 1 of weights has 1 entries, not 2."),
        ({"weights": [[[[1, 0], [0.5, HOSTILE]]]]}, "holds something that is no finite number"),
        ({"reference": {"a": 1}}, "reference should be a list"),
    ],
)
def test_a_file_that_cannot_be_used_becomes_a_sentence(page, raw, said):
    """A text, or what differs from a file that can be used."""
    assert said in own(page, raw=raw if isinstance(raw, str) else json.dumps(GOOD | raw))
    assert page.locator("#mine-result").is_hidden()
    assert page.locator("#tool img, #tool script").count() == 0
    assert page.locator("#all button").count() == 8


def test_hostile_names_stay_text_in_the_pictures(page):
    rows = [[[[0.5, 0.5], [0.5, 0.5]]]]
    said = own(page, format=GOOD["format"], tokens=[HOSTILE, {"a": HOSTILE}], weights=rows, reference=rows)
    assert said.startswith("Yours agrees")
    page.get_by_label("mine", exact=True).check()
    cell(page, 0, 0).click()
    assert f"0 {HOSTILE[:40]}" in text(page, "cell-live")
    assert page.locator("#tool img, #tool script").count() == 0


# Everybody


def states(page):
    """Name after name, with the page in that state: what is looked at for access and for width."""
    yield "as it opens"
    page.click("#step-next")
    page.click("#step-answer summary")
    page.locator("summary").last.click()
    page.set_checked("#causal", True)
    page.get_by_label("three tokens, masked").check()
    cell(page, 0, 4).click()
    yield "with masks and padding"
    read_sentence(page, "a " * 16 + "and more")
    yield "with a long sentence of unknown words"
    rows = torch.softmax(torch.randn(3, 9, 12, 12), dim=-1).tolist()
    own(page, **GOOD | {"tokens": ["incomprehensibilities"] * 12, "weights": rows, "reference": rows[::-1]})
    page.click("#mine-go")
    yield "with a file of many heads"


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_axe_finds_nothing_and_nothing_is_too_wide(chromium, width, scheme):
    with opened(chromium, width, color_scheme=scheme) as page:
        for name in states(page):
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            found = Axe().run(page, options={"resultTypes": ["violations", "incomplete"]}).response
            wrong = [(item["id"], [node["html"] for node in item["nodes"]]) for item in found["violations"]]
            assert wrong == [], name
            # Of what axe cannot judge, only a contrast over a pattern may remain.
            assert {item["id"] for item in found["incomplete"]} <= {"color-contrast"}, name
            assert page.evaluate(IN_SIGHT), f"{name}: the cell in hand stands beside the names of the queries"
            assert page.evaluate(CONTRAST) == [], name


IN_SIGHT = """() => {
  const cell = document.querySelector('#head [aria-selected=true]');
  const names = cell.parentElement.firstElementChild.getBoundingClientRect().right;
  const box = cell.getBoundingClientRect();
  return box.left >= names - 1 && box.right <= cell.closest('.scroll').getBoundingClientRect().right + 1;
}"""


@pytest.mark.slow
def test_a_step_shows_its_cell_on_a_phone(chromium):
    with opened(chromium, 390) as page:
        for _ in CONTENT["steps"][1:]:
            page.click("#step-next")
            page.click("#step-set")
            assert page.evaluate(IN_SIGHT), text(page, "step-title")
        scrolled = page.evaluate("document.querySelector('#head').parentElement.scrollLeft")
        assert scrolled > 0, "the last cell lies far out"


# Cells of the heatmap and of the legend whose text has less contrast than 4.5 to 1.
CONTRAST = """() => {
  const parse = c => c.match(/[\\d.]+/g).map(Number);
  const light = c => {
    const linear = v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const [r, g, b] = c.slice(0, 3).map(v => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const low = [];
  for (const cell of document.querySelectorAll('#head [role=gridcell]:not(.blocked), #legend > span:not(.entry)')) {
    const style = getComputedStyle(cell);
    const [a, b] = [light(parse(style.color)), light(parse(style.backgroundColor))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) low.push([cell.textContent, contrast]);
  }
  return low;
}"""


def test_the_colours_are_those_of_the_notebooks(page):
    """Light is 0 and dark is 1, in seaborn's "Blues", whatever the largest weight of a picture is."""
    blues = matplotlib.colormaps["Blues"]
    rows = compute(DOGS.split(), {})["layers"][1]["weights"][0]
    cells = page.locator("#head [role=gridcell]")
    colours = cells.evaluate_all("all => all.map(cell => getComputedStyle(cell).backgroundColor)")
    for weight, colour in zip([weight for row in rows for weight in row], colours, strict=True):
        channels = [int(channel) for channel in re.findall(r"\d+", colour)]
        assert channels == pytest.approx([255 * channel for channel in blues(weight)[:3]], abs=3)


@pytest.mark.slow
def test_every_control_can_be_reached_and_its_focus_is_seen(page):
    seen = []
    for _ in range(60):
        page.keyboard.press("Tab")
        found = page.evaluate(
            """() => {
              const e = document.activeElement, s = getComputedStyle(e);
              const name = e.id || e.name || e.textContent.slice(0, 20);
              return [name, e.tagName, s.outlineStyle, parseFloat(s.outlineWidth)];
            }"""
        )
        if found[1] == "BODY":
            break
        assert found[2] != "none" and found[3] >= 2, f"{found}: no visible focus"
        seen.append(found[0])
    controls = {"step-set", "step-next", "choose", "words", "model", "scale", "causal", "padding", "without"}
    assert controls | {"mine-file", "mine-text", "mine-compare"} <= set(seen)
    assert page.locator("#head").evaluate("grid => grid.getAttribute('role')") == "grid"
    assert len(seen) < 30, "a grid is one stop"


def test_nothing_moves_and_nothing_needs_hovering():
    style = (build.HERE / "page" / "page.css").read_text(encoding="utf-8")
    assert not re.search(r"transition|animation|@keyframes|:hover|scroll-behavior", style)


def test_without_scripts_it_says_what_it_is(chromium):
    with opened(chromium, java_script_enabled=False) as page:
        assert "scripts are switched off here" in page.locator("noscript").inner_text()
        assert "small Transformer encoder" in page.locator("header").inner_text()
        assert page.locator("main").is_hidden()


@pytest.mark.slow
def test_in_a_notebooks_frame(chromium, tmp_path):
    notebook = tmp_path / "notebook.html"
    for given in (build.PAGE, build.PAGE.read_text(encoding="utf-8")):
        shown = frame(given, height=700).data
        assert 'sandbox="allow-scripts"' in shown and "allow-same-origin" not in shown
        notebook.write_text(f"<!DOCTYPE html><title>n</title><p id=secret>marks</p>{shown}", encoding="utf-8")
        with opened(chromium, url=notebook.as_uri()) as page:
            inside = page.frames[1]
            inside.wait_for_selector("#head [role=gridcell]")
            inside.click("#step-next")
            inside.click("#step-set")
            assert text(inside, "answer").startswith("The encoder answers “are”, which is hardly")
            inside.locator("#head [aria-selected='true']").focus()
            page.keyboard.press("Home")
            assert text(inside, "cell-live").startswith("query 5 gap, key 0 the: weight ")
            inside.get_by_text("To the heatmap", exact=True).click()  # a link inside of the page
            assert inside.evaluate("document.activeElement.id") == "head-title"
            assert inside.locator("#head [role=gridcell]").count() == 49
            assert inside.evaluate("window.origin") == "null"
            reached = "() => { try { return parent.document.body.textContent } catch { return 'kept out' } }"
            assert inside.evaluate(reached) == "kept out"


def test_week_4_holds_copies_of_the_functions_for_notebooks():
    (helper,) = (cell.source for cell in WEEK_4.cells if cell.cell_id == "explorer-helper")
    copies = {node.name: ast.unparse(node) for node in ast.parse(helper).body}
    assert copies == {
        function.__name__: ast.unparse(ast.parse(inspect.getsource(function)).body[0])
        for function in (read_parameters, export_attention, frame)
    }


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_week_4_asks_the_students_encoder_and_shows_the_page(chromium, tmp_path):
    """In a clone of the published course: what the text says of two sentences, and the weights beside the page's."""
    publish(COURSE, [COURSE.week("week4_encoder")], tmp_path)
    wanted = {"given-weeks-1-to-3", "heatmap-helper", "explorer-helper", "guess-trained", "trained-picture"}
    wanted |= {"trained-page", *(cell.cell_id for cell in WEEK_4.setup), *ENCODER}
    notebook = nbformat.reads(COURSE.notebook(COURSE.week("week4_encoder")).decode(), 4)
    notebook.cells = [cell for cell in notebook.cells if cell.id in wanted]
    place = {"metadata": {"path": str(tmp_path / "week4_encoder")}}
    NotebookClient(notebook, kernel_name="python3", timeout=120, resources=place).execute()
    *_, picture, shown = notebook.cells
    (figure,) = (output for output in picture.outputs if output.output_type == "display_data")
    assert "image/png" in figure.data
    streams = [output for output in picture.outputs if output is not figure]
    printed = "".join(output.text for output in streams).splitlines()
    assert printed[0].startswith("'the dogs near the cat ___ tired': 'are' with 99.99%; ")
    assert printed[5].startswith("'the dog near the cats ___ tired': 'is' with 99.99%; ")
    assert printed[9:] == [
        "    head 4: 'cats' with 0.96",
        "heads that attend most to the first noun: 4 of 4, then 2 of 4; the answers: ['are', 'is']",
        "You made no guess. Measured: one to three.",
    ]
    (html,) = (output.data["text/html"] for output in shown.outputs)
    (tmp_path / "output.html").write_text(f"<!DOCTYPE html><title>n</title>{html}", encoding="utf-8")
    page = chromium.new_page(viewport={"width": 1000, "height": 900})
    page.goto((tmp_path / "output.html").as_uri())
    inside = page.frames[1]
    inside.wait_for_selector("#mine-result:not([hidden])")
    said = inside.locator("#mine-live").inner_text()
    largest = re.search(r"agrees with this page's encoder: the largest difference is (\S+)\.$", said)[1]
    assert float(largest.replace("−", "-")) < 1e-4
    page.close()
