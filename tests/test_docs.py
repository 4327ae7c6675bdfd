"""The documentation is true: its commands run and print what it says, its examples too, its pictures are there."""

import contextlib
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer
from axe_playwright_python.sync_playwright import Axe
from markdown_it import MarkdownIt
from pages import CONSOLE, World, blocks, place, run_page, same, words_of
from small_course import ROOT
from static_site import serving

from coursekit.authoring.new.folder import make_folder
from coursekit.cli import commands

DOCS = ROOT / "docs"
# A page that is no page of the site; its path is from the root.
PAGES = {"README.md": ROOT / "README.md"} | {path.name: path for path in sorted(DOCS.glob("*.md"))}
TEXTS = {name: path.read_text(encoding="utf-8") for name, path in PAGES.items()}
OTHERS = ("coursekit/authoring/new/small_course/README.md",)  # read for commands in sentences
COMMANDS = typer.main.get_command(commands.app).commands
TARGETS = re.findall(r"^([a-z][a-z -]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)

# How many commands of each page are not run here. A page says why, above each of their blocks.
NOT_RUN = {
    "CONTRIBUTING.md": 2,
    "README.md": 5,
    "gradebook.md": 3,
    "hostile.md": 1,
    "instructors.md": 2,
    "marking.md": 2,
    "package.md": 1,
    "questions.md": 2,
    "scale.md": 8,
    "serving.md": 2,
}
TERM = "instructors.md"


def console(name):
    return [block for block in blocks(TEXTS[name], name) if block.language == CONSOLE]


RUN = [name for name in PAGES if any(not block.not_run for block in console(name))]


@dataclass
class Term:
    """The course folder after a term, and what was not as the page says."""

    world: World
    folder: Path
    problems: list[str]
    count: int


def run_in_new_folder(name, root):
    """Run a page's commands in an empty folder: (world, what was not as the page says, how many were run)."""
    world = World(root / "world")
    world.repositories()
    (world.root / "here").mkdir()
    return world, *run_page(TEXTS[name], name, world.root / "here", world.environment)


@pytest.fixture(scope="module")
def term(tmp_path_factory):
    world, problems, count = run_in_new_folder(TERM, tmp_path_factory.mktemp("term"))
    return Term(world, world.root / "here" / "course", problems, count)


@pytest.mark.slow
@pytest.mark.parametrize("name", RUN)
@pytest.mark.timeout(900)
def test_the_commands_of_a_page_print_what_it_says(name, tmp_path, request, announce):
    begins = place(TEXTS[name])
    if name == TERM:
        term = request.getfixturevalue("term")
        problems, count = term.problems, term.count
    elif begins == "an empty folder":
        _, problems, count = run_in_new_folder(name, tmp_path)
    else:
        assert begins == f"the folder that {TERM} leaves", f"{name} begins in {begins!r}"
        term = request.getfixturevalue("term")
        shutil.copytree(term.folder, tmp_path / "course", symlinks=True)
        problems, count = run_page(TEXTS[name], name, tmp_path / "course", term.world.environment)
    announce(f"docs: {name}: {count} commands run, {NOT_RUN.get(name, 0)} not")
    assert not problems, "\n\n".join(problems)


def test_commands_that_are_not_run_are_counted_and_have_a_reason():
    found = {}
    for name in PAGES:
        left_out = [block for block in console(name) if block.not_run]
        assert all(len(block.not_run.split()) >= 4 for block in left_out), name
        if left_out:
            found[name] = sum(len(block.commands()) for block in left_out)
    assert found == NOT_RUN


def test_no_command_hides_in_a_block_of_another_kind():
    for name, text in TEXTS.items():
        for block in blocks(text, name):
            where = f"{name}, line {block.line}"
            assert block.language in (CONSOLE, "diff", "json", "python", "text", "toml", "yaml"), where
            if block.language == "text":
                assert not re.search(r"^\s*(\$|course|make|git|pip) \S", block.text, re.MULTILINE), where
        indented = [token for token in MarkdownIt().parse(text) if token.type == "code_block"]
        assert indented == [], f"{name}, line {indented[0].map[0] + 1}: a block of code has a fence here"


# Commands in sentences, and those that are not run.


def commands_in(text):
    """The commands `course ...` and `make ...` of a text, as they are written there."""
    inside = re.findall(r"`((?:\.venv/bin/)?(?:course|make) [^`]+)`", " ".join(text.split()))
    return inside + re.findall(r"^ *\$ ((?:\.venv/bin/)?(?:course|make) .*)$", text, re.MULTILINE)


def unknown_in(command):
    """Which subcommand, option or target of a command there is not; "" where all are there."""
    program, name, *words = words_of(command)
    if program == "make":
        return "" if name in " ".join(TARGETS).split() or "=" in name else f"{command}: make has no {name}"
    if name.isupper() or name.startswith("-"):
        return ""
    if name not in COMMANDS:
        return f"{command}: course has no command {name}"
    known = {"--help"}.union(*(one.opts + one.secondary_opts for one in COMMANDS[name].params))
    options = [word.partition("=")[0] for word in words if word.startswith("-") and len(word) > 1]
    return "".join(f"{command}: there is no option {option}" for option in options if option not in known)


@pytest.mark.parametrize("name", [*PAGES, *OTHERS])
def test_commands_in_sentences_are_there(name):
    text = TEXTS[name] if name in TEXTS else (ROOT / name).read_text(encoding="utf-8")
    assert [wrong for command in commands_in(text) if (wrong := unknown_in(command))] == []


def test_files_that_the_pages_name_are_there():
    for name, text in TEXTS.items():
        for path in re.findall(r"`((?:\.?\w+/)+\w+\.(?:py|md|toml|json))[`:]", text):
            written = path.startswith(("submitted/", "autograded/", "feedback/", "reports/", "demo/class/"))
            found = any((ROOT / folder / path).exists() for folder in ("", "coursekit", "coursekit/engine"))
            assert written or "week2_" in path or found, f"{name} names {path}"


# What would be found.

WRONG = {
    "another output": ("```console\n$ echo one\ntwo\n```\n", "is to print\ntwo\nand printed\none"),
    "an output that the page leaves out": ("```console\n$ echo one\n```\n", "and printed\none"),
    "an output that is gone": ("```console\n$ true\none\n...\n```\n", "is to print\none"),
    "an unknown option": ("```console\n$ course init --into here\n...\n```\n", "ended with 2, and not 0"),
    "a command that fails": ("```console\n$ false\n```\n", "`false` ended with 1, and not 0"),
    "a command that is to fail": (
        "<!-- ends with 1 -->\n```console\n$ true\n```\n",
        "ended with 0, and not 1",
    ),
    "an edit that does not fit": (
        "<!-- edit: a.txt -->\n```diff\n-one\n+two\n```\n",
        "a.txt has 0 times\none",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_a_page_says_wrongly_is_found(what, tmp_path):
    text, said = WRONG[what]
    world = World(tmp_path / "world")
    (tmp_path / "a.txt").write_text("nothing\n")
    (problem,), _ = run_page(text, "page.md", tmp_path, world.environment)
    assert said in problem and problem.startswith("page.md, line 1: ")


def test_what_a_page_says_rightly_is_not(tmp_path):
    text = """
<!-- file: words.txt -->
```text
one
two
```
<!-- edit: words.txt -->
```diff
 one
-two
+three
```
```console
$ mkdir inner && export LETTER=a
$ cd inner
$ echo $LETTER && cat \\
../words.txt
a
one
...ee
```
1. In a list:

    ```console
    $ pwd
    .../inner
    ```
<!-- ends with 1 -->
```console
$ echo no; false
no
```
<!-- not run: nobody has such a machine -->
```console
$ shutdown
```
"""
    assert run_page(text, "page.md", tmp_path, World(tmp_path / "world").environment) == ([], 5)


def test_only_what_varies_is_left_open():
    assert same("one\n...\nlast\n", "one\n\n2\n3\nlast\n") and same("in ... s\n", "in 12 s\n")
    assert not same("one\nlast\n", "one\n2\nlast\n") and not same("in 11 s\n", "in 12 s\n")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("`course export --fast`", "there is no option --fast"),
        ("`course regrade week1_attention`", "course has no command regrade"),
        ("`make everything`", "make has no everything"),
        ("<!-- not run: no cluster -->\n```console\n$ course grade --clusters A\n```", "option --clusters"),
        ("`course grade week1_attention --changed`, `course VERB --help` and `make test TESTS=--cov`", ""),
    ],
)
def test_commands_that_are_not_there_are_found(text, wrong):
    found = "".join(map(unknown_in, commands_in(text)))
    assert wrong in found and bool(wrong) == bool(found)


# Pictures, and the site.


def shown_pictures():
    """[(page, alternative text, path)] of all pictures on the pages."""
    return [
        (name, " ".join(words.split()), path)
        for name, text in TEXTS.items()
        for words, path in re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", text)
        if not path.startswith("https://")
    ]


def test_each_picture_is_there_and_the_script_takes_it():
    spec = importlib.util.spec_from_file_location("pictures", DOCS / "pictures.py")
    pictures = importlib.util.module_from_spec(spec)
    sys.modules["pictures"] = pictures  # its dataclasses look it up
    spec.loader.exec_module(pictures)
    shown = shown_pictures()
    assert {path for _, _, path in shown} == {f"pictures/{path.name}" for path in pictures.FOLDER.iterdir()}
    assert {path.name for path in pictures.FOLDER.glob("*.png")} == set(pictures.PICTURES)
    for name, words, path in shown:
        assert len(words.split()) >= 6, f"{name}: say in words what is to be seen in {path}"
        data = (DOCS / path).read_bytes()
        assert data.startswith(b"\x89PNG" if path.endswith(".png") else b"<svg ") and len(data) < 150_000


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The pages as `make docs` builds them."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", ".ci/mkdocs.yml", "-d", folder]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr
    return folder


# Browsers let the keyboard into whatever scrolls; this rule asks for an attribute that the theme's wide tables lack.
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21aa"],
    "rules": {"scrollable-region-focusable": {"enabled": False}},
}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_site_needs_no_network_and_fits_a_phone(site, chromium):
    names = sorted(path.name for path in site.glob("*.html") if path.name != "404.html")
    assert names == sorted(path.with_suffix(".html").name for path in DOCS.glob("*.md"))
    with serving(site) as address:
        for width in (390, 1280):
            context = chromium.new_context(viewport={"width": width, "height": 900})
            page = context.new_page()
            asked, errors = set(), []
            page.on("request", lambda request, asked=asked: asked.add(request.url))
            page.on("pageerror", lambda error, errors=errors: errors.append(str(error)))
            for name in names:
                page.goto(address + name)
                page.wait_for_load_state("networkidle")
                assert page.evaluate("document.scrollingElement.scrollWidth") <= width, (name, width)
                assert page.evaluate("[...document.images].every((image) => image.naturalWidth > 0)"), name
                found = Axe().run(page, options=RULES).response
                assert [(fault["id"], fault["nodes"][0]["html"]) for fault in found["violations"]] == [], name
            assert errors == []
            assert {url for url in asked if not url.startswith((address, "data:", "blob:"))} == set()
            context.close()
        context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.goto(address + "questions.html")
        page.get_by_role("textbox", name="Search").fill("roster")
        page.locator(".md-search-result__item").first.wait_for()
        page.keyboard.press("Escape")
        # Of a block of commands only the commands are copied.
        page.get_by_role("button", name="Copy to clipboard").first.click()
        page.get_by_text("Copied to clipboard").wait_for()
        copied = page.evaluate("navigator.clipboard.readText()").splitlines()
        commands = [command for command, _ in console("questions.md")[0].commands()]
        assert [line.strip() for line in copied if line.strip()] == commands
        context.close()


# Examples in Python.


@pytest.mark.usefixtures("warm")
def test_the_examples_print_what_they_say(tmp_path, monkeypatch):
    page = blocks(TEXTS["package.md"], "package.md")
    examples = [block.text for block in page if block.language == "python"]
    assert len(examples) >= 6
    make_folder(tmp_path / "own")
    monkeypatch.chdir(tmp_path / "own")
    names = {}
    for example in examples:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(example, "docs/package.md", "exec"), names)
        wanted = [line[2:] for line in example.splitlines() if line.startswith("# ")]
        assert said.getvalue().splitlines() == wanted


def test_examples_of_settings_can_be_read():
    for name, text in TEXTS.items():
        for block in blocks(text, name):
            if block.language == "toml":
                tomllib.loads(block.text)
