"""Grading on a Dask cluster: the same `grade`, by workers that have this package and nothing else.

The coordinator sends each submission's files as bytes and writes what comes back: a result as JSON and the graded
notebook's bytes. A worker process keeps one set of warm fork servers for as long as it lives. It gets a week's
master once, before its first submission of that week, and is looked at then: one with another engine, or that
cannot confine student code, is sent away.

Nothing is lost with a worker: Dask gives its submissions to another. A submission that is there whenever workers
die is tried again while nothing else runs, so that only the one that kills them is blamed.

Trust: Dask sends calls as pickles, so whoever reaches the scheduler can run code on all its machines. Scheduler,
workers and coordinator trust one another; student code reaches none of them, it has no network. Between machines
use TLS (docs/scale.md).
"""

import asyncio
import hashlib
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import asdict, dataclass

from coursekit.course.config import Course, Week
from coursekit.engine.coordinator.digests import engine_digest, installed
from coursekit.engine.coordinator.grade import warm_modules
from coursekit.engine.coordinator.outcome import Graded, engine_fault
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.shared.errors import CourseError, Stopped
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import Master, read_master
from coursekit.engine.shared.result import Result
from coursekit.files import printable
from coursekit.grading.place import Desk, answer

try:
    import dask
    from distributed import Client, KilledWorker, LocalCluster, get_worker
except ModuleNotFoundError as error:
    raise CourseError(
        f"--cluster needs Dask, and {error.name} is not installed. "
        "Install it with: pip install 'coursekit[cluster]'"
    ) from error

REACH_SECONDS = 10  # to reach the scheduler
MOST = 512  # submissions under way at once: more workers than the coordinator can feed
TRIES = 3  # of one submission, when a worker says that it cannot grade
PREPARATIONS = 8  # for one submission, when workers do not know its week
PAUSE_SECONDS = 0.1  # before the second; twice as long before each further one


# On a worker.


@dataclass(frozen=True)
class Order:
    """What a worker has to know of a week."""

    master: Master
    limits: Limits
    kind: tuple  # of servers: unsafe, and what they import


_orders: dict[str, Order] = {}
# By what they are started with, which is the same for most weeks. They end with this process, whatever ends it.
_servers: dict[tuple, Servers] = {}
_lock = threading.Lock()


async def prepare(order: dict) -> str:
    """Make this worker process ready for a week. Gives "", or a sentence on why it must not grade."""
    return await asyncio.to_thread(_prepare, order)


def _prepare(order: dict) -> str:
    limits = Limits(**order["limits"])
    here = installed(limits)
    if here != order["versions"]:
        other = ", ".join(
            f"{name} {here[name]}" for name, wanted in order["versions"].items() if here[name] != wanted
        )
        return f"has other versions: {other}. Install the coordinator's Python and requirements.txt there."
    if engine_digest(limits) != order["engine"]:
        return (
            "has another version of coursekit. Install the coordinator's there, and start the worker again."
        )
    if not order["unsafe"] and (missing := _missing()):
        return f"cannot confine student code: {missing} Use machines that can."
    master = read_master(order["source"], order["week"], order["name"])
    kind = (order["unsafe"], *warm_modules(master, limits))
    _warm(kind)
    _orders[order["key"]] = Order(master, limits, kind)
    return ""


def _missing() -> str:
    """What the sandbox lacks. Its trial forks, and this process has Dask's threads: so in another one."""
    code = "from coursekit.engine.supervisor import sandbox; print(*sandbox.missing())"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else f"The trial ended with\n{done.stderr[-2000:]}\n"


def _warm(kind: tuple) -> Servers:
    with _lock:
        if kind not in _servers:
            _servers[kind] = Servers(kind[0], kind[1:])
        return _servers[kind]


def grade_bytes(key: str, digest: str, files: dict[str, bytes], before: tuple[str, bytes] | None) -> dict:
    """Grade one submission of a prepared week. Plain data: the result and the notebook, or why there is none.

    Args:
        key: the week's.
        digest, files: what was handed in, see `Submission`.
        before: what came out last time, if anything: the result as JSON, and the notebook.
    """
    order = _orders.get(key)
    if order is None:
        return {"unprepared": get_worker().address}
    try:
        servers = _warm(order.kind)
        earlier = before and Graded(Result.from_json(before[0]), before[1])
        with Submission.of_bytes(files, digest) as submission:
            graded = answer(order.master, submission, order.limits, servers, earlier)
    except Exception as error:  # as text: an exception that cannot be pickled is never heard of again
        return {"failed": f"worker {get_worker().address}: {error!s} ({type(error).__name__})."}
    return {
        "result": graded.result.to_json(),
        "notebook": graded.notebook,
        "shared_limit": graded.shared_limit,
    }


# The coordinator.


@contextmanager
def connect(address: str, workers: int | None, say: Callable[[str], None]) -> Iterator["Cluster"]:
    """The cluster at a scheduler's address, or with "local" one of worker processes here.

    Args:
        address: tcp://host:port or tls://host:port; for TLS, Dask's own settings name the certificates.
        workers: how many processes "local" starts; default: the number of cores.
        say: told in a sentence what happens to workers.

    Raises:
        CourseError: there is no scheduler.
    """
    if address == "local":
        local = LocalCluster(
            n_workers=workers or os.cpu_count() or 1,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            security=True,  # certificates of this run: others on this machine reach the port, too
            # What goes wrong is said in sentences; at the end a worker may still miss its scheduler, with a traceback.
            silence_logs=logging.CRITICAL,
        )
        with local, Client(local, set_as_default=False) as client:
            yield Cluster(client, say)
        return
    # Dask warns of tasks as large as a notebook with pictures is.
    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GiB"}):
        try:
            client = Client(address, timeout=REACH_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise CourseError(
                f"No Dask scheduler answers at {address} ({error}). Start one with `dask scheduler`, "
                "and give the address that it prints."
            ) from error
        with client:
            yield Cluster(client, say)


class Cluster:
    """A connection to a scheduler. Many weeks, one at a time."""

    def __init__(self, client: Client, say: Callable[[str], None]):
        self._client, self._say = client, say
        self._room, self._counted = 2, 0.0

    @contextmanager
    def week(self, course: Course, week: Week, master: Master, unsafe: bool) -> Iterator[Desk]:
        """See `classroom.place.Place`.

        Raises:
            Stopped: no worker that is there can grade, or the scheduler is lost.
        """
        one_week = OneWeek(self._client, self._say, course, week, master, unsafe)
        yield Desk(one_week.answer, MOST, self.room, lambda attempt: attempt.in_doubt)

    def room(self) -> int:
        """How many submissions may be under way now: one on each worker's thread, and the next."""
        if time.monotonic() - self._counted > 1:
            with scheduler_there():
                threads = self._client.scheduler_info(n_workers=0)["total_threads"]
            self._room, self._counted = max(2, min(MOST, 2 * threads)), time.monotonic()
        return self._room


class OneWeek:
    """One week on its way through a cluster."""

    def __init__(
        self,
        client: Client,
        say: Callable[[str], None],
        course: Course,
        week: Week,
        master: Master,
        unsafe: bool,
    ):
        self._client, self._say = client, say
        self._master, self._limits = master, course.limits
        order = {
            "source": course.notebook(week),
            "week": week.name,
            "name": week.notebook,
            "limits": asdict(course.limits),
            "unsafe": unsafe,
            "versions": installed(course.limits),
            "engine": engine_digest(course.limits),
        }
        self._key = hashlib.sha256(f"{self._master.digest} {order['engine']} {unsafe}".encode()).hexdigest()
        self._order = order | {"key": self._key}
        self._met: set[str] = set()  # workers that were told of the week, or sent away
        self._meeting = threading.Lock()
        self._turns = Turns()
        with scheduler_there():
            if not client.scheduler_info()["workers"]:
                say("The cluster has no worker yet: waiting for one.")
                client.wait_for_workers(1)
        if refused := self._meet():
            raise Stopped(f"No worker of the cluster can grade. {' '.join(refused)}")

    def answer(self, submission: Submission, before: Graded | None) -> Graded:
        """Have a submission graded by some worker, given what came out last time.

        Raises:
            CourseError: several workers could not; the last one's reason.
            Stopped: the scheduler is lost.
        """
        try:
            with self._turns.together():
                return self._send(submission, before)
        except KilledWorker:
            pass  # with it, or beside it? That shows when it is alone.
        try:
            with self._turns.alone():
                return self._send(submission, before)
        except KilledWorker as killed:
            return engine_fault(self._master, submission, self._limits, str(killed))

    def _send(self, submission: Submission, before: Graded | None) -> Graded:
        digest, files = submission.digest, submission.as_bytes()
        earlier = before and (before.result.to_json(), before.notebook)
        reason, tries, unprepared = "", 0, 0
        while tries < TRIES:
            with scheduler_there():
                future = self._client.submit(grade_bytes, self._key, digest, files, earlier, pure=False)
            try:
                with scheduler_there():
                    reply = future.result()
            except (KilledWorker, Stopped):
                raise
            except Exception as error:  # a worker without the package cannot even read the call
                reply = {"unprepared": "", "failed": f"{type(error).__name__}: {error}"}
            finally:
                future.release()
            if "result" in reply:
                result = Result.from_json(reply["result"])
                return Graded(result, reply["notebook"], shared_limit=reply["shared_limit"])
            if "failed" in reply:
                reason, tries = reply["failed"], tries + 1
            if "unprepared" in reply:
                unprepared += 1
                if unprepared > PREPARATIONS:
                    raise Stopped(
                        f"The worker at {reply['unprepared']} forgets what it is told of {self._master.week}: it was "
                        f"told {PREPARATIONS} times for one submission. Restart the workers, and run the same "
                        "command again: what was graded is kept."
                    )
                if unprepared > 1:
                    time.sleep(PAUSE_SECONDS * 2 ** (unprepared - 2))
                self._meet(again=reply["unprepared"])
        raise CourseError(f"{reason} Tried {TRIES} times.")

    def _meet(self, again: str = "") -> list[str]:
        """Prepare workers that have come, and send those away that cannot grade.

        Args:
            again: the address of one that does not know the week (any more): another process may be there now.

        Returns:
            What is wrong with them, when they are all that there are: then they are left where they are.
        """
        with self._meeting, scheduler_there():
            self._met.discard(again)
            new = [
                address for address in self._client.scheduler_info()["workers"] if address not in self._met
            ]
            if not new:
                return []
            answers = self._client.run(prepare, self._order, workers=new, on_error="return")
            there = self._client.scheduler_info()["workers"]
            refused = {}
            for address in new:
                reply = answers.get(address, "gave no answer.")
                if reply == "":
                    self._met.add(address)
                elif address in there:  # and not lost meanwhile
                    if isinstance(reply, Exception):  # it could not even read the call
                        reply = f"cannot run coursekit: {reply}. Install it and its requirements there."
                    refused[address] = f"Worker {address} {printable(reply)}"
            if refused and set(refused) == set(there):
                return list(refused.values())
            for sentence in refused.values():
                self._say(f"{sentence} It is not used.")
            if refused:
                self._client.retire_workers(list(refused))
            return []


class Turns:
    """Many together, or one alone."""

    def __init__(self):
        self._changed = threading.Condition()
        self._together, self._alone = 0, False

    @contextmanager
    def together(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._alone)
            self._together += 1
        try:
            yield
        finally:
            with self._changed:
                self._together -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._alone)
            self._alone = True  # from now on nobody else begins
            self._changed.wait_for(lambda: not self._together)
        try:
            yield
        finally:
            with self._changed:
                self._alone = False
                self._changed.notify_all()


@contextmanager
def scheduler_there() -> Iterator[None]:
    """Turn Dask's several ways to say that the scheduler is lost into one.

    Raises:
        Stopped: it is.
    """
    try:
        yield
    except (OSError, CancelledError, asyncio.CancelledError) as error:
        raise Stopped(
            f"The Dask scheduler is lost ({type(error).__name__}: {error}). Finished work is kept: "
            "restart the scheduler, and run the same command again to continue."
        ) from error
