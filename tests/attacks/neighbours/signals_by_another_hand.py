"""Has the kernel send the signal: as the owner of a pipe or a lease, by a timer, at its own end."""

BAIT_CELL = r"""
import ctypes, fcntl, os, signal, socket, struct, termios

libc = ctypes.CDLL(None, use_errno=True)
victim = bait["victim"]
reader, writer = os.pipe()
left, right = socket.socketpair()
for descriptor in (reader, left.fileno()):
    for pid in (victim, -victim, os.getppid()):
        tried(
            lambda: fcntl.fcntl(descriptor, fcntl.F_SETOWN, pid),
            lambda: fcntl.fcntl(descriptor, 15, struct.pack("ii", 1, pid)),
            lambda: fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGUSR1),
            lambda: fcntl.ioctl(descriptor, 0x8901, struct.pack("i", pid)),
            lambda: fcntl.ioctl(descriptor, 0x8902, struct.pack("i", pid)),
            lambda: fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK),
        )
os.write(writer, b"x")
right.send(b"x")
event = struct.pack("Qiii", 0, signal.SIGUSR1, 4, victim) + bytes(44)
identity = ctypes.c_int()
print(libc.syscall(222, 1, event, ctypes.byref(identity)))
print(
    libc.prctl(1, signal.SIGUSR1, 0, 0, 0),
    libc.syscall(56, 0x8000 | signal.SIGUSR1, 0, 0, 0, 0) or os._exit(0),
)
"""
