"""How many kernels this machine has memory and disk space for."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.limits import MIN_FREE_MB, Limits


def max_kernels(limits: Limits) -> int:
    """Return how many kernels have enough memory and temporary space if each uses its limits; at least 1.

    Raises:
        CourseError: the folder for temporary files has no space for one kernel.
    """
    folder = tempfile.gettempdir()
    status = os.statvfs(folder)
    free_mb = status.f_bavail * status.f_frsize >> 20
    on_disk = (free_mb - MIN_FREE_MB) // limits.scratch_mb
    if on_disk < 1:
        raise CourseError(
            f"The folder for temporary files, {folder}, has {free_mb} MiB left. Grading needs "
            f"{MIN_FREE_MB + limits.scratch_mb}. Make room there, or set TMPDIR to another folder, and run the same "
            "command again."
        )
    return max(1, min(on_disk, _memory_mb() // limits.memory_mb))


def _memory_mb() -> int:
    """Return the MiB of memory available on the machine, or in the container's control group if that has less."""
    with open("/proc/meminfo", "rb") as file:
        available = [int(file.read().partition(b"MemAvailable:")[2].split(None, 1)[0]) << 10]
    with suppress(OSError, ValueError):  # "max", or no such file
        group = Path("/sys/fs/cgroup")
        available.append(
            int((group / "memory.max").read_text()) - int((group / "memory.current").read_text())
        )
    return min(available) >> 20
