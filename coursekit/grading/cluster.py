"""Grading on a Dask cluster, by workers that need this package and no course folder.

The coordinator sends each submission's files as bytes, with a specification of the week, and gets a result as JSON and
the graded notebook's bytes. The week's data files, which may be large, are sent to each worker once. A worker keeps
them, and its warm fork servers, as long as it lives. A worker with another engine, or one that cannot confine student
code, is not used.

When a worker dies, Dask gives its submissions to another one. A submission that several workers had when they died is
graded again with no other beside it, so that only the one that kills workers is blamed.

Trust: Dask sends calls as pickles, so a program that reaches the scheduler can run code on all its machines. Scheduler,
workers and coordinator trust one another; student code has no network. Between machines use TLS (docs/scale.md).
"""

import asyncio
import hashlib
import logging
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from coursekit.course.config import Course, Week
from coursekit.engine.coordinator.digests import engine_digest, installed
from coursekit.engine.coordinator.forked_process import ServerLost
from coursekit.engine.coordinator.grade import warm_modules
from coursekit.engine.coordinator.outcome import Graded
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.shared.data_files import DataFile
from coursekit.engine.shared.errors import CourseError, Stopped
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import Master, read_master
from coursekit.engine.shared.result import Result
from coursekit.files import printable
from coursekit.grading.place import WeekGrader, grade_with_retries

try:
    import dask
    from distributed import Client, KilledWorker, LocalCluster, get_worker
except ModuleNotFoundError as error:
    raise CourseError(
        f"--cluster needs Dask, and {error.name} is not installed. "
        "Install it with: pip install 'coursekit[cluster]'"
    ) from error

REACH_SECONDS = 10  # for the connection to the scheduler
TRIES = 3  # of one submission, when a worker could not grade it

logger = logging.getLogger(__name__)

# On a worker.

_weeks: dict[str, tuple[Master, Limits, Servers]] = {}  # by their key
# By (unsafe, *modules), which are the same for most weeks. However this process ends, the servers end, too.
_servers: dict[tuple[Any, ...], Servers] = {}
_lock = threading.Lock()


async def prepare(spec: dict[str, Any], data_files: dict[str, bytes], dask_worker: Any = None) -> str:
    """Make this worker process ready for a week. Return "", or why it must not grade, in words that follow its name.

    Args:
        spec: describes the week, as `OneWeek` makes it.
        data_files: the week's, by their names.
        dask_worker: the worker; Dask sees this name and passes it.
    """
    return await asyncio.to_thread(_prepare, spec, data_files, dask_worker.local_directory)


def _prepare(spec: dict[str, Any], data_files: dict[str, bytes], folder: str) -> str:
    with _lock:
        if spec["key"] in _weeks:
            return ""
        if data_files.keys() != spec["data_files"].keys():  # it has joined since the others were prepared
            return "does not have the week's files yet."
        limits = Limits(**spec["limits"])
        present = installed(limits)
        if present != spec["versions"]:
            differing = [
                f"{name} {present[name]}"
                for name, required in spec["versions"].items()
                if present[name] != required
            ]
            advice = "Install the coordinator's Python and requirements.txt there."
            return f"has other versions: {', '.join(differing)}. {advice}"
        if engine_digest(limits) != spec["engine"]:
            return "has another version of coursekit. Install the coordinator's there, and start the worker again."
        if not spec["unsafe"] and (missing := _sandbox_lacks()):
            return f"cannot confine student code: {missing} Use machines that can."
        files = _write_data_files(data_files, folder)
        if {file.name: file.digest for file in files} != spec["data_files"]:
            return "got other files than the week's."
        master = read_master(spec["source"], spec["week"], spec["name"], files)
        started_with = (spec["unsafe"], *warm_modules(master, limits))
        if started_with not in _servers:
            _servers[started_with] = Servers(started_with[0], started_with[1:])
        _weeks[spec["key"]] = master, limits, _servers[started_with]
        return ""


def _write_data_files(data_files: dict[str, bytes], worker_folder: str) -> tuple[DataFile, ...]:
    """Write the week's data files into a new folder, which Dask removes with the worker's own, and return them."""
    if not data_files:
        return ()
    folder = Path(tempfile.mkdtemp(prefix="course-data-", dir=worker_folder)).resolve()
    found = []
    for name, data in sorted(data_files.items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        found.append(DataFile.at(str(path), name))
    return tuple(found)


def _sandbox_lacks() -> str:
    """Return what the sandbox lacks, or "". This is tried in forks, so in a process without Dask's threads."""
    code = "from coursekit.engine.supervisor import sandbox; print(*sandbox.missing())"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else f"The trial ended with\n{done.stderr[-2000:]}\n"


def grade_bytes(
    spec: dict[str, Any], sent: dict[str, Any], before: tuple[str, bytes] | None
) -> dict[str, Any]:
    """Grade one submission. Return {a field of `Graded`: its value}, or {"failed": why there is no result}.

    Args:
        spec: describes the week, as `OneWeek` makes it.
        sent: the arguments of `Submission.of_bytes`.
        before: what grading this submission gave last, if known: the result as JSON, and the notebook.
    """
    try:
        if problem := _prepare(spec, {}, ""):
            return {"failed": f"A worker {problem}"}
        master, limits, servers = _weeks[spec["key"]]
        earlier = before and Graded(Result.from_json(before[0]), before[1])
        with Submission.of_bytes(**sent) as submission:
            graded = grade_with_retries(master, submission, limits, servers, earlier)
    except Exception as error:  # as text: Dask loses an exception that cannot be pickled
        return {"failed": f"worker {get_worker().address}: {error!s} ({type(error).__name__})."}
    return {
        "result": graded.result.to_json(),
        "notebook": graded.notebook,
        "shared_limit": graded.shared_limit,
    }


# The coordinator.


@contextmanager
def connect(address: str, workers: int | None) -> Iterator["Cluster"]:
    """Yield a connection to the cluster at a scheduler's address; for "local", start worker processes here.

    Args:
        address: tcp://host:port or tls://host:port; for TLS, Dask's own settings name the certificates.
        workers: how many processes "local" starts; default: the number of cores.

    Raises:
        CourseError: no scheduler answers at the address.
    """
    if address == "local":
        local = LocalCluster(
            n_workers=workers or os.cpu_count() or 1,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            security=True,  # certificates of this run: others on this machine reach the port, too
            # At the end, a worker may log a traceback because its scheduler is gone.
            silence_logs=logging.CRITICAL,
        )
        with local, Client(local, set_as_default=False) as client:
            yield Cluster(client)
        return
    # Dask warns of tasks as large as a notebook with pictures.
    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GiB"}):
        try:
            client = Client(address, timeout=REACH_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise CourseError(
                f"No Dask scheduler answers at {address} ({error}). Start one with `dask scheduler`, "
                "and give the address that it prints."
            ) from error
        with client:
            yield Cluster(client)


class Cluster:
    """A connection to a scheduler, for many weeks, one at a time."""

    def __init__(self, client: Client):
        self._client = client
        self._capacity, self._counted_at = 2, 0.0

    @contextmanager
    def week(self, course: Course, week: Week, master: Master, unsafe: bool) -> Iterator[WeekGrader]:
        """Yield a grader for a week. After the class, it grades again only what `Attempt.is_unreliable` names.

        Raises:
            Stopped: no connected worker can grade, or the scheduler is lost.
        """
        one_week = OneWeek(self._client, course, week, master, unsafe)
        yield WeekGrader(one_week.grade, self.capacity, lambda attempt: attempt.is_unreliable)

    def capacity(self) -> int:
        """Return how many submissions may be under way now: two for each thread of the workers, and at least two."""
        if time.monotonic() - self._counted_at > 1:
            with scheduler_errors():
                threads = self._client.scheduler_info(n_workers=0)["total_threads"]
            self._capacity, self._counted_at = max(2, 2 * threads), time.monotonic()
        return self._capacity


class OneWeek:
    """One week that a cluster grades."""

    def __init__(self, client: Client, course: Course, week: Week, master: Master, unsafe: bool):
        self._client = client
        self._spec = {
            "source": course.notebook(week),
            "week": week.name,
            "name": week.notebook,
            "limits": asdict(course.limits),
            "unsafe": unsafe,
            "data_files": {file.name: file.digest for file in master.data_files},
            "versions": installed(course.limits),
            "engine": engine_digest(course.limits),
        }
        key = f"{week.name} {week.notebook} {master.digest} {self._spec['engine']} {unsafe}"
        self._spec["key"] = hashlib.sha256(key.encode()).hexdigest()
        self._data_files = {file.name: Path(file.path).read_bytes() for file in master.data_files}
        self._usable: set[str] = set()  # Dask's addresses of workers that can grade
        self._checking = threading.Lock()
        with scheduler_errors():
            if not client.scheduler_info()["workers"]:
                logger.warning("The cluster has no worker yet: waiting for one.")
                client.wait_for_workers(1)
        if refused := self._check_workers():
            raise Stopped(f"No worker of the cluster can grade. {' '.join(refused)}")

    def grade(self, submission: Submission, before: Graded | None) -> Graded:
        """Have some worker grade a submission. `before`: what grading it gave last.

        Raises:
            ServerLost: several workers died while they had this submission.
            CourseError: TRIES attempts failed; the last one's reason.
            Stopped: the scheduler is lost.
        """
        sent: dict[str, Any] = {
            key: getattr(submission, key) for key in ("student", "digest", "flags", "hidden_seed")
        }
        sent["pieces"] = submission.as_bytes()
        earlier = before and (before.result.to_json(), before.notebook)
        for _ in range(TRIES):
            try:
                with scheduler_errors():
                    future = self._client.submit(grade_bytes, self._spec, sent, earlier, pure=False)
                    try:
                        reply = future.result()
                    finally:
                        future.release()
            except KilledWorker as error:
                logger.info("%s: %s", printable(submission.student), error)
                raise ServerLost(str(error)) from error
            except Stopped:
                raise
            except Exception as error:  # a worker without the package cannot even read the call
                reply = {"failed": f"{type(error).__name__}: {error}"}
            if "failed" not in reply:
                result = Result.from_json(reply["result"])
                return Graded(result, reply["notebook"], shared_limit=reply["shared_limit"])
            self._check_workers()
        raise CourseError(f"{reply['failed']} Tried {TRIES} times.")

    def _check_workers(self) -> list[str]:
        """Prepare new workers, and retire those that cannot grade.

        Returns:
            If no worker can grade: a sentence for each, and none is retired. Else [].
        """
        with self._checking, scheduler_errors():
            new = list(self._client.scheduler_info()["workers"].keys() - self._usable)
            if not new:
                return []
            replies = self._client.run(prepare, self._spec, self._data_files, workers=new, on_error="return")
            connected = self._client.scheduler_info()["workers"]
            refused = {}
            for address in new:
                reply = replies.get(address, "gave no answer.")
                if reply == "":
                    self._usable.add(address)
                elif address in connected:  # the worker was not lost in the meantime
                    if isinstance(reply, Exception):  # most likely, it could not even read the call
                        reply = f"cannot run coursekit: {reply}. Install it and its requirements there."
                    refused[address] = f"Worker {address} {printable(reply)}"
            if refused and set(refused) == set(connected):
                return list(refused.values())
            for sentence in refused.values():
                logger.warning("%s It is not used.", sentence)
            if refused:
                self._client.retire_workers(list(refused))
            return []


@contextmanager
def scheduler_errors() -> Iterator[None]:
    """Turn Dask's several exceptions for a lost scheduler into one.

    Raises:
        Stopped: the scheduler is lost.
    """
    try:
        yield
    except (OSError, CancelledError, asyncio.CancelledError) as error:
        raise Stopped(
            f"The Dask scheduler is lost ({type(error).__name__}: {error}). Finished work is kept: "
            "restart the scheduler, and run the same command again to continue."
        ) from error
