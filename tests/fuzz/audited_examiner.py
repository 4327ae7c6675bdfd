"""The examiner against a student kernel that sends anything, with Python's audit events watched. Run by the test.

    python audited_examiner.py EXAMPLES

A thread holds the other end of the examiner's socket and plays what hypothesis draws: right replies, replies of the
protocol in the wrong place, broken and endless frames, silence, a closed connection. Ends with 0 and a line of counts,
or with the counterexample.
"""

import _weakrefset
import contextlib
import json
import os
import signal
import socket
import struct
import sys
import threading
import time
import warnings
import weakref
from collections import Counter

import torch._subclasses.schema_check_mode  # noqa: F401  what torch would import at first use, in the middle of a test
from amount import settings_for
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import broken, json_values, plain

from coursekit.engine.coordinator import sentences
from coursekit.engine.coordinator.compiling import compile_test
from coursekit.engine.examiner.examine import Examiner
from coursekit.engine.examiner.trace import MAX_WORD, MAX_WORDS
from coursekit.engine.shared import frames, result, wire
from coursekit.engine.shared.program import ReferenceDefinitions

SECONDS = 0.4  # of a test, on the wall
SETUP = "import math\nimport numpy as np\nimport torch\nrecord = []"
NAMES = ("f", "g", "h")
# {name: (what the test asks for, what it asserts of it, whether a value with this type and text may pass)}. The
# assertion is also written down by the test itself: the value's type and text come before it.
PARTS = {
    "a number": ("f(2)", "got == 7", lambda kind, text: "7" in text),
    "a truth": ("f(2)", "got", lambda kind, text: kind.__module__ in ("builtins", "numpy", "torch")),
    "a tensor": (
        "f(torch.ones(2))",
        "torch.allclose(got, torch.tensor([2.0, 2.0]))",
        lambda kind, text: kind.__name__ == "Tensor",
    ),
    "an array": ("g(np.ones(2))", "np.array_equal(got, [2.0, 2.0])", lambda kind, text: "2" in text),
    "a length": ("len(g)", "got == 7", lambda kind, text: kind is int and text == "7"),
    "an iteration": ("list(h)", "got == [7]", lambda kind, text: kind is list and "7" in text),
    "an item and attributes": ("h[1].y", "got == 7", lambda kind, text: "7" in text),
    "a callback": ("f(lambda n: n + 1)", "got == 7", lambda kind, text: "7" in text),
    "a probe": ("probe_it(f)", "got == 7", lambda kind, text: "7" in text),
    "an exception": ("raised(f)", "got", lambda kind, text: kind is bool),
    # Whatever comes back, this is not true.
    "never": ("[f(1), len(g), g.x, h[0], list(h)]", "math.pi == 3, 'never'", lambda kind, text: False),
}
BEFORE = {
    "an item and attributes": "h[0] = 1\ng.x = 2\n",
    "a probe": "def probe_it(function):\n    return function(1)\n",
    "an exception": (
        "def raised(function):\n    try:\n        function(1)\n    except ValueError:\n        return True\n"
    ),
}
TESTS = {
    name: f"{BEFORE.get(name, '')}got = {get}\nrecord.append((type(got), repr(got)))\nassert {true}"
    for name, (get, true, _) in PARTS.items()
}
FORBIDDEN = (
    "exec",
    "compile",
    "import",
    "open",
    "os.",
    "subprocess.",
    "pickle.",
    "marshal.",
    "ctypes.",
    "code.",
)
FORBIDDEN += (
    "socket.",
    "shutil.",
    "tempfile.",
    "urllib.",
    "winreg.",
    "sys.",
    "gc.",
    "glob.",
    "mmap.",
    "builtins.",
)
FORBIDDEN += ("cpython.",)
watch = threading.local()
caught: list[str] = []
events = Counter()


def audit(event: str, arguments: tuple) -> None:
    where = getattr(watch, "where", "")
    if where and event.startswith(FORBIDDEN):
        events[f"{where}: {event}"] += 1
        if where == "decode" or not allowed(event, arguments):
            caught.append(f"{where}: {event} {arguments!r}"[:300])


def allowed(event: str, arguments: tuple) -> bool:
    """What the examiner itself does while it runs a test, and what the socket does."""
    if event == "exec":
        return arguments[0].co_filename == "<test>"
    if event == "marshal.loads":
        return arguments[0] == watch.code
    return event in ("code.__new__", "sys._getframe", "builtins.id")


@contextlib.contextmanager
def audited(where: str):
    """Watch the events during a step of the examiner."""
    before, watch.where = getattr(watch, "where", ""), where
    try:
        yield
    finally:
        watch.where = before


decode = wire.Codec.decode


def audited_decode(codec, data):
    with audited("decode"):
        return decode(codec, data)


def evaluating_decode(codec, data):
    with audited("decode"):
        return eval("decode(codec, data)", {"decode": decode, "codec": codec, "data": data})


values = plain | st.sampled_from([7, 1, 0, True, 7.0, [2.0, 2.0]]) | json_values


class Fake:
    """Is sent as any reference."""

    def __init__(self, code, number, name):
        self.triple = (code, number, name)


fakes = st.builds(
    Fake,
    st.sampled_from([wire.REFERENCE, wire.REFERENCE, wire.FUNCTION]),
    st.integers(-2, 2**40),
    st.just("thing"),
)
references = st.builds(Fake, st.just(wire.REFERENCE), st.integers(0, 9), st.text(max_size=5))
ok = (values | references).map(lambda value: ["ok", value])
CLASSES = ["ValueError", "StopIteration", "SystemExit", "KeyboardInterrupt", "object", "exec"]
text = st.text(max_size=9)
replies = (
    ok
    | ok
    | st.just(["ok", 7])
    | st.just(["stop"])
    | st.tuples(
        st.just("error"),
        st.lists(st.sampled_from(CLASSES) | values, max_size=3),
        text | values,
        text | values,
    ).map(list)
    | st.tuples(
        st.just("call"),
        st.integers(-1, 2) | values,
        st.lists(values | fakes, max_size=2) | values,
        st.dictionaries(st.text(max_size=2), values, max_size=2) | values,
    ).map(list)
    | fakes
    | values
)


def encode(value) -> bytes:
    try:
        return wire.Codec(refer=lambda fake: fake.triple).encode(value)
    except Exception:  # not everything that is drawn can travel; then something else does
        return b"\xc1"


def framed(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


SEVEN = framed(encode(["ok", 7]))
frame = replies.map(encode).map(framed)
# One thing that the student's end does when it is asked: bytes to send, or how it goes.
moves = (
    st.just(SEVEN)
    | frame
    | frame
    | frame
    | replies.map(encode).flatmap(broken).map(framed)
    | st.binary(max_size=40).map(framed)
    | st.lists(frame, max_size=3).map(b"".join)
    | st.binary(max_size=8)
    | st.sampled_from(
        [struct.pack(">I", 0xFFFFFFFF), struct.pack(">I", frames.MAX_FRAME) + b"x", "close", "silence"]
    )
)
BOUND = "bound"  # an honest answer to the first request: a reference for each name that is asked for
conversations = st.lists(moves, max_size=6).flatmap(
    lambda drawn: st.sampled_from([[BOUND, *drawn], [BOUND, *drawn], drawn])
)


def play(peer: socket.socket, conversation: list) -> None:
    """The student's end: one move for each request; at the end of them the last frame again and again, or silence."""
    with contextlib.suppress(Exception):
        for move in conversation:
            request = frames.receive(peer)
            if move == "bound":
                names = decode(wire.Codec(), request)[1]
                fakes = {name: Fake(wire.REFERENCE, n, "function") for n, name in enumerate(names)}
                move = framed(encode(["ok", fakes]))
            if move == "close":
                peer.close()
                return
            if move != "silence":
                peer.sendall(move)
        if len(conversation) % 2:
            peer.close()


class OutOfTime(BaseException):
    """Nothing in a test catches it."""


def check(name: str, conversation: list, counts: Counter) -> None:
    ours, theirs = socket.socketpair()
    thread = threading.Thread(target=play, args=(theirs, conversation), daemon=True)
    thread.start()
    EXAMINER.attach(ours)
    record = EXAMINER._setup["record"]
    record.clear()
    program = compile_test(TESTS[name], NAMES)
    watch.code = program.code
    started, used = time.monotonic(), time.thread_time()
    with audited("run"):
        # In place of the coordinator, which would end the process.
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            done = EXAMINER.run(program, ReferenceDefinitions([], b""))
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    used, waited = time.thread_time() - used, time.monotonic() - started
    assert done.outcome in (result.PASSED, result.FAILED, result.ERROR, result.STOPPED)
    assert type(done.trace) is str and type(done.intact) is type(done.shared_limit) is bool
    message = sentences.message(done.reason, done.values) if done.reason else ""
    assert len(done.trace.split()) <= MAX_WORDS and len(done.trace) <= MAX_WORDS * (MAX_WORD + 3)
    assert done.comparison is None or len(json.dumps(done.comparison)) < 20_000
    assert used < SECONDS + 2 and waited < 60
    counts["out of time" if "OutOfTime" in message else done.outcome] += 1
    if done.outcome == result.PASSED:
        assert (
            done.intact and (done.reason, done.trace, done.comparison) == (None, "", None) and not done.values
        )
        (seen,) = record
        assert PARTS[name][2](*seen), (name, seen)
    assert not caught, caught
    with contextlib.suppress(OSError):
        theirs.shutdown(socket.SHUT_RDWR)
    thread.join(60)
    assert not thread.is_alive()
    theirs.close()


def in_callback(frame) -> bool:
    """Whether this runs in a destructor or a weak reference's callback, where every exception is lost."""
    files = (weakref.__file__, _weakrefset.__file__)
    while frame is not None:
        if frame.f_code.co_name == "__del__" or frame.f_code.co_filename in files:
            return True
        frame = frame.f_back
    return False


def main(examples: int) -> None:
    def on_alarm(_, frame):
        if in_callback(frame):
            signal.setitimer(signal.ITIMER_REAL, 0.01)
        else:
            raise OutOfTime

    signal.signal(signal.SIGALRM, on_alarm)
    warnings.simplefilter("ignore")  # to show a warning, Python opens the source file that it is about
    sys.addaudithook(audit)
    counts = Counter()
    check("a number", [BOUND, SEVEN], Counter())  # what is imported at first use
    caught.clear()

    @settings_for(examples)
    @example("a number", [BOUND, SEVEN])
    @example("a callback", [BOUND, framed(encode(["call", 0, [1], {}])), SEVEN])
    @example("a length", [BOUND, framed(encode(["ok", True]))])
    @given(st.sampled_from(sorted(TESTS)), conversations)
    def fuzz(name, conversation):
        check(name, conversation, counts)

    fuzz()
    assert counts["passed"] and counts["failed"] and counts["error"] and counts["out of time"], counts
    print(dict(counts), dict(events))


EXAMINER = Examiner(SETUP)
if __name__ == "__main__":
    broken_decoder = sys.argv[1] == "broken"  # the check can fail: a decoder that evaluates what it got
    wire.Codec.decode = evaluating_decode if broken_decoder else audited_decode
    main(50 if broken_decoder else int(sys.argv[1]))
    sys.stdout.flush()
    os._exit(0)
