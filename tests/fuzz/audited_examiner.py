"""The examiner against a student kernel that says anything, with Python's audit events watched. Run by the test.

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
# What a value has to be for each test to pass is written down by the test itself, before it is asserted.
TESTS = {
    "a number": "got = f(2)\nrecord.append((type(got), repr(got)))\nassert got == 7",
    "a truth": "got = f(2)\nrecord.append((type(got), repr(got)))\nassert got",
    "a tensor": (
        "got = f(torch.ones(2))\nrecord.append((type(got), repr(got)))\n"
        "assert torch.allclose(got, torch.tensor([2.0, 2.0]))"
    ),
    "an array": "got = g(np.ones(2))\nrecord.append((type(got), repr(got)))\nassert np.array_equal(got, [2.0, 2.0])",
    "a length": "got = len(g)\nrecord.append((type(got), repr(got)))\nassert got == 7",
    "an iteration": "got = list(h)\nrecord.append((type(got), repr(got)))\nassert got == [7]",
    "an item and attributes": "h[0] = 1\ng.x = 2\ngot = h[1].y\nrecord.append((type(got), repr(got)))\nassert got == 7",
    "a callback": "got = f(lambda n: n + 1)\nrecord.append((type(got), repr(got)))\nassert got == 7",
    "a probe": (
        "def probe_it(function):\n    return function(1)\n"
        "got = probe_it(f)\nrecord.append((type(got), repr(got)))\nassert got == 7"
    ),
    "an exception": (
        "try:\n    f(1)\nexcept ValueError:\n    record.append((bool, 'True'))\n"
        "else:\n    raise AssertionError('no error')"
    ),
    # Whatever comes back, this is not true.
    "never": (
        "got = [f(1), len(g), g.x, h[0], list(h)]\nwith np.errstate(all='ignore'):\n"
        "    assert math.pi == 3, 'never'"
    ),
}
TRUE = {
    "a number": lambda kind, text: text in ("7", "7.0", "(7+0j)") or "7" in text,
    "a truth": lambda kind, text: kind.__module__ in ("builtins", "numpy", "torch"),
    "a tensor": lambda kind, text: kind.__name__ == "Tensor",
    "an array": lambda kind, text: "2" in text,
    "a length": lambda kind, text: kind is int and text == "7",
    "an iteration": lambda kind, text: kind is list and "7" in text,
    "an item and attributes": lambda kind, text: "7" in text,
    "a callback": lambda kind, text: "7" in text,
    "a probe": lambda kind, text: "7" in text,
    "an exception": lambda kind, text: kind is bool,
    "never": lambda kind, text: False,
}
# Events that running or loading anything would raise. `marshal.loads` may only load the test's own code.
FORBIDDEN = (
    *(
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
        "socket.",
    ),
    *("shutil.", "tempfile.", "urllib.", "winreg.", "sys.", "gc.", "glob.", "mmap.", "builtins.", "cpython."),
)
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


class Audited:
    """A step of the examiner during which the events are watched."""

    def __init__(self, where: str):
        self._where = where

    def __enter__(self):
        self._before, watch.where = getattr(watch, "where", ""), self._where

    def __exit__(self, *_):
        watch.where = self._before


decode = wire.Codec.decode


def audited_decode(codec, data):
    with Audited("decode"):
        return decode(codec, data)


values = plain | st.sampled_from([7, 1, 0, True, 7.0, [2.0, 2.0]]) | json_values


class Fake:
    """Travels as whatever reference it says."""

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
replies = (
    ok
    | ok
    | st.just(["ok", 7])
    | st.just(["stop"])
    | st.tuples(
        st.just("error"),
        st.lists(
            st.sampled_from(
                ["ValueError", "StopIteration", "SystemExit", "KeyboardInterrupt", "object", "exec"]
            )
            | values,
            max_size=3,
        ),
        st.text(max_size=9) | values,
        st.text(max_size=9) | values,
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
# One thing that the student's end does when it is asked: bytes to send, or a way to be gone.
moves = (
    st.just(SEVEN)
    | replies.map(encode).map(framed)
    | replies.map(encode).map(framed)
    | replies.map(encode).map(framed)
    | replies.map(encode).flatmap(broken).map(framed)
    | st.binary(max_size=40).map(framed)
    | st.lists(replies.map(encode).map(framed), max_size=3).map(b"".join)
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
    started = time.monotonic()
    used = time.thread_time()
    with Audited("run"):
        signal.setitimer(
            signal.ITIMER_REAL, SECONDS
        )  # in place of the coordinator, which would end the process
        try:
            answer = EXAMINER.run(program, ReferenceDefinitions([], b""))
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    used, waited = time.thread_time() - used, time.monotonic() - started
    outcome, reason, values, trace, told, intact, shared_limit = answer
    assert outcome in (result.PASSED, result.FAILED, result.ERROR, result.STOPPED)
    assert type(trace) is str and type(intact) is type(shared_limit) is bool
    message = sentences.message(reason, values) if reason else ""
    assert len(trace.split()) <= MAX_WORDS and len(trace) <= MAX_WORDS * (MAX_WORD + 3)
    assert told is None or len(json.dumps(told)) < 20_000
    assert used < SECONDS + 2 and waited < 60
    counts["out of time" if "OutOfTime" in message else outcome] += 1
    if outcome == result.PASSED:
        assert intact and reason is None and not values and trace == "" and told is None
        (seen,) = record
        assert TRUE[name](*seen), (name, seen)
    assert not caught, caught
    with contextlib.suppress(OSError):
        theirs.shutdown(socket.SHUT_RDWR)
    thread.join(60)
    assert not thread.is_alive()
    theirs.close()


def in_callback(frame) -> bool:
    """Whether what runs is called as an object goes, where whatever is raised is lost."""
    while frame is not None:
        if frame.f_code.co_name == "__del__" or frame.f_code.co_filename in (
            weakref.__file__,
            _weakrefset.__file__,
        ):
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
    wire.Codec.decode = audited_decode
    if sys.argv[1] == "broken":  # the check can fail: a decoder that evaluates what it got
        wire.Codec.decode = lambda codec, data: audited_decode_and_eval(codec, data)
        sys.argv[1] = "50"

    def audited_decode_and_eval(codec, data):
        with Audited("decode"):
            return eval("decode(codec, data)", {"decode": decode, "codec": codec, "data": data})

    main(int(sys.argv[1]))
    sys.stdout.flush()
    os._exit(0)
