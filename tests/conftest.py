"""Fixtures that several test files share."""

import signal
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings
from quick import NIGHTLY
from warm import MODULES, reused

from coursekit.engine.shared import library
from coursekit.engine.supervisor.torch_library import Torch

pytest_plugins = ["needs"]


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses
def pytest_collection_modifyitems(items):
    folders = [Path(__file__).parent / name for name in NIGHTLY]
    for item in items:
        if item.get_closest_marker("slow") and any(item.path.is_relative_to(folder) for folder in folders):
            item.add_marker("nightly")


# The same examples each time, however long one takes: a change is judged by what it changed, not by chance.
settings.register_profile("same", derandomize=True, deadline=None)
settings.load_profile("same")

# A shell has its background jobs ignore Ctrl-C, and what they start inherits that: commands under test shall heed it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Torch's part of the engine is in force in the tests' own process, too.
library.use(Torch())


# For one test file, not for the session: while playwright is open, `asyncio.run` fails in this thread.
@pytest.fixture(scope="module")
def chromium(browser_program):
    """A headless browser (playwright's Browser)."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(browser_program),
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ],
        )
        yield browser
        browser.close()


ANNOUNCED = pytest.StashKey[list[str]]()


@pytest.fixture(scope="session")
def announce(request):
    """A function that has a line printed at the end of the run, where a log shows it."""
    return request.config.stash.setdefault(ANNOUNCED, []).append


def pytest_sessionfinish(session):
    """Where several processes share the tests, each sends its lines to the one that prints."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["announced"] = session.config.stash.get(ANNOUNCED, [])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    # A process that died left nothing.
    announced = getattr(node, "workeroutput", {}).get("announced", [])
    node.config.stash.setdefault(ANNOUNCED, []).extend(announced)


def pytest_terminal_summary(terminalreporter, config):
    for line in config.stash.get(ANNOUNCED, []):
        terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def servers():
    """Warm fork servers, with the sandbox on."""
    from coursekit.engine.coordinator.servers import Servers

    with Servers(modules=MODULES) as started:
        yield started


@pytest.fixture
def start_kernel(servers):
    """A function that starts a student kernel with these limits; the kernels are closed after the test."""
    from coursekit.engine.coordinator.kernel_client import StudentKernel
    from coursekit.engine.shared.limits import Limits

    with ExitStack() as opened:

        def start(**limits):
            return opened.enter_context(closing(StudentKernel(servers, Limits(**limits))))

        yield start


@pytest.fixture
def kernel(start_kernel):
    """A student kernel."""
    return start_kernel()


@pytest.fixture
def warm(servers):
    """Classes are graded with the servers that are warm already."""
    with reused(servers):
        yield


@pytest.fixture
def course(tmp_path):
    """A course folder with the small week alone; `week` and `master` are that week's."""
    from small_course import make_course

    return make_course(tmp_path)[0]


@pytest.fixture
def week(course):
    return course.weeks[0]


@pytest.fixture
def master(course, week):
    return course.master(week)


@pytest.fixture(scope="session")
def postgres(postgresql_programs):
    """A PostgreSQL server (postgres_server.Server)."""
    from postgres_server import running_server

    with running_server(postgresql_programs) as server:
        yield server


@pytest.fixture
def tools(tmp_path, monkeypatch, capsys):
    """The names of the first week's setup cells, as the student's notebook has them, in a folder with nothing in it."""
    from coursekit.course.config import open_course

    course = open_course(Path(__file__).parent.parent)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    names = {"In": []}
    exec(course.master(course.weeks[0]).setup_source, names)
    capsys.readouterr()
    return names


@pytest.fixture
def colab(monkeypatch):
    """A stand-in for google.colab, with what public notebooks call of it. Its attribute `ipynb` is what it answers."""
    colab = ModuleType("google.colab")
    colab.ipynb, colab.downloads = None, []

    def blocking_request(name, request="", timeout_sec=5):
        assert name == "get_ipynb" and timeout_sec >= 30
        if colab.ipynb is None:
            raise TimeoutError("no answer from the browser")
        return {"ipynb": colab.ipynb}

    colab._message, colab.files = ModuleType("_message"), ModuleType("files")
    colab._message.blocking_request, colab.files.download = blocking_request, colab.downloads.append
    for name, module in {"": colab, "._message": colab._message, ".files": colab.files}.items():
        monkeypatch.setitem(sys.modules, f"google.colab{name}", module)
    monkeypatch.setitem(sys.modules, "google", sys.modules.get("google") or ModuleType("google"))
    return colab
