"""The sandbox: a freshly forked Python process locks itself in, for good. No root, no container.

    >>> lock_in(scratch, memory_mb=2048, cpu_seconds=90, keep_fds=[3])   # doctest: +SKIP

Afterwards the process and its descendants can read Python, its packages and the system's libraries, write to the
scratch folder and use the descriptors that were kept, and nothing else: no other file, no network, no other process.
`landlock.py` restricts files, `seccomp.py` system calls, `limits.py` resources; `promises.py` describes the guarantees.

It does not prevent `os.stat` of any path (that a file exists, its size and times), a look at the mounts,
sockets and process numbers of the machine, many files of the allowed size that fill the disk, several
processes that each use the memory limit, and, as root, any number of processes. The guardian limits the last three.
"""

from coursekit.engine.supervisor.sandbox.confine import lock_in, readable
from coursekit.engine.supervisor.sandbox.linux import SandboxError
from coursekit.engine.supervisor.sandbox.trials import describe, missing

__all__ = ["SandboxError", "describe", "lock_in", "missing", "readable"]
