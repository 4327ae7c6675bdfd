"""Restrict a process: rlimits, capabilities, file descriptors, environment."""

import ctypes
import math
import os
import resource
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from coursekit.engine.shared.limits import STACK_MB, THREAD_STACK_MB
from coursekit.engine.supervisor.sandbox import linux
from coursekit.engine.supervisor.sandbox.linux import SandboxError

_CAPABILITY_VERSION_3 = 0x20080522
_CAP_AMBIENT_CLEAR_ALL = 4
# NOROOT, NO_SETUID_FIXUP and their locks, KEEP_CAPS locked off: uid 0 means nothing any more.
_SECUREBITS = 0x2F


def limit(memory_mb: int, cpu_seconds: float, file_mb: int, processes: int, descriptors: int) -> None:
    """Set the resource limits, hard and soft, never above the present hard ones.

    All are per process, but `processes` and pending signals, which Linux counts for the whole user.

    Args:
        memory_mb: address space in MiB beyond that mapped now: a fork of a warm server starts with gigabytes mapped
            that it shares with the others. Beyond it, MemoryError.
        cpu_seconds: CPU time of all threads together, from now on. Beyond it, SIGKILL.
        file_mb: the largest file in MiB. Beyond it, OSError (EFBIG).
        processes: processes and threads beyond those that this user runs now. Linux does not apply it to root.
        descriptors: the highest number of open files.
    """
    page = resource.getpagesize()
    with open("/proc/self/statm", "rb") as file:
        mapped = int(file.read().split()[0]) * page
    used = resource.getrusage(resource.RUSAGE_SELF)
    linux.few_arenas(2)
    linux.thread_stacks(THREAD_STACK_MB << 20)
    _set_at_most(resource.RLIMIT_STACK, STACK_MB << 20)
    _set_at_most(resource.RLIMIT_AS, mapped + memory_mb * 2**20)
    _set_at_most(resource.RLIMIT_CPU, math.ceil(used.ru_utime + used.ru_stime + cpu_seconds))
    _set_at_most(resource.RLIMIT_FSIZE, file_mb * 2**20)
    _set_at_most(resource.RLIMIT_NOFILE, descriptors)
    # Not 0: where core dumps go to a program (systemd-coredump, apport), Linux ignores every value except 1,
    # which means none at all. As a file's size, 1 is too small for any dump.
    _set_at_most(resource.RLIMIT_CORE, 1)
    _set_at_most(resource.RLIMIT_MEMLOCK, 0)
    _set_at_most(resource.RLIMIT_MSGQUEUE, 0)
    # Timers and pending signals are counted for the whole user: leave nearly all of them to other processes.
    _set_at_most(resource.RLIMIT_SIGPENDING, 1024)
    if os.getuid() != 0:
        _set_at_most(resource.RLIMIT_NPROC, _tasks(os.getuid()) + processes)


def _set_at_most(which: int, value: int) -> None:
    """Set soft and hard limit to `value`, or to the present hard limit if that is lower."""
    hard = resource.getrlimit(which)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (value, value))


def _tasks(uid: int) -> int:
    """Return the number of a user's processes and threads, which RLIMIT_NPROC limits."""
    count = 0
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                if entry.stat().st_uid == uid:
                    count += len(os.listdir(f"{entry.path}/task"))
            except OSError:  # it has ended
                continue
    return count


def first_to_die() -> None:
    """When the machine runs out of memory, have Linux end this process before the coordinator."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:  # some containers mount /proc read-only; the memory limit still holds
        pass


def drop_capabilities() -> None:
    """Give up every capability for good, as root also those of the bounding set. An ordinary user's process has none.

    The process stays dumpable: otherwise its own /proc/self would belong to root and an ordinary user's
    process could not read it. Core dumps are off by their limit, and Landlock decides who may trace whom.

    Raises:
        SandboxError: Linux refused.
    """
    for capability in range(64):
        try:
            if linux.prctl(linux.PR_CAPBSET_READ, capability):
                linux.prctl(linux.PR_CAPBSET_DROP, capability)
        except OSError:  # past the last one (EINVAL), or an ordinary user (EPERM), who may not drop any
            break
    for option, value in (
        (linux.PR_CAP_AMBIENT, _CAP_AMBIENT_CLEAR_ALL),
        (linux.PR_SET_SECUREBITS, _SECUREBITS),
    ):
        with suppress(OSError):  # needs a capability itself
            linux.prctl(option, value)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    try:
        linux.syscall("capset", ctypes.byref(header), ctypes.byref(nothing))
    except OSError as error:
        raise SandboxError(f"The process could not give up its capabilities: {error}.") from error


def close_descriptors(keep: Iterable[int]) -> None:
    """Close every descriptor except these; 0, 1 and 2 become /dev/null unless they are among them.

    Raises:
        SandboxError: one of `keep` is not open.
    """
    keep = set(keep)
    for descriptor in keep:
        try:
            os.fstat(descriptor)
        except OSError as error:
            raise SandboxError(f"File descriptor {descriptor} is to be kept but is not open.") from error
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in keep and int(name) > 2:
            with suppress(OSError):  # the one that listed the folder
                os.close(int(name))
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        if descriptor not in keep:
            os.dup2(null, descriptor)
    if null > 2:
        os.close(null)


def environment(scratch: Path) -> dict[str, str]:
    """Return the environment that every locked-in process has; `set_environment` may add to it.

    The names of its folders are hidden, so that none is that of a file beside a notebook.
    """
    return {
        "HOME": str(scratch),
        "TMPDIR": str(scratch / ".tmp"),
        "MPLCONFIGDIR": str(scratch / ".matplotlib"),
        "IPYTHONDIR": str(scratch / ".ipython"),
        "XDG_CACHE_HOME": str(scratch / ".cache"),
        "PATH": os.pathsep.join(dict.fromkeys([str(Path(sys.prefix, "bin")), "/usr/bin", "/bin"])),
        "LANG": "C.UTF-8",
        "USER": "student",  # /etc/passwd cannot be read any more
        "LOGNAME": "student",
        "PYTHONNOUSERSITE": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def set_environment(scratch: Path, extra: Mapping[str, str]) -> None:
    """Replace the whole environment, and have `tempfile` read it again.

    Raises:
        OSError: a folder cannot be made in scratch.
    """
    variables = {**environment(scratch), **extra}
    for name in ("TMPDIR", "MPLCONFIGDIR", "IPYTHONDIR", "XDG_CACHE_HOME"):
        os.makedirs(environment(scratch)[name], mode=0o700, exist_ok=True)
    linux.clear_environment()
    os.environ.update(variables)
    tempfile.tempdir = None  # cached by the server, perhaps
