"""Reads processes of the same user: ptrace, process_vm_readv, /proc/PID/mem, pidfd_getfd and kcmp."""

BAIT_CELL = r"""
import ctypes, os

libc = ctypes.CDLL(None, use_errno=True)


class Span(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def call(*arguments):
    answer = libc.syscall(*arguments)
    if answer < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return answer


def vm_read(pid):
    mine = ctypes.create_string_buffer(4096)
    here, there = Span(ctypes.addressof(mine), 4096), Span(id(bait), 4096)
    call(310, pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    return mine.raw


for pid in (os.getppid(), bait["grader"], bait["victim"], 1):
    tried(
        lambda: call(101, 16, pid, 0, 0),
        lambda: call(101, 0x4206, pid, 0, 0),
        lambda: vm_read(pid),
        lambda: open(f"/proc/{pid}/mem", "rb"),
        lambda: open(f"/proc/{pid}/maps").read(),
        lambda: call(438, os.pidfd_open(pid), 0, 0),
        lambda: call(312, os.getpid(), pid, 0, 0, 0),
        lambda: call(440, os.pidfd_open(pid), 0, 0, 0, 0),
        lambda: os.listdir(f"/proc/{pid}/map_files"),
    )
tried(lambda: call(101, 0, 0, 0, 0))
"""
