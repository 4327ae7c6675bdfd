"""Fixtures that several test files share."""

import signal
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples each time: a change is judged by what it changed, not by chance.
settings.register_profile("same", derandomize=True)
settings.load_profile("same")

# A shell has its background jobs ignore Ctrl-C, and what they start inherits that: commands under test shall heed it.
signal.signal(signal.SIGINT, signal.default_int_handler)

CHROMIUM = Path("/usr/bin/chromium")


# For one test file, not for the session: while playwright is open, `asyncio.run` fails in this thread.
@pytest.fixture(scope="module")
def chromium():
    """A headless browser (playwright's Browser). Fails, and does not skip, where there is none."""
    from playwright.sync_api import sync_playwright

    if not CHROMIUM.exists():
        pytest.fail("This test needs a browser: run `apt-get install chromium` and start the tests again.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(CHROMIUM),
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


def pytest_terminal_summary(terminalreporter, config):
    for line in config.stash.get(ANNOUNCED, []):
        terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def servers():
    """Warm fork servers, with the sandbox on."""
    from coursekit.kernels.client import Servers

    with Servers() as started:
        yield started


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL server (postgres_server.Server). Fails, and does not skip, where there is none."""
    from postgres_server import running_server

    with running_server() as server:
        yield server
