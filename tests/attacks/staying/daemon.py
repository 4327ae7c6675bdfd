"""Leaves a daemon, in a session of its own with all signals blocked, that later writes to the course."""

BAIT_CELL = r"""
import os, signal, time

trace = bait["trace"]

if os.fork() == 0:
    for door in (os.setsid, lambda: os.setpgid(0, 0), lambda: os.setpgrp()):
        try:
            door()
        except OSError:
            pass
    if os.fork() == 0:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        os.closerange(0, 256)
        while True:
            for path in (bait["paths"]["gradebook"], "/tmp/" + trace, bait["paths"]["course"] + "/" + trace):
                try:
                    open(path, "a").write("x")
                except OSError:
                    pass
            reached()
            time.sleep(0.2)
    os._exit(0)
os.wait()
print(os.getppid())
"""
