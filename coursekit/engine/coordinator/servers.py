"""The fork servers of one run: started when they are first needed, and again when one of them has died."""

import contextlib
import functools
import importlib.util
import logging
import math
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coursekit.engine.coordinator import bytecode
from coursekit.engine.coordinator.forked_process import ForkedProcess, ServerLost
from coursekit.engine.shared.errors import Stopped
from coursekit.engine.shared.limits import MAX_TASKS, MORE_TASKS, Calibration

STARTS = 3  # attempts to start or to fork, before grading stops
OUT_OF_MEMORY_SECONDS = 5  # for which a process that Linux ended for lack of memory counts as recent
LOG_NAME = "servers.log"  # in a course's folder
MAX_LOG = 1 << 16  # bytes of the servers' standard error that are kept, the last ones

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Excess:
    """One submission's processes used more than they may of a shared resource: disk, processes, descriptors.

    Attributes:
        thread: the thread that graded the submission.
        begun, ended: on the monotonic clock.
    """

    thread: int
    begun: float
    ended: float


class Servers:
    """The fork servers of one run. Use as a context manager.

    They start with the first fork, which waits until they are ready; a run that needs no kernel does not start them.
    When one of them has died, all are replaced at the next fork; their forks live on.

    Args:
        unsafe: fork without confinement. Every result is marked.
        modules: to import: those that the week's cells import.
        hash_seed: PYTHONHASHSEED. One value, so that equal runs give equal bytes: sets are printed in the same order.
        kernels: student kernels that may run at a time, each with processes of its own.
        log: where the servers' standard error is kept when one of them dies; by default in the temporary folder.

    Attributes:
        cpu_seconds: used by all forked processes that have ended, with their descendants.
        excesses: of submissions that may have affected others.
    """

    def __init__(
        self,
        unsafe: bool = False,
        modules: Sequence[str] = (),
        hash_seed: int = 0,
        kernels: int = 16,
        log: Path | None = None,
    ):
        self.unsafe, self.kernels = unsafe, kernels
        self.cpu_seconds = 0.0
        self.excesses: list[Excess] = []
        self._oom_kills, self._oom_killed_at = _oom_kills(), -math.inf
        self.modules, self._hash_seed = list(modules), hash_seed
        self._log = log or Path(tempfile.gettempdir(), f"course-servers-{os.getpid()}.log")
        self._log_kept = False
        self._starting, self._counting = threading.Lock(), threading.Lock()
        self._generation: Generation | None = None
        self._calibration: Calibration | None = None
        self._closed = False

    def __enter__(self) -> "Servers":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    @property
    def folder(self) -> Path:
        """The folder of their sockets.

        Raises:
            Stopped: they do not start.
        """
        return self._ensure_running().folder

    @property
    def calibration(self) -> Calibration:
        """The speed of this machine, measured when the servers first started."""
        assert self._calibration is not None, "no process has been forked"
        return self._calibration

    def start(self) -> None:
        """Start them before the first fork, without waiting for them."""
        with self._starting:
            if self._generation is None and not self._closed:
                self._generation = Generation(self.modules, self._hash_seed)

    def wait(self) -> "Generation":
        """Start them, wait until they are ready, and return them.

        Raises:
            Stopped: they do not start.
        """
        return self._ensure_running(ready=True)

    def _ensure_running(self, ready: bool = False) -> "Generation":
        error_text = ""
        with self._starting:
            for _ in range(STARTS):
                if self._closed:
                    raise Stopped("Grading has ended.")
                if self._generation is not None and self._generation.ended():
                    logger.warning("The fork servers have died and are started again.")
                    self._discard(lost=True)
                if self._generation is None:
                    self._generation = Generation(self.modules, self._hash_seed)
                if self._calibration is None:
                    # Imported and measured while they start.
                    from coursekit.engine.coordinator.calibration import calibrate

                    self._calibration = calibrate()
                try:
                    self._generation.wait_for_lines(2 if ready else 1)
                    return self._generation
                except EOFError:
                    error_text = self._generation.error_text()
        for package in dict.fromkeys(module.partition(".")[0] for module in self.modules):
            if importlib.util.find_spec(package) is None:
                raise Stopped(
                    f"{package} is not installed, but kernels have to import it. Install it, or take it out of the "
                    "list `modules` under [kernels] in course.toml, where its name is the one that follows `import`."
                )
        raise Stopped(f"The fork servers did not start:\n{error_text[-2000:]}\nRun `course doctor`.")

    def _discard(self, lost: bool = False) -> None:
        """Close the servers; if they were lost, keep their standard error."""
        if self._generation is not None:
            if lost and (text := self._generation.error_text()):
                with contextlib.suppress(OSError):
                    self._log.write_text(text, encoding="utf-8")
                    self._log_kept = True
                    logger.warning("Their standard error is in %s.", self._log)
            self._generation.close()
            self._generation = None

    def close(self) -> None:
        """Stop the servers for good. What they have forked ends when its connection is closed."""
        with self._starting:
            self._closed = True
            self._discard()

    def fork(
        self, server: str, request: dict[str, Any], descriptors: list[int], preload: Any = ()
    ) -> ForkedProcess:
        """Return a process forked by the server "student", "examiner" or "reader"; arguments as for `ForkedProcess`.

        Raises:
            ServerLost: the server does not answer in any attempt.
            Stopped: the servers do not start.
        """
        for _ in range(STARTS):
            generation = self.wait()
            path = generation.folder / f"{server}.sock"
            request = {
                "unsafe": self.unsafe,
                "processes": self.kernels * MAX_TASKS + MORE_TASKS,  # of the user: in kernels, and others
                "folder": "",  # it may read no folder of the course
                "links": [],  # nor a file
                **request,
            }
            exceeded = functools.partial(self._record_excess, threading.get_ident())
            lost = functools.partial(self._close_lost, generation)
            try:
                return ForkedProcess(
                    path,
                    request,
                    descriptors,
                    preload,
                    count=self._count,
                    exceeded=exceeded,
                    server_lost=lost,
                )
            except ServerLost as error:  # no submission depended on it yet
                last = error
        raise last

    def ran_out_of_memory(self) -> bool:
        """Return whether Linux has ended any process for lack of memory, since the last call or recently."""
        with self._counting:
            kills, now = _oom_kills(), time.monotonic()
            if kills > self._oom_kills:
                self._oom_kills, self._oom_killed_at = kills, now
            return now - self._oom_killed_at < OUT_OF_MEMORY_SECONDS

    def _count(self, cpu_seconds: float) -> None:
        with self._counting:
            self.cpu_seconds += cpu_seconds

    def _record_excess(self, thread: int, begun: float, ended: float) -> None:
        with self._counting:
            self.excesses.append(Excess(thread, begun, ended))

    def _close_lost(self, generation: "Generation") -> str:
        """Close servers of which one does not answer. Return a sentence that says where their log is, or ""."""
        with self._starting:
            if self._generation is generation:
                logger.warning("A fork server does not answer: all are started again.")
                self._discard(lost=True)
            return f" What the servers wrote is in {self._log}." if self._log_kept else ""


def _oom_kills() -> int:
    """Return how many processes Linux has ended for lack of memory since it was booted."""
    with contextlib.suppress(OSError, ValueError), open("/proc/vmstat", "rb") as file:
        return int(file.read().partition(b"\noom_kill ")[2].split(None, 1)[0])
    return 0


class Generation:
    """Fork servers that start and end together.

    Attributes:
        folder: of their sockets, once they have reported it.
    """

    folder: Path

    def __init__(self, modules: Sequence[str], hash_seed: int):
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "LANG": "C.UTF-8",
            "TMPDIR": tempfile.gettempdir(),
            "PYTHONHASHSEED": str(hash_seed),
            "OMP_NUM_THREADS": "1",
        }
        if "PYTHONPATH" in os.environ:  # the servers run the same code as this process
            environment["PYTHONPATH"] = os.environ["PYTHONPATH"]
        # matplotlib keeps its list of this machine's fonts, which takes a while to make, in the user's cache. If it
        # cannot write there, it makes a temporary folder, which nothing removes when the servers are killed.
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        fonts = os.path.join(cache, "matplotlib")
        if os.access(fonts if os.path.exists(fonts) else cache, os.W_OK):
            environment["XDG_CACHE_HOME"] = cache
        if folder := bytecode.ensure_compiled():
            environment["PYTHONPYCACHEPREFIX"] = folder
        self._lines = 0
        # Only the servers and guardians write to it: a confined process has /dev/null as its standard error.
        self._errors = tempfile.TemporaryFile(prefix="course-log-")  # noqa: SIM115 (as long-lived as this object)
        # The servers make their folder themselves: if this process made it and were killed, nobody would remove it.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "coursekit.engine.supervisor.fork_server", *modules],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=environment,
            cwd="/",
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout

    def wait_for_lines(self, count: int) -> None:
        """Wait until they have printed `count` lines: the first is their folder, the second says that they are ready.

        Raises:
            EOFError: they ended.
        """
        while self._lines < count:
            line = self._output.readline()
            if not line.endswith(b"\n"):
                self._process.kill()
                self._process.wait()
                raise EOFError
            if self._lines == 0:
                self.folder = Path(os.fsdecode(line[:-1]))
            self._lines += 1

    def error_text(self) -> str:
        """Return the end of their standard error."""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - MAX_LOG))
        return self._errors.read().decode(errors="replace").strip()

    def ended(self) -> bool:
        """Return whether they have ended, and have to be replaced."""
        return self._process.poll() is not None

    def close(self) -> None:
        """End them, and remove their folder. Their forks live on."""
        self._input.close()
        with contextlib.suppress(EOFError):
            self.wait_for_lines(1)  # servers that have to be killed do not remove their folder
        if self._lines < 2:  # they would continue until they are ready
            self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        self._process.kill()
        self._process.wait()
        self._output.close()
        self._errors.close()
        if self._lines:
            shutil.rmtree(self.folder, ignore_errors=True)
