"""`listen` in the notebook: a player for the published sound or a whole copy of it, or a word on where the text is."""

import hashlib
import json
import re

import pytest
from jupyter_lab import PLAYED, TOKEN, run_cell, served
from small_course import ROOT
from static_site import serving

from coursekit.authoring.narration.manifest import read_manifest
from coursekit.course.config import open_course

COURSE = open_course(ROOT)
WEEK = COURSE.weeks[0]
NAME = "02_softmax"
FILE = f"narration/{WEEK.name}/{NAME}.mp3"
SECONDS = read_manifest(ROOT / "narration")[f"{WEEK.name}/{NAME}"].seconds


@pytest.fixture
def player(tools, monkeypatch):
    """Runs `listen` and gives the attributes of its sound."""
    import IPython.display

    shown = []
    monkeypatch.setattr(IPython.display, "display", lambda item: shown.append(item.data))

    def run():
        tools["listen"](NAME)
        return {
            key: re.search(f' {key}="([^"]*)"', shown[-1])[1] for key in ("src", "data-next", "aria-label")
        }

    run.shown = shown
    return run


def clone(root, sound):
    """A clone of the published course, as far as this needs it: a file, and its hash in the list."""
    path = root / FILE
    path.parent.mkdir(parents=True)
    path.write_bytes(sound)
    good = hashlib.sha256((ROOT / FILE).read_bytes()).hexdigest()
    (root / "published.json").write_text(json.dumps({FILE: good}))


def test_the_published_sound_is_played_and_never_put_into_the_notebook(player, tools):
    assert player() == {
        "src": tools["PUBLISHED"] + FILE,
        "data-next": "",
        "aria-label": "Narration of section 2: softmax",
    }
    assert "base64" not in player.shown[0] and len(player.shown[0]) < 2000


@pytest.mark.parametrize(
    "copy", ["whole", "cut short", "a pointer of Git LFS", "missing", "without its list"]
)
def test_a_copy_beside_is_played_only_if_it_is_whole(copy, player, tools, tmp_path, monkeypatch):
    data = (ROOT / FILE).read_bytes()
    sounds = {"cut short": data[:-1], "a pointer of Git LFS": b"version https://git-lfs.github.com/spec/v1\n"}
    clone(tmp_path, sounds.get(copy, data))
    if copy == "missing":
        (tmp_path / FILE).unlink()
    if copy == "without its list":
        (tmp_path / "published.json").write_text("[]")
    (tmp_path / WEEK.name).mkdir()
    monkeypatch.chdir(tmp_path / WEEK.name)
    published = tools["PUBLISHED"] + FILE
    wanted = (f"../{FILE}", published) if copy == "whole" else (published, "")
    found = player()
    assert (found["src"], found["data-next"]) == wanted


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("source", ["the copy beside", "published, since the copy is out of reach", "none"])
def test_in_jupyterlab(source, tmp_path, chromium):
    """Decoded and played by a real browser; where nothing plays, the page says where the text stands."""
    home, root = tmp_path / "home", tmp_path / "mine"
    home.mkdir()
    folder = root / WEEK.name
    folder.mkdir(parents=True)
    text = COURSE.release(WEEK).read_text(encoding="utf-8")
    if source != "none":
        clone(root, (ROOT / FILE).read_bytes())
    out_of_reach = source.endswith("out of reach")
    with serving(ROOT) as site, served(folder if out_of_reach else root, home) as address:
        text = text.replace(COURSE.repository.files(), site if out_of_reach else "http://127.0.0.1:9/")
        (folder / "attention.ipynb").write_text(text, encoding="utf-8")
        page = chromium.new_page(viewport={"width": 1300, "height": 1000})
        page.set_default_timeout(60_000)
        place = "attention.ipynb" if out_of_reach else f"{WEEK.name}/attention.ipynb"
        page.goto(f"{address}/lab/tree/{place}?token={TOKEN}")
        page.locator(".jp-Notebook .jp-Cell").first.wait_for()
        for title in ("Run this cell first", "Setup, second part", "Listen: From scores to weights"):
            run_cell(page, title)
        sound = page.locator("audio")
        sound.wait_for(state="attached")
        if source == "none":
            page.get_by_text("The sound cannot be played here. The cell above has its text").wait_for()
            page.locator("summary", has_text="Read").nth(1).click()
            page.locator("details[open] p", has_text="Scores are opinions; weights are shares.").wait_for()
        else:
            page.get_by_label("Speed").select_option("1.5")
            heard = sound.evaluate(PLAYED)
            assert abs(heard["seconds"] - SECONDS) < 0.2 and heard["heard"] > 0.3, heard
            assert heard["rate"] == 1.5
            assert heard["from"].startswith(site if out_of_reach else f"{address}/files/narration/")
        page.close()
