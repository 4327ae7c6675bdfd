"""Becomes a reaper of its own, and hides, stops and undumps its children, so that no guardian finds them."""

BAIT_CELL = r"""
import ctypes, os, signal, time

libc = ctypes.CDLL(None)
for option, value in ((36, 1), (1, 0), (4, 0), (15, b"kworker/0:1"), (53, 0)):
    print(option, libc.prctl(option, value, 0, 0, 0))
for depth in range(5):
    if os.fork() == 0:
        libc.prctl(36, 1, 0, 0, 0)
        libc.prctl(1, 0, 0, 0, 0)
        libc.prctl(4, 0, 0, 0, 0)
        if os.fork() == 0:
            if os.fork() == 0:
                os.kill(os.getpid(), signal.SIGSTOP)
            os._exit(0)
        signal.pause()
# A child of the parent's, and one that shares the memory but is no thread.
for flags in (0x8000 | 17, 0x100 | 0x8000, 0x10000000 | 17, 0x20000000 | 17, 0x02000000 | 17):
    pid = libc.syscall(56, flags, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    print("clone", hex(flags), pid)
"""
