"""The agent: answers the examiner's requests from inside the student kernel.

While tests run, the kernel's main thread is in `serve`: it reads a request, carries it out on the student's objects,
and replies with plain data or with a reference to an object that stays here. The examiner trusts none of it: whatever
the student's code does to this module, only values leave the process.
"""

import contextlib
import errno
import faulthandler
import linecache
import math
import operator
import os
import random
import resource
import signal
import socket
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from coursekit.engine.kernel.from_scratch import blocked
from coursekit.engine.shared import builtin_errors, frames, library, wire
from coursekit.engine.shared.limits import THREAD_STACK_MB
from coursekit.engine.shared.reference_definitions import ReferenceCalls, reference_definition

_connection: socket.socket  # set once by the kernel before any student code runs
_MISSING = object()
RECURSION_LIMIT = 1000  # Python's default
# Of a full disk, and of too many processes, threads or open files on the whole machine.
SHARED_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EAGAIN, errno.ENFILE)
# (get state, set state, seed) of each random generator, taken before student code can replace these functions.
_GENERATORS: tuple[tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]], ...] = (
    (random.getstate, random.setstate, random.seed),
    (np.random.get_state, np.random.set_state, np.random.seed),
)
# Requests about one object of the student's that are carried out by one function.
_OPERATIONS: dict[str, Callable[..., Any]] = {
    **{"getattr": getattr, "setattr": setattr, "len": len, "next": next},
    **{"getitem": operator.getitem, "setitem": operator.setitem},
}
# Where the student's own modules are, and the names of the modules that were imported before any of them.
_own_folder, _imported_before = "", frozenset[str]()
_probe_names: dict[str, Any] = {"__name__": "__main__"}  # {name: its value at the end of its setup cell}


def attach(connection: socket.socket) -> None:
    """Set the socket to the examiner; called once, when the kernel starts."""
    global _connection
    _connection = connection


def expect_own_modules() -> None:
    """Take the modules that are imported from now on from the working folder for the student's own."""
    global _own_folder, _imported_before
    _own_folder, _imported_before = os.getcwd(), frozenset(sys.modules)


def own_namespaces() -> Iterator[dict[str, Any]]:
    """Yield the global names of each module of the student's own: files beside the notebook that it has imported."""
    for name in sys.modules.keys() - _imported_before:
        module = sys.modules.get(name)
        if type(module) is ModuleType:
            path = vars(module).get("__file__")
            if type(path) is str and path.startswith(f"{_own_folder}/"):
                yield vars(module)


def add_probe_names(names: Iterable[str]) -> None:
    """Keep the values of these names for probes; called at the end of the setup cell that defines them."""
    from IPython import get_ipython

    user = get_ipython().user_ns
    _probe_names.update((name, user[name]) for name in names if name in user)


def cancel_timers() -> None:
    """Cancel the timers that a cell or a test has set; called after each cell, and each request of a test."""
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.cancel()
    for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
        signal.setitimer(timer, 0)
    faulthandler.cancel_dump_traceback_later()


def hit_shared_limit(error: BaseException | None) -> bool:
    """Return whether an error, or one of its causes, comes from a limit that all processes of the machine share.

    That is a full disk, or too many processes, threads or files: perhaps another submission has used them up.
    """
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, OSError) and error.errno in SHARED_ERRORS:
            return True
        if type(error) is RuntimeError and error.args == ("can't start new thread",):
            return _address_space_left() > 2 * THREAD_STACK_MB << 20  # else it is the process's own limit
        error = error.__cause__ or error.__context__
    return False


def _address_space_left() -> float:
    """Return the number of bytes that this process may still map."""
    with open("/proc/self/statm", "rb") as file:
        mapped = int(file.read().split()[0]) * resource.getpagesize()
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return math.inf if limit == resource.RLIM_INFINITY else limit - mapped


def serve(from_scratch: Iterable[str]) -> None:
    """Answer the examiner during one test or several in a row, until the coordinator sends "bye".

    Args:
        from_scratch: dotted names of ready-made functions that are blocked for the student's code and for probes.
    """
    from IPython import get_ipython

    user, more = get_ipython().user_ns, True
    with blocked(from_scratch, user, _probe_names, *own_namespaces()), preserved_rng_state():
        while more:
            with default_modes():
                seed_rngs()
                more = Agent(_connection, user).serve()


@contextlib.contextmanager
def default_modes() -> Iterator[None]:
    """Set Python, the course's library, numpy and warnings to the modes of the examiner until the context ends.

    A test creates its arguments in the examiner. Modes that the notebook has set would break right answers (another
    default dtype or device, no gradients, warnings and rounding that raise) or slow them down (a profiler, a tracer, as
    many threads as there are cores). Trace and profile functions for new threads are not restored.
    """
    trace, profile = sys.gettrace(), sys.getprofile()
    sys.settrace(None)
    sys.setprofile(None)
    threading.settrace(None)
    threading.setprofile(None)
    depth = sys.getrecursionlimit()
    sys.setrecursionlimit(max(depth, RECURSION_LIMIT))
    try:
        with (
            library.current.default_modes(),
            np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.setrecursionlimit(depth)
        sys.settrace(trace)
        sys.setprofile(profile)


def seed_rngs() -> None:
    """Seed all global random generators, so that the results of a test do not depend on code that ran before."""
    for _, _, seed in _GENERATORS:
        seed(0)
    library.current.seed_rngs()


@contextlib.contextmanager
def preserved_rng_state() -> Iterator[None]:
    """Restore all global random generators at the end, so that later cells' draws do not depend on the tests."""
    states = [get_state() for get_state, _, _ in _GENERATORS]
    try:
        with library.current.preserved_rng_state():
            yield
    finally:
        for (_, set_state, _), state in zip(_GENERATORS, states, strict=True):
            set_state(state)


class Agent:
    """Answers the requests of one test.

    Args:
        connection: stream socket to the examiner.
        namespace: the student's global names.
    """

    def __init__(self, connection: socket.socket, namespace: dict[str, Any]):
        self._connection = connection
        self._namespace = namespace
        self._objects: list[Any] = []  # by the number of their reference; kept alive during the test
        self._codec = wire.Codec(self._refer, self._resolve)
        self._own: dict[str, Any] = {}  # what the names of the reference definitions stood for before
        # Calls of the test's functions whose replies are still to come, and are dropped.
        self._interrupted = 0

    def serve(self) -> bool:
        """Answer until the test is done. Return whether another test may follow."""
        try:
            while True:
                request = self._codec.decode(frames.receive(self._connection))
                if request[0] in ("done", "bye"):
                    return bool(request[0] == "done")
                if not self._is_dropped(request):
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
            answer = ["stop"] if ended else ["error", *describe(error), hit_shared_limit(error)]
            reply = self._codec.encode(answer)
        finally:
            cancel_timers()
        frames.send(self._connection, reply)

    def _do(self, action: str, *arguments: Any) -> Any:
        if action == "names":
            return {name: self._namespace[name] for name in arguments[0] if name in self._namespace}
        if action == "references":
            kinds, *services = arguments  # {name: (kind, value)}, and functions that run in the examiner
            self._own = {name: self._namespace.get(name, _MISSING) for name in kinds}
            calls = ReferenceCalls(*services)
            self._namespace |= {
                name: reference_definition(calls, name, *kind) for name, kind in kinds.items()
            }
            return None
        if action == "define":  # a probe and the names it uses: its definitions do not stay in the namespace
            source, name, names = arguments
            scope = _probe_names | {key: self._namespace[key] for key in names if key in self._namespace}
            exec(compile(source, f"<{name}>", "exec"), scope)
            return _Boxed(scope[name])
        target, *rest = arguments
        if action == "call":
            positional, named = rest
            return target(*positional, **named)
        if action == "iter":
            return _Boxed(iter(target))
        return _OPERATIONS[action](target, *rest)

    def _refer(self, value: Any) -> tuple[int, int, str]:
        self._objects.append(value.inner if type(value) is _Boxed else value)
        return wire.REFERENCE, len(self._objects) - 1, type(self._objects[-1]).__name__

    def _resolve(self, code: int, number: int, name: str) -> Any:
        if code == wire.REFERENCE:
            return self._objects[number]
        return self._callback(number, name)

    def _callback(self, number: int, name: str) -> Callable[..., Any]:
        """Return a function that calls a function of the test, for the student's code."""

        def callback(*positional: Any, **named: Any) -> Any:
            frames.send(self._connection, self._codec.encode(["call", number, list(positional), named]))
            while True:
                try:
                    data = frames.receive(self._connection)
                except BaseException:  # raised by the handler of a timer in the student's code
                    self._interrupted += 1
                    raise
                request = self._codec.decode(data)
                if self._is_dropped(request):
                    continue
                if request[0] == "return":
                    return request[1]
                if request[0] == "raise":
                    raise builtin_errors.nearest(request[1])(request[2])
                self._answer(request)  # the function itself used a stand-in

        callback.__name__ = callback.__qualname__ = name
        return callback

    def _is_dropped(self, request: list[Any]) -> bool:
        """Return whether a request is the reply to a call that was interrupted. Replies come in the calls' order."""
        if self._interrupted and request[0] in ("return", "raise"):
            self._interrupted -= 1
            return True
        return False


class _Boxed:
    """Marks a value that is sent as a reference, even if it is plain data."""

    def __init__(self, inner: Any):
        self.inner = inner


def describe(error: BaseException) -> tuple[list[str], str, str]:
    """Return the names of an exception's classes (most derived first), its message, and the lines of cells.

    The lines are "" if none of the student's own code was running. Else they are the last one that was, and if another
    cell had called that one's function, the line of that cell, too: one of the two may be a given cell.
    """
    try:
        message = str(error)
    except BaseException:
        message = "(its message could not be read)"
    lines = list(_own_lines(error))
    where = ""
    if lines:
        last = lines[-1]
        if callers := [line for line in lines if line.file != last.file]:
            caller = callers[-1].described("another cell")
            where = f"{last.described('one cell')[:200]}\ncalled from {caller[:200]}"
        else:
            where = last.described("the cell")
    return builtin_errors.names_of(error), message[:4000], where[:420]


class _OwnLine(NamedTuple):
    """A line of the student's own code, in a cell or in a module beside the notebook."""

    file: str
    number: int
    module: str  # "" for a cell
    function: str  # "" outside functions

    def described(self, cell: str) -> str:
        """Return the line with its place, in which a cell has this name."""
        place = self.module or cell
        if self.function:
            place += f", in {self.function}"
        return f"line {self.number} of {place}: {linecache.getline(self.file, self.number).strip()}"


def _own_lines(error: BaseException) -> Iterator[_OwnLine]:
    """Yield what an exception left of the student's own code, outermost first."""
    for frame, number in traceback.walk_tb(error.__traceback__):
        file, function = frame.f_code.co_filename, frame.f_code.co_qualname
        if "ipykernel" in file or file.startswith("<ipython-input"):
            module = ""
        elif _own_folder and file.startswith(f"{_own_folder}/"):
            module = file.removeprefix(f"{_own_folder}/")
        else:
            continue
        yield _OwnLine(file, number, module, "" if function == "<module>" else function)
