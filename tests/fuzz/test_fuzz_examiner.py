"""The examiner answers in time, passes nothing untrue and executes nothing that came back, whatever comes back."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def run(amount: str) -> subprocess.CompletedProcess:
    command = [sys.executable, str(HERE / "audited_examiner.py"), amount]
    return subprocess.run(command, capture_output=True, text=True, timeout=280, cwd=HERE)


@pytest.mark.slow
def test_a_student_kernel_that_sends_anything():
    done = run("500")
    assert done.returncode == 0, done.stderr[-6000:]
    assert "passed" in done.stdout


@pytest.mark.slow
def test_the_watch_can_catch_something():
    done = run("broken")
    assert done.returncode != 0 and "decode: exec" in done.stderr
