"""System calls that Python does not offer, made through ctypes, and the sandbox's exception."""

import ctypes
import os
import platform
import sys
from typing import Any

from coursekit.engine.shared.errors import CourseError
from coursekit.engine.supervisor.sandbox.syscalls import NUMBERS

_libc = ctypes.CDLL(None, use_errno=True)

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_CAPBSET_READ = 23
PR_CAPBSET_DROP = 24
PR_SET_SECUREBITS = 28
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47


class SandboxError(CourseError):
    """The process could not be locked in: it must not run student code, and has to end."""


def arch() -> str:
    """Return `x86_64` or `aarch64`; "" on any other machine, in a 32-bit process and outside Linux."""
    if sys.platform != "linux" or sys.maxsize < 2**32:
        return ""
    return machine if (machine := platform.machine()) in ("x86_64", "aarch64") else ""


def number(name: str) -> int:
    """Return the number of a system call on this machine.

    Raises:
        SandboxError: this architecture does not have the call, or is not supported.
    """
    call = NUMBERS[name].get(arch())
    if call is None:
        raise SandboxError(f"The system call {name} has no number on this machine ({platform.machine()}).")
    return call


def syscall(name: str, *arguments: Any) -> int:
    """Make a system call, and return its result. Integers are passed as 64-bit values, ctypes pointers as they are.

    Raises:
        SandboxError: this machine does not have the call.
        OSError: Linux refused.
    """
    call = number(name)
    values = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    result: int = _libc.syscall(ctypes.c_long(call), *values)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), name)
    return result


def prctl(option: int, *arguments: Any) -> int:
    """Call prctl(2), padded to its five arguments, and return its result.

    Raises:
        OSError: Linux refused.
    """
    values = [ctypes.c_ulong(value) if isinstance(value, int) else value for value in arguments]
    values += [ctypes.c_ulong(0)] * (4 - len(values))
    result: int = _libc.prctl(ctypes.c_int(option), *values)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), f"prctl {option}")
    return result


def clear_environment() -> None:
    """Empty the C library's environment, and the memory block in which Linux passed it to the process.

    By itself, `os.environ.clear()` leaves the block, and /proc/self/environ shows it, with a token perhaps. Copies
    that Python or a library has made are not found, so a fork server is started without secrets in its
    environment.
    """
    os.environ.clear()
    _libc.clearenv()
    with open("/proc/self/stat", "rb") as file:
        # The program's name, in parentheses, may contain blanks: count fields after the last parenthesis.
        fields = file.read().rpartition(b")")[2].split()
    start, end = int(fields[47]), int(fields[48])  # env_start and env_end, fields 50 and 51 of proc(5)
    if 0 < start < end:
        ctypes.memset(start, 0, end - start)


def few_arenas(count: int) -> None:
    """Have glibc's malloc reserve address space for at most `count` arenas (64 MiB each). Do nothing without glibc.

    By default each thread gets its own arena, which counts against the limit of address space.
    """
    mallopt = getattr(_libc, "mallopt", None)
    if mallopt is not None:
        mallopt(-8, count)  # M_ARENA_MAX


def thread_stacks(size: int) -> None:
    """Have glibc give each new thread a stack of `size` bytes, whatever the shell's `ulimit -s` was."""
    set_default = getattr(_libc, "pthread_setattr_default_np", None)  # glibc's
    if set_default is not None:
        attributes = ctypes.create_string_buffer(256)  # more than a pthread_attr_t
        _libc.pthread_attr_init(attributes)
        _libc.pthread_attr_setstacksize(attributes, ctypes.c_size_t(size))
        set_default(attributes)


def thread_count() -> int:
    """Return the number of threads of this process."""
    return len(os.listdir("/proc/self/task"))
