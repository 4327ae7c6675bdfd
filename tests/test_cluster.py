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
from contextlib import contextmanager

import psutil
import pytest
import yaml
from small_course import HIDDEN, ROOT, edit, hand_in, make_course

from coursekit.course.config import open_course
from coursekit.engine.shared.errors import CourseError, Stopped
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
        family = [child for process in self._processes for child in children(process)]
        for process in reversed(self._processes):
            process.kill()
            process.wait()
        until(lambda: not any(child.is_running() for child in family))


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
    made = []

    def start(**environment):
        folder = tmp_path / f"dask{len(made)}"
        folder.mkdir()
        made.append(Dask(folder, **environment))
        return made[-1]

    yield start
    for each in made:
        each.close()


def small_class(root, answers):
    """A course folder with the small week, and these submissions: {student: bytes or {question: source}}."""
    root.mkdir()
    course, week = make_course(root)
    if "endless" in answers:  # only where it saves time: a busy machine needs the usual limit
        settings = (root / "course.toml").read_text().replace("cell_seconds = 20", "cell_seconds = 5")
        (root / "course.toml").write_text(settings)
    course = open_course(root)
    for student, given in answers.items():
        hand_in(course, student, given, "attention (1).ipynb" if student == "renamed" else "attention.ipynb")
    return course, week


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


def course_command(course, *arguments, **options):
    command = [sys.executable, "-m", "coursekit.cli", *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=course.root, **pipes, **options)


@pytest.mark.slow
def test_it_equals_a_local_run_also_with_a_worker_killed_and_another_started(tmp_path, dask, caplog):
    """A class of all kinds, and some of the demo's on a real week."""
    course, week = small_class(tmp_path / "small", MIXED)
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

        real = tmp_path / "real"
        real.mkdir()
        for name in ("course.toml", "nbgrader_config.py"):
            shutil.copy(ROOT / name, real)
        shutil.copytree(ROOT / "source", real / "source")
        demo = __import__("runpy").run_path(str(ROOT / "demo" / "make_class.py"))
        demo["make_class"](open_course(ROOT), real / "all")
        course = open_course(real)
        week = course.weeks[0]
        for folder in sorted((real / "all").glob(f"*/{week.name}"))[1::12]:
            shutil.copytree(folder, course.submitted(folder.parent.name, week))
        remote = again(course, week, place=place)
    assert caplog.messages == []
    assert len(remote) > 2 and remote == again(course, week)


@pytest.mark.slow
def test_workers_that_do_not_fit_are_named_and_sent_away(tmp_path, dask, caplog):
    course, week = small_class(tmp_path / "small", {name: MIXED[name] for name in ("right", "stub", "wrong")})
    cluster = dask()
    shutil.copytree(ROOT / "coursekit", tmp_path / "other" / "coursekit")
    with open(tmp_path / "other" / "coursekit" / "engine" / "shared" / "limits.py", "a") as file:
        file.write("\n# another version\n")
    (tmp_path / "without.py").write_text("import sys\nsys.modules['coursekit'] = None\n")
    (tmp_path / "python.py").write_text("import platform\nplatform.python_version = lambda: '3.99.1'\n")
    unfit = {
        cluster.worker(
            "--preload", str(tmp_path / "python.py")
        ): "has other versions: Python CPython 3.99.1.",
        cluster.worker(COURSEKIT_SIMULATE_NO_LANDLOCK="1"): "cannot confine student code",
        cluster.worker(PYTHONPATH=str(tmp_path / "other")): "has another version of coursekit",
        cluster.worker("--preload", str(tmp_path / "without.py")): "cannot run coursekit",
    }
    process = course_command(course, "grade", "--cluster", cluster.address)
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
def test_a_coordinator_that_was_killed_goes_on_where_it_was(tmp_path, dask):
    names = [f"s{number}" for number in range(8)]
    course, week = small_class(
        tmp_path / "small", {name: double(f"return x + x  # {name}") for name in names}
    )
    cluster = dask()
    worker = cluster.worker()
    process = course_command(course, "grade", "--cluster", cluster.address)
    until(lambda: len(outcome(course, week)) >= 2)
    process.kill()
    process.communicate()
    done = outcome(course, week)
    assert 2 <= len(done) < len(names)
    with connect(cluster.address, None) as place:
        run = grade_class(course, week, place=place)
        assert run.fresh == set(names) - set(done) and run.failed == {}
        assert grade_class(course, week, place=place).fresh == set()
    assert {item.score for item in run.results.values()} == {5}
    assert worker.poll() is None

    # Ctrl-C: what waits is cancelled, and the worker is free.
    for name in names:
        hand_in(course, name, {"double": f"while True: pass  # {name}"})
    process = course_command(course, "grade", "--cluster", cluster.address, start_new_session=True)
    with connect(cluster.address, None) as place:
        until(lambda: place._client.processing() and any(place._client.processing().values()))
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 130 and "interrupted" in errors
        until(lambda: not any(place._client.processing().values()))


@pytest.mark.slow
def test_who_kills_workers_is_found_and_the_others_are_graded(tmp_path, dask):
    """No submission can kill a worker; so the worker's engine is made to die of one.

    The first death is blamed on all that were there; alone, one after another, only one of them kills again.
    """
    course, week = small_class(
        tmp_path / "small",
        {name: double(f"return x + x  # {name}") for name in ("a", "b", "deadly", "y", "z")},
    )
    local = again(course, week)
    deadly = tmp_path / "deadly.py"
    deadly.write_text(
        "import os, coursekit.grading.cluster as cluster\n"
        "def answer(master, data, *rest, real=cluster.answer):\n"
        "    deadly = any(b'# deadly' in part for part in data.as_bytes().values())\n"
        "    return os.abort() if deadly else real(master, data, *rest)\n"
        "cluster.answer = answer\n"
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
def test_the_reference_is_graded_first_here_too(tmp_path, dask):
    course, week = small_class(tmp_path / "small", {"right": MIXED["right"]})
    edit(course, "double-hidden", source=HIDDEN.replace("-6", "6"))
    cluster = dask()
    cluster.worker()
    sentence = "reference gets 2 of 5.*\nTest double_hidden, line 3: negative numbers"
    with connect(cluster.address, None) as place, pytest.raises(CourseError, match=sentence):
        grade_class(course, week, place=place)
    assert outcome(course, week) == {}


@pytest.mark.slow
def test_without_a_scheduler_it_says_so(tmp_path, dask):
    course, week = small_class(tmp_path / "small", {"a": MIXED["right"], "b": MIXED["stub"]})
    process = course_command(course, "grade", "--cluster", "tcp://127.0.0.1:9")

    cluster = dask()
    cluster.worker()
    with connect(cluster.address, None) as place, pytest.raises(Stopped, match="scheduler is lost"):
        grade_class(course, week, place=place, progress=lambda *_: cluster.scheduler.kill())

    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2 and "No Dask scheduler answers at tcp://127.0.0.1:9" in errors
    assert "Traceback" not in errors


@pytest.mark.slow
def test_a_cluster_here(tmp_path):
    """`--cluster local` grades, and leaves no process behind: neither at its end nor after Ctrl-C."""
    course, week = small_class(
        tmp_path / "small", {name: MIXED[name] for name in ("right", "endless", "stub")}
    )
    with running(course, "grade", "--cluster", "local", "--workers", "2", "--json") as (process, family):
        output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    assert json.loads(output)["week1_attention"]["graded"] == ["endless", "right", "stub"]
    assert family, "there were workers"
    remote = outcome(course, week)
    assert again(course, week) == remote

    shutil.rmtree(course.root / "autograded")
    with running(course, "grade", "--cluster", "local", "--workers", "1") as (process, family):
        until(lambda: outcome(course, week))
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130 and "interrupted" in errors


@contextmanager
def running(course, *arguments):
    """A `course` command, and the processes that it is seen to have. At the end none may be left."""
    process = course_command(course, *arguments, start_new_session=True)
    family, ended = set(), threading.Event()

    def watch():
        while not ended.wait(0.2):
            family.update(children(process))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield process, family
    finally:
        ended.set()
        watcher.join()
        process.kill()
    until(lambda: not any(child.is_running() for child in family))


def test_without_dask_it_says_how_to_install_it(tmp_path):
    course, _ = small_class(tmp_path / "small", {"a": {}})
    code = "import sys; sys.modules['distributed'] = None\nfrom coursekit.cli.commands import main; main()"
    command = [sys.executable, "-c", code, "grade", "--cluster", "local"]
    done = subprocess.run(command, cwd=course.root, capture_output=True, text=True)
    assert done.returncode == 2 and "pip install 'coursekit[cluster]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_the_page_tells_to_start_can_be_read():
    """The YAML parses and says what the text around it promises; the Python compiles."""
    text = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
    (manifests,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    cluster, policy = yaml.safe_load_all(manifests)
    assert (cluster["kind"], policy["kind"]) == ("DaskCluster", "NetworkPolicy")
    (worker,) = cluster["spec"]["worker"]["spec"]["containers"]
    assert worker["args"][:2] == ["dask", "worker"] and "$(DASK_WORKER_NAME)" in worker["args"]
    assert (
        policy["spec"]["podSelector"]["matchLabels"]["dask.org/cluster-name"] == cluster["metadata"]["name"]
    )
    (script,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    compile(script, "docs/scale.md", "exec")
