"""Uses up what the kernel counts per user: timers, waiting signals, descriptors in flight, pipes."""

BAIT_CELL = r"""
import ctypes, fcntl, os, signal, socket

libc = ctypes.CDLL(None, use_errno=True)
timers, identity = 0, ctypes.c_int()
while timers < 40_000 and libc.syscall(222, 1, 0, ctypes.byref(identity)) == 0:
    timers += 1
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGRTMIN})
queued = 0
while queued < 40_000 and libc.sigqueue(os.getpid(), signal.SIGRTMIN, 0) == 0:
    queued += 1
flying, pairs = 0, []
try:
    while True:
        left, right = socket.socketpair()
        pairs += [left, right]
        socket.send_fds(left, [b"x"], [right.fileno()] * 250)
        flying += 250
except OSError as error:
    print(error)
pipes = []
try:
    while True:
        pipes += os.pipe()
        fcntl.fcntl(pipes[-1], fcntl.F_SETPIPE_SZ, 1 << 20)
        os.set_blocking(pipes[-1], False)
        os.write(pipes[-1], bytes(1 << 20))
except OSError as error:
    print(error)
print("GOT", timers > 2000 or queued > 2000 or flying > 0, timers, queued, flying, len(pipes))
for item in pairs:
    item.close()
for item in pipes:
    os.close(item)
"""
