"""Registers code for the end (atexit, finalisers, signal handlers) that starts over in a new process."""

BAIT_CELL = r"""
import atexit, os, signal, subprocess, sys, threading, weakref

code = f"import time\nwhile True:\n    try: open('/tmp/{bait['trace']}', 'a')\n    except OSError: pass\n    time.sleep(0.1)"


def again(*_):
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, "-c", code])


atexit.register(again)


class Last:
    def __del__(self):
        again()


sys.last = Last()
weakref.finalize(sys.modules["os"], again)
for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGINT, signal.SIGCHLD}:
    try:
        signal.signal(number, again)
    except (OSError, ValueError):
        pass
signal.signal(signal.SIGINT, signal.SIG_IGN)
threading._register_atexit(again) if hasattr(threading, "_register_atexit") else None
sys.excepthook = threading.excepthook = again
"""
