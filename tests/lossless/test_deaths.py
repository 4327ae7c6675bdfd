"""Processes of ours are killed while they have a submission in hand: it is graded again, and nobody else notices."""

import contextlib
import functools
import os
import signal
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from folder import RIGHT, hand_in
from ours import processes_of
from small_course import make_course

from coursekit.engine.coordinator.forked_process import ServerLost
from coursekit.engine.coordinator.kernel_client import StudentKernel
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.shared.errors import Stopped
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import fill
from coursekit.engine.shared.outputs import OutputBudget
from coursekit.engine.shared.result import ERROR, GRADED, Note
from coursekit.grading.place import TRIES, Here, grade_with_retries
from coursekit.grading.run import grade_class
from coursekit.grading.store import read_stored

pytestmark = pytest.mark.timeout(600)
SLOW = "import time\nopen('begun', 'w').close()\ntime.sleep(3)\n"
IN_A_CELL = {"double": SLOW + RIGHT["double"]}
IN_A_TEST = {"double": "def double(x):\n    " + SLOW.replace("\n", "\n    ") + "return x + x"}
WHERE = [IN_A_CELL, IN_A_TEST]
HERE = os.getpid()


@pytest.fixture(scope="module", autouse=True)
def temporary(tmp_path_factory):
    """A folder for temporary files of its own, which is empty again at the end."""
    tmp_path_factory.getbasetemp()
    folder = Path(tempfile.mkdtemp(prefix="death", dir="/tmp"))  # short: sockets lie in it
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(folder))
        yield folder
    until(lambda: not [*folder.iterdir()], 30)
    folder.rmdir()


@pytest.fixture(scope="module")
def servers(temporary):
    """A set of its own: these are killed."""
    with Servers() as started:
        yield started


@pytest.fixture(scope="module")
def undisturbed(servers, tmp_path_factory):
    """A function: what comes out where nothing dies."""
    course, _ = make_course(tmp_path_factory.mktemp("undisturbed"))
    return functools.cache(lambda where: as_if_alone(course, servers, WHERE[where]))


@pytest.fixture
def course(tmp_path):
    return make_course(tmp_path)[0]


def ours(kind):
    return processes_of(HERE).get(kind, [])


def kill(kind):
    """All of them that there are now: how many."""
    killed = 0
    for number in ours(kind):
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
            killed += 1
    return killed


def student_is_at_work(temporary):
    """Whether some kernel has reached the slow place."""
    return any(temporary.glob("course-scratch-*/begun"))


def until(holds, seconds=120):
    deadline = time.monotonic() + seconds
    while not (found := holds()):
        assert time.monotonic() < deadline, "this did not come about"
        time.sleep(0.02)
    return found


def as_if_alone(course, servers, answers):
    master = course.master(course.weeks[0])
    with Submission.of_bytes({"attention.ipynb": fill(master, answers)}) as submission:
        return grade_with_retries(master, submission, course.limits, servers)


def same(one, other):
    results = [replace(graded.result, seconds=0) for graded in (one, other)]
    return results[0] == results[1] and one.notebook == other.notebook


@contextlib.contextmanager
def beside(act):
    """Call a function every 20 ms in a thread of its own."""
    ended = threading.Event()

    def work():
        while not ended.wait(0.02):
            act()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["student server", "examiner server"])
def test_a_server_that_dies_between_submissions_is_replaced(course, servers, kind):
    expected = as_if_alone(course, servers, RIGHT)
    before = len(ours("student server"))  # other tests' may be there, and are killed too
    assert kill(kind)
    assert same(as_if_alone(course, servers, RIGHT), expected)
    assert 1 <= len(ours("student server")) <= before and 1 <= len(ours("examiner server")) <= before


@pytest.mark.slow
@pytest.mark.parametrize("where", [0, 1])
@pytest.mark.parametrize("kind", ["student server", "guardian", "examiner server", "examiner"])
def test_what_was_in_hand_is_graded_again(course, servers, temporary, undisturbed, kind, where):
    expected = undisturbed(where)
    assert (expected.result.status, expected.result.score) == (GRADED, 5)
    killed = []

    def disturb():
        if not killed and student_is_at_work(temporary):
            killed.append(kill(kind))

    with beside(disturb):
        found = as_if_alone(course, servers, WHERE[where])
    assert killed and killed[0] >= 1 and same(found, expected)


@pytest.mark.slow
def test_guardians_that_are_killed_leave_nothing(servers):
    """The kernel dies with its guardian; what the kernel had started, and its folder, go when that is seen."""
    kernel = StudentKernel(servers, Limits())
    source = (
        "import os, subprocess, sys\nopen('here', 'w').close()\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'])\n"
        "print(child.pid, os.getcwd())"
    )
    number, folder = kernel.execute(source, 20, OutputBudget(16)).outputs[0]["text"].split()
    assert os.path.exists(f"{folder}/here") and psutil.pid_exists(int(number))
    assert kill("guardian") == 1
    with pytest.raises(ServerLost):
        kernel.execute("import time\ntime.sleep(1000)", 60, OutputBudget(16))
    until(lambda: not psutil.pid_exists(int(number)) and not ours("kernel"))
    kernel.close()
    assert not os.path.exists(folder)


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, TRIES])
def test_a_kernel_that_ends_while_it_is_starting_costs_nobody_anything(course, servers, monkeypatch, times):
    """As when somebody's fork bomb leaves it no numbers for its threads: it has not run any of the student's code."""
    expected = as_if_alone(course, servers, RIGHT)
    ready, begun = StudentKernel._wait_until_ready, []

    def wait(kernel):
        begun.append(kernel)
        if len(begun) <= times:
            os.kill(kernel.process.pid, signal.SIGKILL)
        ready(kernel)

    monkeypatch.setattr(StudentKernel, "_wait_until_ready", wait)
    found = as_if_alone(course, servers, RIGHT)
    assert len(begun) == min(times + 1, TRIES)
    if times < TRIES:
        assert same(found, expected)
    else:
        assert found.result.faulty
        assert "A kernel ended while it was starting" in found.result.flags[-1].values["error"]


@pytest.mark.slow
def test_a_submission_that_is_lost_again_and_again_gets_an_answer(course, temporary):
    """No submission can kill processes of ours, so the test does it whenever this one is being graded."""
    for name in ("a", "z"):
        hand_in(course, name)
    hand_in(course, "deadly", IN_A_CELL)
    kills = []

    def disturb():
        if student_is_at_work(temporary) and kill("guardian"):
            kills.append("guardian")

    with beside(disturb):
        run = grade_class(course, course.weeks[0], place=Here(1))
    assert run.failed == {} and len(kills) >= TRIES
    assert {name: item.score for name, item in run.results.items()} == {"a": 5, "deadly": 0, "z": 5}
    (flag,) = run.results["deadly"].flags
    assert flag.kind == "engine_fault" and "3 times" in flag.values["error"]
    again = grade_class(course, course.weeks[0])
    assert again.fresh == {"deadly"} and again.results["deadly"].score == 5
    assert not again.results["deadly"].flags


def test_servers_that_die_while_they_warm_up_are_started_again(temporary):
    with Servers() as servers:
        before = servers.folder  # they have said so much, and no more
        os.kill(servers._generation._process.pid, signal.SIGKILL)
        servers.wait()
        assert servers.folder != before and not before.exists()


@pytest.mark.parametrize(
    "module, sentence",
    [
        ("json.no_such", r"(?s)fork servers did not start.*No module named 'json.no_such'.*course doctor"),
        ("no.such.module", r"^no is not installed, .* take it out of the list `modules` under \[kernels\]"),
    ],
)
def test_servers_that_cannot_start_end_the_run_with_a_sentence(course, monkeypatch, module, sentence):
    monkeypatch.setattr("coursekit.engine.coordinator.servers.STARTS", 1)
    with Servers(modules=[module]) as broken, pytest.raises(Stopped, match=sentence):
        as_if_alone(course, broken, RIGHT)


@pytest.mark.usefixtures("warm")
@pytest.mark.parametrize("kind", ["engine_fault", "examiner_lost"])
def test_a_fault_of_ours_is_never_current(course, kind):
    """The next run grades it again, and takes no verdict from it."""
    hand_in(course, "a")
    hand_in(course, "b")
    week = course.weeks[0]
    good = grade_class(course, week).results["a"]
    stored = read_stored(course, week, "a")
    stored.result.flags.append(Note(kind, values={"error": "made up"}))
    for test in stored.result.tests:
        test.outcome, test.score = ERROR, 0.0
    path = course.autograded("a", week) / "result.json"
    path.write_text(stored.result.to_json(), encoding="utf-8")
    run = grade_class(course, week)
    assert run.fresh == {"a"} and replace(run.results["a"], seconds=0) == replace(good, seconds=0)
