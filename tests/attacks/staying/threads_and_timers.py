"""Starts threads and timers that go on after their cell and change answers and outcomes during tests."""

BAIT_CELL = r"""
import signal, threading, time
from coursekit.engine.kernel import agent
from coursekit.engine.shared import frames, wire


def later(*_):
    names = get_ipython().user_ns
    for item in (names, vars(agent), vars(wire), vars(frames)):
        item["passed"] = item["PASSED"] = True
    equal = type("Any", (), {"__eq__": lambda *_: True})()
    names["softmax"] = names["scaled_dot_product_attention"] = lambda *_, **__: equal
    reached()


def loop():
    while True:
        later()
        time.sleep(0.01)


for _ in range(3):
    threading.Thread(target=loop, daemon=False).start()
threading.Timer(0.5, later).start()
signal.signal(signal.SIGALRM, later)
signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
signal.signal(signal.SIGVTALRM, later)
signal.setitimer(signal.ITIMER_VIRTUAL, 0.05, 0.05)
"""
