"""Time limits: what is on a clock, and what is not."""

import os
import subprocess
import sys
import time

import pytest
from student_kernel import computes, run

from coursekit.engine.coordinator import clock as clocks
from coursekit.engine.coordinator.calibration import calibrate
from coursekit.engine.coordinator.capacity import max_kernels
from coursekit.engine.shared.limits import SLOWEST, Calibration, Limits

CHILD = "import subprocess, sys\nsubprocess.run([sys.executable, '-c', {!r}])"
THREAD = (
    "import concurrent.futures\npool = concurrent.futures.ThreadPoolExecutor()\n"
    "def work():\n    exec({!r}, {{}})\npool.submit(work).result()"
)


def everywhere(seconds):
    """Parametrize by cells that compute so long themselves, in a child and in a thread."""
    sources = [computes(seconds), CHILD.format(computes(seconds)), THREAD.format(computes(seconds))]
    return pytest.mark.parametrize("source", sources, ids=["itself", "a child", "a thread"])


@pytest.fixture
def neighbours():
    """So many busy processes that a kernel gets a tenth of a core. Linux shares it out by session, where it can."""
    busy = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
        for _ in range(12 * (os.cpu_count() or 1))
    ]
    yield
    for process in busy:
        process.kill()
        process.wait()


@pytest.mark.slow
@pytest.mark.usefixtures("neighbours")
@everywhere(0.5)
def test_neighbours_that_have_the_processor_cost_a_cell_nothing(kernel, source):
    """Of the 0.7 s that it may compute, the cell takes 0.5, which last longer on the wall than it might sleep."""
    started = time.monotonic()
    done = run(kernel, source, seconds=0.7)
    assert time.monotonic() - started > 6 * 0.7, "the neighbours did not keep it waiting: nothing was tested"
    assert done.ended == "ok"


@everywhere(1000)
def test_whatever_computes_is_on_the_clock(kernel, source):
    begun = time.monotonic()
    done = run(kernel, source, seconds=0.7)
    assert done.ended == "timed_out" and 0.7 <= done.seconds < 2
    assert time.monotonic() - begun < 60, "as fast as on the slowest machine"


def test_what_starts_while_the_coordinator_is_kept_waiting_is_on_the_clock(kernel, monkeypatch):
    """A thread that began before its cell's clock did would count as an earlier cell's: not as computing."""
    ask = kernel._ask

    def kept_waiting(*request):
        ask(*request)
        time.sleep(1)

    monkeypatch.setattr(kernel, "_ask", kept_waiting)
    assert run(kernel, THREAD.format(computes(4)), seconds=1).ended == "timed_out"


@pytest.mark.parametrize(("slower", "ended"), [(1, "timed_out"), (3, "ok")])
def test_on_a_slow_machine_a_limit_is_as_much_longer(servers, start_kernel, monkeypatch, slower, ended):
    monkeypatch.setattr(servers, "_calibration", Calibration(pages=slower))
    done = run(start_kernel(), computes(1.2), seconds=0.7)
    assert done.ended == ended
    assert done.seconds < 0.7 if ended == "ok" else done.seconds >= 0.7


def test_no_machine_makes_a_limit_longer_without_end():
    assert Calibration(matrix=1000).slowness == SLOWEST and Calibration(interpreter=0.3).slowness == 1


def test_a_machine_is_measured():
    found = calibrate()
    assert min(found.interpreter, found.pages, found.matrix) > 0.01 and 0 <= found.waiting <= 1


@pytest.mark.slow
@pytest.mark.usefixtures("neighbours")
def test_a_busy_machine_is_seen():
    assert not calibrate().quiet


@pytest.mark.slow
def test_what_sleeps_is_cut_on_the_wall(kernel):
    started = time.monotonic()
    done = run(kernel, "import time; time.sleep(1000)", seconds=0.5)
    assert done.ended == "timed_out" and done.seconds >= 0.5
    assert 2.5 < time.monotonic() - started < 15


@pytest.mark.slow
@pytest.mark.parametrize("source", ["import time; time.sleep(1)", computes(0.3)])
def test_a_pause_of_the_grader_is_not_counted(kernel, monkeypatch, source):
    """As Ctrl-Z makes one, or a virtual machine that stands still. The kernel may go on meanwhile."""
    now, jumped = time.monotonic, []

    def monotonic():
        return now() + 30 * len(jumped)

    def sample(self):
        if not jumped:
            jumped.append(True)
        return found(self)

    found = clocks.Usage.sample
    monkeypatch.setattr(clocks.Usage, "sample", sample)
    monkeypatch.setattr(clocks.time, "monotonic", monotonic)
    done = run(kernel, f"{source}\n{source}", seconds=1)
    assert jumped and done.ended == "ok"


@pytest.mark.slow
@pytest.mark.parametrize(
    "left", ["threading.Thread(target=spin, daemon=True).start()", "subprocess.Popen(SPIN)"]
)
def test_what_an_earlier_cell_left_running_is_not_on_the_clock(kernel, left):
    source = (
        "import subprocess, sys, threading, time\nSPIN = [sys.executable, '-c', 'while True: pass']\n"
        "def spin():\n    while True: pass\n"
    )
    assert run(kernel, f"{source}{left}\n{left}\ntime.sleep(1)").ended == "ok"
    done = run(kernel, computes(0.5), seconds=1.2)
    assert done.ended == "ok" and done.seconds < 1.1
    done = run(kernel, f"{left}\n{computes(1000)}", seconds=1.2)
    assert done.ended == "timed_out"


def test_kernels_at_once_are_as_many_as_there_is_room_for(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    free = os.statvfs(tmp_path)
    free_mb = free.f_bavail * free.f_frsize >> 20
    assert max_kernels(Limits(scratch_mb=(free_mb - 64) // 2 - 1, memory_mb=1)) == 2
    assert max_kernels(Limits(memory_mb=1 << 20)) == 1
    with pytest.raises(Exception, match="Make room there, or set TMPDIR"):
        max_kernels(Limits(scratch_mb=2 * free_mb))
