"""The fork server as a Jupyter kernel provisioner: any Jupyter client can have warm, confined kernels.

`jupyter_client` finds it by the entry point `coursekit-fork`. To use it for every kernel of a command:

    JUPYTER_DEFAULT_PROVISIONER_NAME=coursekit-fork jupyter nbconvert --execute notebook.ipynb

The kernel runs the fork server's Python whatever the kernelspec names, may read the folder it was started for and
writes to a scratch folder of its own that is gone afterwards.
"""

import asyncio
import atexit
import importlib.util
import signal
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from coursekit.engine.coordinator.kernel_client import listen
from coursekit.engine.coordinator.lease import Lease, ServerLost
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.limits import Limits

USUAL = ("torch", "numpy", "matplotlib", "seaborn")  # in notebooks; those that are installed are imported
_servers: Servers | None = None


def servers() -> Servers:
    """The servers of this process: started by its first kernel, stopped with it."""
    global _servers
    if _servers is None:
        _servers = Servers(modules=[name for name in USUAL if importlib.util.find_spec(name)])
        atexit.register(_servers.close)
    return _servers


class ForkProvisioner(LocalProvisioner):
    """Launches kernels by forking instead of starting a process. Called by jupyter_client's KernelManager."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Called once the manager has chosen ports and a key; `cmd` is the kernelspec's and not used.

        Raises:
            CourseError: the fork servers do not start, or the manager asks for encryption, which forks lack.
        """
        if self.connection_info.get("curve_publickey"):
            raise CourseError(
                "Forked kernels speak on this machine alone, without encryption: switch it off."
            )
        connection = dict(self.connection_info)
        connection["key"] = key.decode() if isinstance(key := connection["key"], bytes) else key
        limits = Limits()
        request = {
            "connection": {key: value for key, value in connection.items() if isinstance(value, str | int)},
            "memory_mb": limits.memory_mb,
            "scratch_mb": limits.scratch_mb,
            "cpu_seconds": 24 * 3600,  # whoever started it decides when it ends
            "folder": str(kwargs.get("cwd") or ""),
        }
        listeners = listen(connection)

        def start() -> ForkedProcess:
            lease = servers().lease("student", request, [item.fileno() for item in listeners])
            return ForkedProcess(lease)

        try:
            process = await asyncio.to_thread(start)
        finally:
            for item in listeners:
                item.close()
        self.process = process  # type: ignore[assignment]  # it has all that is asked of a Popen
        self.pid = process.pid
        self.pgid = None
        self.cwd = kwargs.get("cwd")
        return self.connection_info


class ForkedProcess:
    """A lease of a process that runs, with the methods of subprocess.Popen that LocalProvisioner uses."""

    stdin = stdout = stderr = None

    def __init__(self, lease: Lease):
        self._lease = lease
        self.pid = lease.pid

    def poll(self, seconds: float = 0) -> int | None:
        try:
            ended = self._lease.poll(seconds)
        except ServerLost:
            return -1
        return None if ended is None else ended[1]

    def wait(self, timeout: float | None = None) -> int:
        ended = self.poll(timeout or 3600)
        return -1 if ended is None else ended

    def send_signal(self, number: int) -> None:
        if number == 0:
            return
        if number in (signal.SIGKILL, signal.SIGTERM):
            self._lease.close()  # with everything that the kernel started
        else:
            self._lease.signal(number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)
