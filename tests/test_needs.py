"""What tests need of the system: found, installed without a question, and named where it is missing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import system_packages
from system_packages import Need, find_browser, install_missing

HERE = Path(__file__).parent


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """A function that makes a program of a shell script; no others are found, and no browser of playwright's."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "browsers"))

    def make(name, script="true"):
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
        return folder / name

    return make


@pytest.mark.slow
def test_a_browser_is_one_that_starts_and_reads_files(browser_program, programs, monkeypatch):
    assert find_browser() is None
    programs("chromium", "exit 127")  # a library is missing
    programs("chromium-browser", "echo 'snap install chromium'; exec /snap/bin/chromium \"$@\"")
    assert find_browser() is None
    programs("chromium").write_text("")  # no program
    assert find_browser() is None
    snap = programs("snap")
    programs("chromium").unlink()
    (snap.parent / "chromium").symlink_to(snap)
    assert find_browser() is None
    chrome = programs("google-chrome")
    assert find_browser() == chrome
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", str(programs("node", "exit 127")))  # playwright's driver
    assert find_browser() is None


def test_the_browser_may_be_playwrights(browser_program, programs):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
    own.parent.mkdir(parents=True)
    programs("own").rename(own)
    assert find_browser() == own


@pytest.fixture
def machine(programs, tmp_path, monkeypatch):
    """An ordinary user's, whose `apt-get` can bring `two` and not `one`; a function that returns its calls.

    `sudo` is each test's; mkdir and rm are missing, so nothing is written into /etc.
    """
    log = tmp_path / "log"
    programs(
        "apt-get",
        f"""echo "$*" >>{log}
case "$*" in
*one) echo "Reading"; echo "E: Unable to locate package one" >&2; exit 100;;
*"--no-download two") /bin/cp {programs("three")} {tmp_path}/programs/two;;
esac""",
    )
    programs("true")
    programs("timeout", 'shift; exec "$@"')
    (tmp_path / "programs" / "sh").symlink_to("/bin/sh")
    needs = [Need(name, lambda name=name: shutil.which(name), (name,)) for name in ("one", "two", "three")]
    monkeypatch.setattr(system_packages, "NEEDS", needs)
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    return lambda: log.read_text().splitlines() if log.exists() else []


@pytest.mark.parametrize("sudo", [None, 'echo "sudo: a password is required" >&2; exit 1'])
def test_who_may_not_install_is_told_in_a_sentence(machine, programs, capsys, sudo):
    if sudo:
        programs("sudo", f'case "$1" in -n) {sudo};; *) sleep 1000;; esac')
    install_missing()
    assert machine() == [] and capsys.readouterr().out == (
        "Some tests need one, two, which only root or a sudo without a password can install here.\n"
    )


@pytest.mark.parametrize("root", [False, True])
def test_what_can_be_installed_is(machine, programs, monkeypatch, capsys, root):
    """What cannot costs the others nothing; a second time, only that is tried."""
    if root:
        monkeypatch.setattr(os, "getuid", lambda: 0)
    else:
        programs("sudo", '[ "$1" = -n ] && shift && exec "$@"')
    for _ in range(2):
        install_missing()
        assert capsys.readouterr().out.endswith(
            "It was not possible to install one (E: Unable to locate package one).\n"
        )
    assert " ".join(call.split()[-1] for call in machine()) == "update one update two two update one"


def test_what_debian_does_not_have_comes_from_elsewhere(machine, programs, monkeypatch, tmp_path, capsys):
    programs("sudo", '[ "$1" = -n ] && shift && exec "$@"')
    made = tmp_path / "made"
    need = Need(
        "one", lambda: made if made.exists() else None, ("one",), ("venv", "--without-pip", str(made))
    )
    monkeypatch.setattr(system_packages, "NEEDS", [need])
    install_missing()
    assert made.exists() and capsys.readouterr().out == "Installing what some tests need: one.\n"


def test_where_nothing_is_missing_nothing_happens(machine, programs, capsys):
    programs("one"), programs("two"), programs("sudo", "exit 1")
    install_missing()
    assert machine() == [] and capsys.readouterr().out == ""


TESTS = """
import pytest

@pytest.mark.parametrize("number", range(3))
def test_pages(browser_program, number):
    pass

def test_voice(espeak_ng):
    pass

def test_both(request):
    request.getfixturevalue("espeak_ng")

def test_other():
    pass
"""


@pytest.mark.slow
@pytest.mark.parametrize(("ci", "outcome", "code"), [("", "skipped", 0), ("true", "errors", 1)])
def test_what_did_not_run_is_counted_over_all_processes(programs, tmp_path, ci, outcome, code):
    (tmp_path / "test_it.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", tmp_path]
    command += ["-p", "needs", "-p", "xdist", "-n", "2"]
    environment = os.environ | {
        "PLAYWRIGHT_NODEJS_PATH": str(programs("node", "exit 127")),
        "CI": ci,
        "PYTHONPATH": str(HERE),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    done = subprocess.run([*command, tmp_path], env=environment, capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    assert done.stdout.count("5 tests did not run for want of a browser (3), espeak-ng (2): ") == 1
    assert "`apt-get install chromium fonts-dejavu-core libatomic1 espeak-ng` as root" in done.stdout
    assert f"1 passed, 5 {outcome}" in done.stdout if not ci else "test_both" in done.stdout
