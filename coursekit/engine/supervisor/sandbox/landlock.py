"""Landlock: the process gives up TCP, all files except those named, and signals and sockets outside its own domain.

Files that are open stay open. The restriction holds for the calling thread and its descendants, for good.
"""

import ctypes
import errno
import os
import stat
from collections.abc import Iterable
from pathlib import Path

from coursekit.engine.supervisor.sandbox import linux
from coursekit.engine.supervisor.sandbox.linux import SandboxError

# Access rights of <linux/landlock.h>, in the order of their bits.
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REMOVE_DIR, REMOVE_FILE, MAKE_CHAR, MAKE_DIR = 1 << 4, 1 << 5, 1 << 6, 1 << 7
MAKE_REG, MAKE_SOCK, MAKE_FIFO, MAKE_BLOCK, MAKE_SYM = 1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12
REFER = 1 << 13  # ABI 2: rename and link across folders
TRUNCATE = 1 << 14  # ABI 3
IOCTL_DEV = 1 << 15  # ABI 5

BIND_TCP, CONNECT_TCP = 1 << 0, 1 << 1  # ABI 4
SCOPE_ABSTRACT_UNIX_SOCKET, SCOPE_SIGNAL = 1 << 0, 1 << 1  # ABI 6

READ = EXECUTE | READ_FILE | READ_DIR
# Everything in the scratch folder except devices.
WRITE = (
    (READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SOCK | MAKE_FIFO | MAKE_SYM)
    | REFER
    | TRUNCATE
)
# The only rights that a rule for a single file may have.
ON_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV

_GET_VERSION = 1
_PATH_BENEATH = 1


class _Ruleset(ctypes.Structure):
    _fields_ = [
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    ]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = [("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32)]


def abi() -> int:
    """Return the version of Landlock that this kernel has; 0 if it has none or it is switched off.

    COURSEKIT_SIMULATE_NO_LANDLOCK=1 in the environment makes it 0, for tests.
    """
    if os.environ.get("COURSEKIT_SIMULATE_NO_LANDLOCK") == "1" or not linux.arch():
        return 0
    try:
        return linux.syscall("landlock_create_ruleset", ctypes.c_void_p(), 0, _GET_VERSION)
    except OSError:
        return 0


def handled_files(version: int) -> int:
    """Return the bits of all access rights to files that this version knows."""
    known = (1 << 13) - 1
    if version >= 2:
        known |= REFER
    if version >= 3:
        known |= TRUNCATE
    if version >= 5:
        known |= IOCTL_DEV
    return known


def restrict(
    read: Iterable[str | Path], write: Iterable[str | Path], version: int | None = None
) -> list[int]:
    """Restrict the calling thread and its descendants to these files, for good.

    Args:
        read: files and folders to be read and executed, with everything below them. A missing one is left out.
        write: folders in which everything except devices is allowed, and single files to be read and written.
        version: Landlock's ABI; the kernel's own when None.

    Returns:
        Descriptors to keep open as long as the process lives. procfs makes a new inode when Linux has
        dropped a name from its cache, and a rule belongs to the inode: without an open descriptor,
        /proc/self would become unreadable as soon as the machine runs short of memory.

    Raises:
        SandboxError: no Landlock, or the kernel refused. The process is then not locked in.
    """
    version = abi() if version is None else version
    if version < 1:
        raise SandboxError("This kernel has no Landlock.")
    files = handled_files(version)
    rules = _Ruleset(
        handled_access_fs=files,
        handled_access_net=BIND_TCP | CONNECT_TCP if version >= 4 else 0,
        scoped=SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL if version >= 6 else 0,
    )
    size = 24 if version >= 6 else 16 if version >= 4 else 8  # older kernels know a shorter struct
    held: list[int] = []
    try:
        ruleset = linux.syscall("landlock_create_ruleset", ctypes.byref(rules), size, 0)
        try:
            for paths, rights in ((read, READ), (write, WRITE)):
                for path in paths:
                    held += _allow(ruleset, os.fspath(path), rights & files)
            # Landlock demands this; it also keeps setuid programs from gaining anything.
            linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
            linux.syscall("landlock_restrict_self", ruleset, 0)
        finally:
            os.close(ruleset)
    except OSError as error:
        raise SandboxError(f"Landlock refused: {error}.") from error
    return held


def _allow(ruleset: int, path: str, rights: int) -> list[int]:
    """Add a rule for one path. Return its descriptor, in a list, if that has to stay open."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError as error:
        # A path that this user cannot reach anyway needs no rule.
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.EACCES):
            return []
        raise
    keep = False
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= ON_FILE
        rule = _PathBeneath(allowed_access=rights, parent_fd=descriptor)
        linux.syscall("landlock_add_rule", ruleset, _PATH_BENEATH, ctypes.byref(rule), 0)
        keep = os.path.abspath(path).startswith("/proc/")
    finally:
        if not keep:
            os.close(descriptor)
    return [descriptor] if keep else []
