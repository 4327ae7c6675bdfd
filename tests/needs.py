"""A pytest plugin: fixtures for what tests need of the system.

Where it is missing, the test is skipped, or fails where CI=true. One sentence at the end says how many did not run, for
want of what, and what to install.
"""

import os

import pytest
from system_packages import BROWSER, ESPEAK, NEEDS, POSTGRESQL, Need, how_to_install


class Missing(pytest.skip.Exception):
    """Skips a test that lacks this."""

    def __init__(self, need: Need):
        super().__init__(f"This test needs {need.name}, which {how_to_install([need])} brings.")
        self.need = need


def _find(need: Need):
    place = need.find()
    if place is None:
        raise Missing(need)
    return place


@pytest.fixture(scope="session")
def browser_program():
    """Path of a browser."""
    return _find(BROWSER)


@pytest.fixture(scope="session")
def postgresql_programs():
    """Folder of PostgreSQL's programs."""
    return _find(POSTGRESQL)


@pytest.fixture(scope="session")
def espeak_ng():
    """Path of the program."""
    return _find(ESPEAK)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """A report carries the name of what was missing, to be counted in the process that prints."""
    report = yield
    if call.excinfo is not None and isinstance(call.excinfo.value, Missing):
        report.user_properties.append(("missing", call.excinfo.value.need.name))
        if os.environ.get("CI") == "true":
            report.outcome, report.longrepr = "failed", str(call.excinfo.value)
    return report


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter):
    missing = [
        dict(getattr(report, "user_properties", ())).get("missing")
        for kind in ("skipped", "failed", "error")
        for report in terminalreporter.getreports(kind)
    ]
    lacking = [need for need in NEEDS if need.name in missing]
    if lacking:
        counts = ", ".join(f"{need.name} ({missing.count(need.name)})" for need in lacking)
        total = sum(missing.count(need.name) for need in lacking)
        terminalreporter.write_line(
            f"{total} tests did not run for want of {counts}: {how_to_install(lacking)} brings what they need."
        )
