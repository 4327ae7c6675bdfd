"""What tests need of the system besides Python, make and git: how it is found, and how it is installed.

    .venv/bin/python tests/system_packages.py

installs what is missing, as root or with a sudo that asks for no password, and says what it could not install.
`make test`, `make test-slow` and `.ci/run` begin with it. A test asks for what it needs by a fixture of conftest.py.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

# As root; "$@": packages. What may be killed half-way has a time limit; what installs waits for another apt-get. The
# tests start a database server of their own, so Debian's package shall not make and start one.
INSTALL = """
export DEBIAN_FRONTEND=noninteractive
clusters=/etc/postgresql-common/createcluster.d
apt="apt-get -qq -y --no-install-recommends -o DPkg::Lock::Timeout=60"
timeout 120 $apt update
timeout 900 $apt install --download-only "$@" || exit
mkdir -p $clusters && echo "create_main_cluster = false" >$clusters/tests.conf
$apt install --no-download "$@"
code=$?
rm $clusters/tests.conf
exit $code
"""


@dataclass(frozen=True)
class Need:
    """Something that tests need.

    Attributes:
        name: with an article where a sentence needs one.
        find: gives where it is, None where it is not.
        packages: Debian's that bring it.
        module: of this Python, with arguments: brings it where Debian's packages do not.
    """

    name: str
    find: Callable[[], Path | str | None]
    packages: tuple[str, ...]
    module: tuple[str, ...] = ()


def find_browser() -> Path | None:
    """A Chromium or Chrome that starts, the system's or playwright's; None where playwright itself does not start."""
    if not _starts(sys.executable, "-m", "playwright"):
        return None
    for name in ("chromium", "google-chrome", "chromium-browser"):
        found = shutil.which(name)
        if found is not None and not _is_snap(Path(found)) and _starts(found):
            return Path(found)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
    return own if own.exists() and _starts(own) else None


def _is_snap(program: Path) -> bool:
    """Whether it is Ubuntu's, which sees no file in /tmp, or only says that it is to be had as a snap."""
    program = program.resolve()
    with program.open("rb") as file:
        return program.name == "snap" or b"/snap/" in file.read(10_000)


def _starts(*command: Path | str) -> bool:
    try:
        return subprocess.run([*command, "--version"], capture_output=True).returncode == 0
    except OSError:  # it is for another kind of processor
        return False


def find_postgresql() -> Path | None:
    """The folder of the newest PostgreSQL server's programs, where Debian's packages put it."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    return found[-1].parent if found else None


BROWSER = Need(
    "a browser",
    find_browser,
    ("chromium", "fonts-dejavu-core", "libatomic1"),  # the last for playwright's driver
    ("playwright", "install", "--with-deps", "chromium"),
)
ESPEAK = Need("espeak-ng", lambda: shutil.which("espeak-ng"), ("espeak-ng",))
POSTGRESQL = Need("PostgreSQL", find_postgresql, ("postgresql",))
NEEDS = (BROWSER, ESPEAK, POSTGRESQL)


def how_to_install(needs: list[Need]) -> str:
    """The command that brings them, and what brings one of them elsewhere; the subject of a sentence."""
    packages = " ".join(package for need in needs for package in need.packages)
    elsewhere = "".join(
        f" (or, for {need.name}, `.venv/bin/{' '.join(need.module)}`)" for need in needs if need.module
    )
    return f"`apt-get install {packages}` as root{elsewhere}"


def install_missing() -> None:
    """Install what is missing where this user may, and say what is still missing afterwards."""
    missing = [need for need in NEEDS if need.find() is None]
    if not missing:
        return
    names = ", ".join(need.name for need in missing)
    root = [] if os.getuid() == 0 else ["sudo", "-n"]
    if root and (shutil.which("sudo") is None or _run([*root, "true"])):
        print(f"Some tests need {names}, which only root or a sudo without a password can install here.")
        return
    print(f"Installing what some tests need: {names}.", flush=True)
    for need in missing:
        why = _run([*root, "sh", "-c", INSTALL, "install", *need.packages])
        if need.find() is None and need.module:
            why = _run(["timeout", "900", sys.executable, "-m", *need.module])
        if need.find() is None:
            print(f"It was not possible to install {need.name} ({why or 'no error'}).", flush=True)


def _run(command: list[str]) -> str:
    """Run a command that is to ask and print nothing; gives the last line of what it said if it failed, else ""."""
    with tempfile.TemporaryFile() as said:  # and no pipe, which what it leaves running would hold open
        code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said).returncode
        said.seek(0)
        lines = said.read().decode(errors="replace").strip().splitlines()
    return (lines or [f"exit code {code}"])[-1].strip() if code else ""


if __name__ == "__main__":
    install_missing()
