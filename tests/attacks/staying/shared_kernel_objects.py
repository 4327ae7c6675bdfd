"""Leaves what outlives a process: System V and POSIX objects, memory files, keys, watches and leases."""

BAIT_CELL = r"""
import ctypes, fcntl, mmap, os

libc = ctypes.CDLL(None, use_errno=True)


def call(*arguments):
    answer = libc.syscall(*arguments)
    if answer < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return answer


from multiprocessing import shared_memory

tried(
    lambda: call(29, 0xBAD, 4096, 0o1600),
    lambda: call(68, 0xBAD, 0o1600),
    lambda: call(64, 0xBAD, 1, 0o1600),
    lambda: call(240, bait["trace"].encode(), 0o102, 0o600, 0),
    lambda: os.memfd_create("x"),
    lambda: call(447, 0),
    lambda: call(248, b"user", b"x", b"y", 1, -4),
    lambda: shared_memory.SharedMemory(bait["trace"], True, 4096),
    lambda: call(253),
    lambda: call(294, 0),
    lambda: call(300, 0, 0),
    lambda: call(425, 8, bytes(120)),
)
with open(np.__file__) as file:
    tried(
        lambda: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK),
        lambda: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK),
        lambda: fcntl.flock(file, fcntl.LOCK_EX),
        lambda: fcntl.lockf(file, fcntl.LOCK_SH),
    )
tried(lambda: fcntl.fcntl(os.open(bait["paths"]["packages"], os.O_RDONLY), fcntl.F_NOTIFY, 0x8000001F))
"""
