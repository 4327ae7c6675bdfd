"""Grading on a Dask cluster: real schedulers and workers, on loopback."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, closing, contextmanager

import psutil
import pytest
import yaml
from cases import load
from command import course_process
from small_course import ROOT, copy_course, hand_in, make_course

from coursekit.course.config import open_course
from coursekit.engine.shared.errors import Stopped
from coursekit.grading.cluster import connect
from coursekit.grading.run import grade_class

pytestmark = pytest.mark.timeout(900)  # many processes that start: on a machine that is busy, too
DASK = [sys.executable, "-m", "dask"]
PATIENCE = 300  # for what takes a moment on an idle machine


class Dask:
    """A scheduler and workers that a test started, each a process of its own."""

    def __init__(self, folder, **environment):
        self._folder, self._environment, self._processes = folder, environment, []
        self.scheduler = self._start("scheduler", "--port", "0", "--no-dashboard")
        log = folder / "0.log"
        until(lambda: "Scheduler at:" in log.read_text())
        self.address = log.read_text().split("Scheduler at:")[1].split()[0]

    def worker(self, *arguments, **environment):
        """Start a worker with one thread and no nanny."""
        arguments = (self.address, "--nthreads", "1", "--no-dashboard", *arguments)
        process = self._start("worker", *arguments, **environment)
        log = self._log(process)
        until(lambda: "Registered to:" in log.read_text())
        process.address = log.read_text().split("Start worker at:")[1].split()[0]
        return process

    def _start(self, what, *arguments, **environment):
        number = len(self._processes)
        home = self._folder / f"home{number}"
        home.mkdir()
        with open(self._folder / f"{number}.log", "wb") as log:
            process = subprocess.Popen(
                [*DASK, what, "--host", "127.0.0.1", *arguments],
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=home,
                env=os.environ | self._environment | environment,
            )
        self._processes.append(process)
        return process

    def _log(self, process):
        return self._folder / f"{self._processes.index(process)}.log"

    def close(self):
        started = [child for process in self._processes for child in children(process)]
        for process in reversed(self._processes):
            process.kill()
            process.wait()
        until(lambda: not any(child.is_running() for child in started))


def children(process):
    """All living descendants of a process."""
    try:
        return psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def until(holds):
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "this did not come about"
        time.sleep(0.05)


@pytest.fixture
def dask(tmp_path):
    """A function that starts a scheduler."""
    folder = tmp_path / "dask"
    folder.mkdir()
    with ExitStack() as opened:
        yield lambda **environment: opened.enter_context(closing(Dask(folder, **environment)))


@pytest.fixture
def small_class(tmp_path):
    """A function: {student: bytes or {question: source}} to a course folder with these submissions, and its week."""

    def make(answers):
        root = tmp_path / "small"
        root.mkdir()
        make_course(root)
        if "endless" in answers:  # only where it saves time: a busy machine needs the usual limit
            settings = (root / "course.toml").read_text().replace("cell_seconds = 20", "cell_seconds = 5")
            (root / "course.toml").write_text(settings)
        course = open_course(root)
        for student, given in answers.items():
            hand_in(
                course, student, given, "attention (1).ipynb" if student == "renamed" else "attention.ipynb"
            )
        return course, course.weeks[0]

    return make


def double(body):
    return {"double": f"def double(x):\n    {body}"}


MIXED = {
    "broken": b"{",
    "crash": {"double": "import os; os._exit(1)"},
    "endless": {"double": "while True: pass"},
    "prints": {"double": "print({'b', 'a', 'c'})\nraise ValueError('so \\udcff')"},
    "renamed": double("return x + x"),
    "right": double("return 2 * x") | {"why": "A sum."},
    "stub": {},
    "wrong": double("return x"),
    "zero": double("return 0"),
}


def outcome(course, week):
    """{student: (result.json but for its seconds, bytes of the graded notebook)}"""
    found = {}
    for path in sorted((course.root / "autograded").glob(f"*/{week.name}/result.json")):
        result = json.loads(path.read_text())
        del result["seconds"], result["calibration"]  # each worker measures them anew
        found[path.parent.parent.name] = (result, (path.parent / f"{week.notebook}.ipynb").read_bytes())
    return found


def again(course, week, **options):
    """Grade anew from nothing, and give what came out."""
    shutil.rmtree(course.root / "autograded", ignore_errors=True)
    run = grade_class(course, week, **options)
    assert run.failed == {}
    return outcome(course, week)


@pytest.mark.slow
def test_it_equals_a_local_run_also_with_a_worker_killed_and_another_started(
    tmp_path, small_class, dask, caplog
):
    """A class of all kinds, and some of the demo's on a real week."""
    course, week = small_class(MIXED)
    local = again(course, week)
    assert sorted(local) == sorted(MIXED)
    cluster = dask()
    first = cluster.worker()
    lost, workers = [], [cluster.worker()]

    def kill_one(done, total):
        if done == 3:
            lost.extend(children(first))
            first.kill()
            workers.append(cluster.worker())

    with connect(cluster.address, None) as place:
        assert again(course, week, place=place, progress=kill_one) == local
        assert lost, "the worker that was killed had fork servers"
        until(lambda: not any(process.is_running() for process in lost))
        assert all(children(worker) for worker in workers), "both others graded"

        course, week = demo_class(tmp_path / "real")
        remote = again(course, week, place=place)
    assert caplog.messages == []
    assert len(remote) > 2 and remote == again(course, week)


def demo_class(root):
    """A course folder with the whole course, and some of the demo class."""
    course = copy_course(root, "source")
    load(ROOT / "demo" / "make_class.py").make_class(open_course(ROOT), root / "all")
    week = course.weeks[0]
    for folder in sorted((root / "all").glob(f"*/{week.name}"))[1::12]:
        shutil.copytree(folder, course.submitted(folder.parent.name, week))
    return course, week


@pytest.mark.slow
def test_workers_that_do_not_fit_are_named_and_sent_away(tmp_path, small_class, dask, caplog):
    course, week = small_class({name: MIXED[name] for name in ("right", "stub", "wrong")})
    cluster = dask()
    shutil.copytree(ROOT / "coursekit", tmp_path / "other" / "coursekit")
    with open(tmp_path / "other" / "coursekit" / "engine" / "shared" / "limits.py", "a") as file:
        file.write("\n# another version\n")
    (tmp_path / "without.py").write_text("import sys\nsys.modules['coursekit'] = None\n")
    (tmp_path / "python.py").write_text("import platform\nplatform.python_version = lambda: '3.99.1'\n")
    other_python = cluster.worker("--preload", str(tmp_path / "python.py"))
    unfit = {
        other_python: "has other versions: Python CPython 3.99.1.",
        cluster.worker(COURSEKIT_SIMULATE_NO_LANDLOCK="1"): "cannot confine student code",
        cluster.worker(PYTHONPATH=str(tmp_path / "other")): "has another version of coursekit",
        cluster.worker("--preload", str(tmp_path / "without.py")): "cannot run coursekit",
    }
    process = course_process(course.root, "grade", "--cluster", cluster.address)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2 and "No worker of the cluster can grade" in errors
    for worker, reason in unfit.items():
        assert f"Worker {worker.address} {reason}" in errors and worker.poll() is None
    assert outcome(course, week) == {}

    fit = cluster.worker()
    with connect(cluster.address, None) as place:
        remote = again(course, week, place=place)
    for worker, reason in unfit.items():
        assert any(line.startswith(f"Worker {worker.address} {reason}") for line in caplog.messages)
        worker.wait(PATIENCE)
    assert fit.poll() is None and remote == again(course, week)


@pytest.mark.slow
def test_ctrl_c_cancels_what_waits_and_frees_the_worker(small_class, dask):
    course, _ = small_class({f"s{number}": double(f"while True: pass  # {number}") for number in range(8)})
    cluster = dask()
    worker = cluster.worker()
    process = course_process(course.root, "grade", "--cluster", cluster.address, start_new_session=True)
    with connect(cluster.address, None) as place:
        until(lambda: place._client.processing() and any(place._client.processing().values()))
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 130 and "interrupted" in errors
        until(lambda: not any(place._client.processing().values()))
    assert worker.poll() is None


@pytest.mark.slow
def test_a_submission_that_kills_workers_is_found_and_the_others_are_graded(tmp_path, small_class, dask):
    """No submission can kill a worker; so the worker's engine is made to die of one.

    The first death is blamed on all that were there; alone, one after another, only one of them kills again.
    """
    names = ("a", "b", "deadly", "y", "z")
    course, week = small_class({name: double(f"return x + x  # {name}") for name in names})
    local = again(course, week)
    deadly = tmp_path / "deadly.py"
    deadly.write_text(
        "import os, coursekit.grading.cluster as cluster\n"
        "def grade(master, data, *rest, real=cluster.grade_with_retries):\n"
        "    deadly = any(b'# deadly' in part for part in data.as_bytes().values())\n"
        "    return os.abort() if deadly else real(master, data, *rest)\n"
        "cluster.grade_with_retries = grade\n"
    )
    cluster = dask(DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0")
    cluster.worker("--preload", str(deadly), "--nanny", "--nthreads", "2")
    with connect(cluster.address, None) as place:
        remote = again(course, week, place=place)
    result, _ = remote.pop("deadly")
    del local["deadly"]
    assert remote == local
    assert (result["status"], result["score"]) == ("fault", 0)
    (flag,) = result["flags"]
    assert flag["kind"] == "engine_fault" and "workers died" in flag["values"]["error"]


@pytest.mark.slow
def test_without_a_scheduler_it_says_so(small_class, dask):
    course, week = small_class({"a": MIXED["right"], "b": MIXED["stub"]})
    process = course_process(course.root, "grade", "--cluster", "tcp://127.0.0.1:9")

    cluster = dask()
    cluster.worker()
    with connect(cluster.address, None) as place, pytest.raises(Stopped, match="scheduler is lost"):
        grade_class(course, week, place=place, progress=lambda *_: cluster.scheduler.kill())

    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2 and "No Dask scheduler answers at tcp://127.0.0.1:9" in errors
    assert "Traceback" not in errors


@pytest.mark.slow
def test_a_cluster_here(small_class):
    """`--cluster local` grades, and leaves no process: neither at its end nor after Ctrl-C."""
    course, week = small_class({name: MIXED[name] for name in ("right", "endless", "stub")})
    with running(course, "grade", "--cluster", "local", "--workers", "2", "--json") as (process, started):
        output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    assert json.loads(output)["week1_attention"]["graded"] == ["endless", "right", "stub"]
    assert started, "there were workers"
    remote = outcome(course, week)
    assert again(course, week) == remote

    shutil.rmtree(course.root / "autograded")
    with running(course, "grade", "--cluster", "local", "--workers", "1") as (process, _):
        until(lambda: outcome(course, week))
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130 and "interrupted" in errors


@contextmanager
def running(course, *arguments):
    """A `course` command, and the processes that it is seen to have. At the end none may be left."""
    process = course_process(course.root, *arguments, start_new_session=True)
    started, ended = set(), threading.Event()

    def watch():
        while not ended.wait(0.2):
            started.update(children(process))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield process, started
    finally:
        ended.set()
        watcher.join()
        process.kill()
    until(lambda: not any(child.is_running() for child in started))


def test_without_dask_it_says_how_to_install_it(small_class):
    course, _ = small_class({"a": {}})
    code = "import sys; sys.modules['distributed'] = None\nfrom coursekit.cli.commands import main; main()"
    command = [sys.executable, "-c", code, "grade", "--cluster", "local"]
    done = subprocess.run(command, cwd=course.root, capture_output=True, text=True)
    assert done.returncode == 2 and "pip install 'coursekit[cluster]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_docs_scale_md_shows_to_start_can_be_read():
    text = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
    (manifests,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    cluster, policy = yaml.safe_load_all(manifests)
    assert (cluster["kind"], policy["kind"]) == ("DaskCluster", "NetworkPolicy")
    pods = policy["spec"]["podSelector"]["matchLabels"]
    assert pods["dask.org/cluster-name"] == cluster["metadata"]["name"]
    (script,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    compile(script, "docs/scale.md", "exec")
