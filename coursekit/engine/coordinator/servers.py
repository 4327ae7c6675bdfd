"""The warm fork servers of one run: started when they are first needed, and again when one has died."""

import contextlib
import functools
import importlib.util
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
from coursekit.engine.coordinator.lease import Lease, ServerLost
from coursekit.engine.shared.errors import Stopped
from coursekit.engine.shared.limits import MAX_TASKS, MORE_TASKS, Calibration

STARTS = 3  # in a row, before it is the machine's fault
OUT_OF_MEMORY_SECONDS = 5  # within so many, all that the system ends for want of memory is one event


@dataclass(frozen=True)
class Excess:
    """That the processes of one submission took more than they may of something that all share: disk, processes, files.

    Attributes:
        thread: that which graded the submission.
        begun, ended: on the monotonic clock.
    """

    thread: int
    begun: float
    ended: float


class Servers:
    """The warm fork servers of one run. Use as a context manager.

    They start with the first lease, which waits until they are warm; a run that needs no kernel does not pay for
    them. Where one of them has died, all are replaced with the next lease; what they forked before lives on.

    Args:
        unsafe: fork without confinement. Every result made so is marked.
        modules: to import, see `coursekit.engine.coordinator.grade.warm_modules`.
        hash_seed: Python's PYTHONHASHSEED. One value, so that equal runs give equal bytes: sets are printed in
            the same order each time.
        kernels: student kernels that there may be at a time: each has processes of its own to start.

    Attributes:
        cpu_seconds: what all processes that have ended used, with everything that they started.
        excesses: that others may have felt.
    """

    def __init__(
        self, unsafe: bool = False, modules: Sequence[str] = (), hash_seed: int = 0, kernels: int = 16
    ):
        self.unsafe, self.kernels = unsafe, kernels
        self.cpu_seconds = 0.0
        self.excesses: list[Excess] = []
        self._killed, self._killed_at = _killed_for_memory(), -math.inf
        self.modules, self._hash_seed = list(modules), hash_seed
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
        """Where their sockets are.

        Raises:
            Stopped: they do not start.
        """
        return self._living().folder

    @property
    def calibration(self) -> Calibration:
        """How fast this machine is, measured when the servers first started."""
        assert self._calibration is not None, "no process has been asked for"
        return self._calibration

    def start(self) -> None:
        """Have them start now, before the first lease, without waiting for them."""
        with self._starting:
            if self._generation is None and not self._closed:
                self._generation = Generation(self.modules, self._hash_seed)

    def wait(self) -> "Generation":
        """Until they are warm.

        Raises:
            Stopped: they do not start.
        """
        return self._living(warm=True)

    def _living(self, warm: bool = False) -> "Generation":
        said = ""
        with self._starting:
            for _ in range(STARTS):
                if self._closed:
                    raise Stopped("Grading has ended.")
                if self._generation is None or self._generation.ended():
                    self._end()
                    self._generation = Generation(self.modules, self._hash_seed)
                if self._calibration is None:
                    # Imported and measured while they start.
                    from coursekit.engine.coordinator.calibration import calibrate

                    self._calibration = calibrate()
                try:
                    self._generation.hear(2 if warm else 1)
                    return self._generation
                except EOFError as error:
                    said = str(error)
        for package in dict.fromkeys(module.partition(".")[0] for module in self.modules):
            if importlib.util.find_spec(package) is None:
                raise Stopped(
                    f"{package} is not installed, but kernels have to import it. Install it, or take it out of the "
                    "list `modules` under [kernels] in course.toml, where its name is the one that follows `import`."
                )
        raise Stopped(f"The fork servers did not start:\n{said}\nRun `course doctor`.")

    def _end(self) -> None:
        if self._generation is not None:
            self._generation.close()
            self._generation = None

    def close(self) -> None:
        """Stop the servers for good; forks end with the connections of their askers."""
        with self._starting:
            self._closed = True
            self._end()

    def lease(
        self, server: str, request: dict[str, Any], descriptors: list[int], lasting: Any = ()
    ) -> "Lease":
        """Have a process forked. `server` is "student", "examiner" or "reader"; the rest as `Lease` has it.

        Raises:
            ServerLost: it dies whenever it is asked.
            Stopped: they do not start.
        """
        for _ in range(STARTS):
            generation = self.wait()
            path = generation.folder / f"{server}.sock"
            request = {
                "unsafe": self.unsafe,
                "processes": self.kernels * MAX_TASKS + MORE_TASKS,
                **request,
            }
            excess = functools.partial(self._exceeded, threading.get_ident())
            try:
                return Lease(path, request, descriptors, lasting, self._count, excess, generation.close)
            except ServerLost as error:  # with nothing in hand yet
                lost = error
        raise lost

    def ran_out_of_memory(self) -> bool:
        """Whether the system has just ended processes for want of memory: any of this machine's."""
        with self._counting:
            killed, now = _killed_for_memory(), time.monotonic()
            if killed > self._killed:
                self._killed, self._killed_at = killed, now
            return now - self._killed_at < OUT_OF_MEMORY_SECONDS

    def _count(self, cpu_seconds: float) -> None:
        with self._counting:
            self.cpu_seconds += cpu_seconds

    def _exceeded(self, thread: int, begun: float, ended: float) -> None:
        with self._counting:
            self.excesses.append(Excess(thread, begun, ended))


def _killed_for_memory() -> int:
    """How many processes the system has ended for want of memory since its start."""
    with contextlib.suppress(OSError, ValueError), open("/proc/vmstat", "rb") as file:
        return int(file.read().partition(b"\noom_kill ")[2].split(None, 1)[0])
    return 0


class Generation:
    """Fork servers that were started together, and end together.

    Attributes:
        folder: where their sockets are, once they have said so.
    """

    folder: Path

    def __init__(self, modules: Sequence[str], hash_seed: int):
        # The servers make their folder themselves: were this process killed in between, nobody would remove it.
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "LANG": "C.UTF-8",
            "TMPDIR": tempfile.gettempdir(),
            "PYTHONHASHSEED": str(hash_seed),
            "OMP_NUM_THREADS": "1",
        }
        if "PYTHONPATH" in os.environ:  # the servers run the same code as this process
            environment["PYTHONPATH"] = os.environ["PYTHONPATH"]
        # matplotlib keeps its list of this machine's fonts there, which takes a while to make. Where it cannot write,
        # it would make a folder of its own, which stays behind when the servers are killed.
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        fonts = os.path.join(cache, "matplotlib")
        if os.access(fonts if os.path.exists(fonts) else cache, os.W_OK):
            environment["XDG_CACHE_HOME"] = cache
        if folder := bytecode.prefix():
            environment["PYTHONPYCACHEPREFIX"] = folder
        self._heard = 0
        self._log = tempfile.TemporaryFile(prefix="course-log-")  # noqa: SIM115 (as long-lived as this object)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "coursekit.engine.supervisor.fork_server", *modules],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=environment,
            cwd="/",
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout

    def hear(self, lines: int) -> None:
        """Wait until they have said so much: first their folder, then that they are ready.

        Raises:
            EOFError: they ended; with what they said on stderr.
        """
        while self._heard < lines:
            line = self._output.readline()
            if not line.endswith(b"\n"):
                self._process.kill()
                self._process.wait()
                self._log.seek(0)
                raise EOFError(self._log.read().decode(errors="replace")[-2000:].strip())
            if self._heard == 0:
                self.folder = Path(os.fsdecode(line[:-1]))
            self._heard += 1

    def ended(self) -> bool:
        """Whether they have to be replaced."""
        return self._process.poll() is not None

    def close(self) -> None:
        """End them, and remove their folder. What they forked lives on."""
        self._input.close()
        with contextlib.suppress(EOFError):
            self.hear(1)  # they leave it behind when they have to be killed
        if self._heard < 2:  # they would go on until they are warm
            self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        self._process.kill()
        self._process.wait()
        self._output.close()
        self._log.close()
        if self._heard:
            shutil.rmtree(self.folder, ignore_errors=True)
