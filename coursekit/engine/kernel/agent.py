"""Answers the examiner's questions from inside the student kernel.

While tests run, the kernel's main thread sits in `serve`: it reads a request, does it with the student's
objects, and replies with plain data or a reference to an object that stays here. The examiner trusts none of
it: whatever the student's code does to this module, all that leaves the process is values.
"""

import contextlib
import errno
import linecache
import math
import random
import resource
import signal
import socket
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from coursekit.engine.kernel.from_scratch import refused
from coursekit.engine.shared import frames, library, wire
from coursekit.engine.shared.limits import THREAD_STACK_MB
from coursekit.engine.shared.reference_definitions import ReferenceCalls, reference_definition

_connection: socket.socket  # set once by the kernel before any student code runs
_MISSING = object()
RECURSION = 1000  # Python's own limit
SHARED = (errno.ENOSPC, errno.EDQUOT, errno.EAGAIN, errno.ENFILE)
# As they are before any student code runs.
_GENERATORS: tuple[tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]], ...] = (
    (random.getstate, random.setstate, random.seed),
    (np.random.get_state, np.random.set_state, np.random.seed),
)
_setup: dict[str, Any] = {"__name__": "__main__"}  # the setup cells' names, as they left them


def attach(connection: socket.socket) -> None:
    """Called by the kernel's start: the socket whose other end the examiner holds."""
    global _connection
    _connection = connection


def remember(names: Iterable[str]) -> None:
    """Called by the kernel at the end of a setup cell: these names, which it defines, are what probes may use."""
    from IPython import get_ipython

    user = get_ipython().user_ns
    _setup.update((name, user[name]) for name in names if name in user)


def end_timers() -> None:
    """Called by the kernel behind a cell and a test: what they have started ends with them."""
    for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
        signal.setitimer(timer, 0)


def met_shared_limit(error: BaseException | None) -> bool:
    """Whether an error, or one that led to it, is that a limit was met which all processes of the machine share.

    That is a full disk, or too many processes, threads or files: perhaps a neighbour's doing.
    """
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, OSError) and error.errno in SHARED:
            return True
        if type(error) is RuntimeError and error.args == ("can't start new thread",):
            return _address_space_left() > 2 * THREAD_STACK_MB << 20  # else it is the process's own limit
        error = error.__cause__ or error.__context__
    return False


def _address_space_left() -> float:
    """Bytes that this process may still map."""
    with open("/proc/self/statm", "rb") as file:
        mapped = int(file.read().split()[0]) * resource.getpagesize()
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return math.inf if limit == resource.RLIM_INFINITY else limit - mapped


def serve(from_scratch: Iterable[str]) -> None:
    """Called by the kernel before one test or several in a row: answers until the engine says goodbye.

    Args:
        from_scratch: dotted names of ready-made functions that raise meanwhile.
    """
    from IPython import get_ipython

    user, more = get_ipython().user_ns, True
    with refused(from_scratch, user, _setup), kept_chance():
        while more:
            with fresh_modes():
                same_chance()
                more = Agent(_connection, user).serve()


@contextlib.contextmanager
def fresh_modes() -> Iterator[None]:
    """Python, the course's library, numpy and warnings as the examiner has them.

    A test makes its arguments over there. What the notebook set for itself (another default dtype or device, no
    gradients, warnings and rounding that raise) would meet them half-way and break right answers, or make them slow
    (a profiler, a tracer, as many threads as there are cores).
    """
    watching = sys.gettrace(), sys.getprofile()
    sys.settrace(None)
    sys.setprofile(None)
    threading.settrace(None)
    threading.setprofile(None)
    depth = sys.getrecursionlimit()
    sys.setrecursionlimit(max(depth, RECURSION))
    try:
        with (
            library.current.fresh_modes(),
            np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.setrecursionlimit(depth)
        sys.settrace(watching[0])
        sys.setprofile(watching[1])


def same_chance() -> None:
    """Have random numbers begin alike, so that what a test sees of an answer does not depend on what ran before."""
    for _, _, seed in _GENERATORS:
        seed(0)
    library.current.same_chance()


@contextlib.contextmanager
def kept_chance() -> Iterator[None]:
    """Random numbers go on afterwards where they had stopped: what a later cell draws does not depend on the tests."""
    kept = [take() for take, _, _ in _GENERATORS]
    try:
        with library.current.kept_chance():
            yield
    finally:
        for (_, put, _), state in zip(_GENERATORS, kept, strict=True):
            put(state)


class Agent:
    """One test's worth of answers.

    Args:
        connection: stream socket to the examiner.
        namespace: the student's global names.
    """

    def __init__(self, connection: socket.socket, namespace: dict[str, Any]):
        self._connection = connection
        self._namespace = namespace
        self._objects: list[Any] = []  # what references point to; kept alive for the length of the test
        self._codec = wire.Codec(self._refer, self._resolve)
        self._own: dict[str, Any] = {}  # what the names of the reference definitions stood for before

    def serve(self) -> bool:
        """Answer until the test is done; whether another test may follow."""
        try:
            while True:
                request = self._codec.decode(frames.receive(self._connection))
                if request[0] in ("done", "bye"):
                    return bool(request[0] == "done")
                self._answer(request)
        finally:
            for name, value in self._own.items():
                if value is _MISSING:
                    self._namespace.pop(name, None)
                else:
                    self._namespace[name] = value

    def _answer(self, request: list[Any]) -> None:
        try:
            reply = self._codec.encode(["ok", self._do(*request)])
        except BaseException as error:  # whatever the student's code raises is the answer
            ended = request[0] == "next" and type(error) is StopIteration
            said = ["stop"] if ended else ["error", *describe(error), met_shared_limit(error)]
            reply = self._codec.encode(said)
        finally:
            end_timers()
        frames.send(self._connection, reply)

    def _do(self, action: str, *arguments: Any) -> Any:
        if action == "names":
            return {name: self._namespace[name] for name in arguments[0] if name in self._namespace}
        if action == "references":
            kinds, *services = arguments
            self._own = {name: self._namespace.get(name, _MISSING) for name in kinds}
            calls = ReferenceCalls(*services)
            self._namespace |= {
                name: reference_definition(calls, name, *kind) for name, kind in kinds.items()
            }
            return None
        if action == "define":  # a probe: sees what a test sees, and leaves nothing behind
            source, name, wanted = arguments
            scope = _setup | {key: self._namespace[key] for key in wanted if key in self._namespace}
            exec(compile(source, f"<{name}>", "exec"), scope)
            return _Boxed(scope[name])
        target, *rest = arguments
        if action == "call":
            positional, named = rest
            return target(*positional, **named)
        if action == "getattr":
            return getattr(target, rest[0])
        if action == "setattr":
            return setattr(target, *rest)
        if action == "getitem":
            return target[rest[0]]
        if action == "setitem":
            target[rest[0]] = rest[1]
            return None
        if action == "len":
            return len(target)
        if action == "iter":
            return _Boxed(iter(target))
        if action == "next":
            return next(target)
        raise ValueError(f"unknown action {action!r}")

    def _refer(self, value: Any) -> tuple[int, int, str]:
        self._objects.append(value.inner if type(value) is _Boxed else value)
        return wire.REFERENCE, len(self._objects) - 1, type(self._objects[-1]).__name__

    def _resolve(self, code: int, number: int, name: str) -> Any:
        if code == wire.REFERENCE:
            return self._objects[number]
        return self._callback(number, name)

    def _callback(self, number: int, name: str) -> Callable[..., Any]:
        """A function of the test, as the student's code sees it."""

        def callback(*positional: Any, **named: Any) -> Any:
            frames.send(self._connection, self._codec.encode(["call", number, list(positional), named]))
            while True:
                request = self._codec.decode(frames.receive(self._connection))
                if request[0] == "return":
                    return request[1]
                if request[0] == "raise":
                    raise RuntimeError(request[1])
                self._answer(request)  # the function itself used a stand-in

        callback.__name__ = callback.__qualname__ = name
        return callback


class _Boxed:
    """Marks a value that must travel as a reference, whatever it is."""

    def __init__(self, inner: Any):
        self.inner = inner


def describe(error: BaseException) -> tuple[list[str], str, str]:
    """Names of an exception's classes (most special first), its message, and where in the student's cell."""
    try:
        message = str(error)
    except BaseException:
        message = "(its message could not be read)"
    names = [kind.__name__ for kind in type(error).__mro__]
    where = ""
    for frame in traceback.extract_tb(error.__traceback__):
        # The last line that the student wrote, not the library that it called.
        if "ipykernel" in frame.filename or frame.filename.startswith("<ipython-input"):
            line = linecache.getline(frame.filename, frame.lineno or 0).strip()
            where = f"line {frame.lineno} of the cell: {line}"
    return names, message[:4000], where[:400]
