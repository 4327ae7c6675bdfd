"""Lock the process in: the steps in their order, and the files that stay readable."""

import os
import pwd
import socket
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from coursekit.engine.supervisor.sandbox import landlock, limits, linux, seccomp
from coursekit.engine.supervisor.sandbox.linux import SandboxError

# System files that programs need, in addition to Python. A missing one is left out.
_SYSTEM = (
    "/usr",
    "/lib",
    "/lib64",
    "/bin",
    "/sbin",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/fonts",
    "/etc/mime.types",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/filesystems",
    "/sys/devices/system/cpu",
)


def lock_in(
    scratch: Path,
    memory_mb: int,
    cpu_seconds: float,
    keep_fds: Iterable[int],
    *,
    file_mb: int = 256,
    processes: int = 512,
    descriptors: int = 256,
    read: Iterable[Path] = (),
    env: Mapping[str, str] | None = None,
) -> None:
    """Lock this process in. Call it in a fresh fork, with one thread, before any untrusted code.

    Afterwards the process leads a session and process group that nothing it starts can leave:
    `os.killpg(pid, SIGKILL)` ends all of it. Its working folder is `scratch`. Sockets must be listening
    before (zmq takes such a descriptor with the option USE_FD): the process can accept on them, but make none.

    Args:
        scratch: an existing folder of its own, the only one to which it may write.
        memory_mb: MiB of address space beyond those mapped now, per process.
        cpu_seconds: CPU seconds, per process.
        keep_fds: descriptors that stay open. 0, 1 and 2 become /dev/null unless named.
        file_mb: MiB, the largest file.
        processes: processes and threads beyond those this user has now (Linux exempts root).
        descriptors: open files, per process.
        read: further files and folders to be readable.
        env: further environment variables.

    Raises:
        SandboxError: locking in failed. The process is in an undefined state, may have closed its
            descriptors, and must end with os._exit.
    """
    version = landlock.abi()
    if reasons := lacking(version):
        raise SandboxError(" ".join(reasons))
    if (count := linux.thread_count()) != 1:
        # Landlock and capabilities are per thread: another thread would stay unconfined, in the same memory.
        raise SandboxError(f"Only a process with one thread can be locked in; this one has {count}.")
    try:
        scratch = Path(scratch).resolve(strict=True)
        files = readable(scratch) + [str(Path(path).resolve()) for path in read]
        if os.getsid(0) != os.getpid():
            os.setsid()
        os.umask(0o077)
        os.chdir(scratch)
        limits.first_to_die()
        limits.close_descriptors(keep_fds)
        limits.set_environment(scratch, env or {})
        limits.limit(memory_mb, cpu_seconds, file_mb, processes, descriptors)
        limits.drop_capabilities()
        landlock.restrict(files, [scratch, os.devnull], version)
        seccomp.restrict(version)
    except (OSError, ValueError) as error:
        raise SandboxError(f"The process could not be locked in: {error}.") from error
    _verify()


def _verify() -> None:
    """Try two forbidden operations, in case a step of `lock_in` has no effect.

    Raises:
        SandboxError: one of them succeeds.
    """
    try:
        os.listdir("/")
        raise SandboxError("Landlock is on, but files outside the sandbox can be read.")
    except PermissionError:
        pass
    try:
        socket.socket(socket.AF_UNIX).close()
        raise SandboxError("seccomp is on, but sockets can be made.")
    except PermissionError:
        pass


def readable(scratch: Path | None = None) -> list[str]:
    """Return the files and folders that a process locked in now may read, with everything below them.

    Raises:
        SandboxError: Python is installed in a folder that also holds private files.
    """
    paths = [os.path.realpath(path) for path in _SYSTEM]
    paths.append(f"/proc/{os.getpid()}")
    private = {
        "/",
        *("/etc", "/var", "/home", "/root", "/proc", "/sys", "/dev", "/run", "/opt", "/srv", "/tmp"),
        os.path.realpath(tempfile.gettempdir()),
        # A system account's home may be /usr/sbin or the like, which is readable anyway.
        *(home for home in _homes() if not any(_contains(folder, home) for folder in paths)),
        *([os.getcwd()] if os.path.exists("course.toml") else []),
        *([os.path.realpath(scratch)] if scratch else []),
    }
    for name, prefix in (
        ("sys.prefix", sys.prefix),
        ("sys.exec_prefix", sys.exec_prefix),
        ("sys.base_prefix", sys.base_prefix),
        ("sys.base_exec_prefix", sys.base_exec_prefix),
    ):
        path = os.path.realpath(prefix)
        inside = next((folder for folder in sorted(private) if _contains(path, folder)), None)
        if inside is not None or os.path.exists(os.path.join(path, "course.toml")):
            raise SandboxError(
                f"{name} is {prefix}: a sandbox that may read that folder would also read "
                f"{inside if inside is not None else 'the course'}. "
                "Make a virtual environment in a folder of its own (`python3 -m venv .venv`) and use it."
            )
        if path not in paths:
            paths.append(path)
    return paths


def _homes() -> list[str]:
    """Return this user's home folders, from the environment and from the user database."""
    homes = [os.environ["HOME"]] if os.environ.get("HOME") else []
    with suppress(KeyError):  # a user number without an entry, as in containers
        homes.append(pwd.getpwuid(os.getuid()).pw_dir)
    return [os.path.realpath(home) for home in homes if os.path.isabs(home)]


def _contains(folder: str, path: str) -> bool:
    """Return whether `path` is the folder or is below it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def lacking(landlock_abi: int) -> list[str]:
    """Return a sentence for each thing that the machine visibly lacks, without a trial."""
    if sys.platform != "linux":
        return [
            f"The sandbox needs Linux; this is {sys.platform}. "
            "Grade on a Linux machine, or in a Linux virtual machine (on Windows, WSL 2)."
        ]
    reasons = []
    if not linux.arch():
        reasons.append(
            "The sandbox knows the system calls of 64-bit x86_64 and aarch64, not of this processor or "
            f"Python ({sysconfig.get_platform()}). Grade on a machine with one of these."
        )
        return reasons
    if not os.path.exists("/proc/self/stat"):
        reasons.append("/proc is not mounted. Mount it (`mount -t proc proc /proc`).")
    if landlock_abi < 1:
        reasons.append(
            "This kernel has no Landlock. It needs Linux 5.13 or newer with landlock among its security "
            "modules: if /sys/kernel/security/lsm does not list it, add it to the `lsm=` list of the "
            f"kernel's command line and restart. This kernel is {os.uname().release}. In a container, its "
            "seccomp profile must allow the landlock system calls (Docker does from 23.0 on)."
        )
    if not seccomp.available():
        reasons.append(
            "This kernel accepts no seccomp filters. It needs CONFIG_SECCOMP_FILTER, which every large "
            "distribution's kernel has."
        )
    return reasons
