"""The fork servers as a Jupyter kernel provisioner: any Jupyter client can use confined kernels that start quickly.

`jupyter_client` finds it by the entry point `coursekit-fork`. To use it for every kernel of a command:

    JUPYTER_DEFAULT_PROVISIONER_NAME=coursekit-fork jupyter nbconvert --execute notebook.ipynb

The kernel runs the fork server's Python whatever the kernelspec names. It may read the folder in which it was started,
and writes to its own scratch folder, which is removed afterwards.
"""

import asyncio
import atexit
import importlib.util
import signal
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import KernelProvisionerBase

from coursekit.engine.coordinator.forked_process import ForkedProcess, ServerLost
from coursekit.engine.coordinator.kernel_client import listen
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.limits import Limits

USUAL_MODULES = ("torch", "numpy", "matplotlib", "seaborn")  # in notebooks; imported if installed
POLL_SECONDS = 0.1  # between two checks whether a kernel has ended
_servers: Servers | None = None


def servers() -> Servers:
    """Return the servers of this process, which its first kernel starts; they stop with the process."""
    global _servers
    if _servers is None:
        _servers = Servers(modules=[name for name in USUAL_MODULES if importlib.util.find_spec(name)])
        atexit.register(_servers.close)
    return _servers


class ForkProvisioner(KernelProvisionerBase):
    """Forks kernels instead of starting them as programs. Used by jupyter_client's KernelManager."""

    _process: ForkedProcess | None = None

    @property
    def has_process(self) -> bool:
        """Whether there is a kernel that has not been waited for."""
        return self._process is not None

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        """Have the manager write ports and a key into a file for clients. Return the arguments of `launch_kernel`.

        Raises:
            CourseError: the manager demands encryption, which forked kernels do not have.
        """
        manager: Any = self.parent
        default = getattr(manager, "transport_encryption", "disabled")
        if kwargs.pop("transport_encryption", default) == "required":
            raise CourseError(
                "Forked kernels speak on this machine alone, without encryption: switch it off."
            )
        kwargs.pop("extra_arguments", None)
        manager.write_connection_file()
        self.connection_info = manager.get_connection_info()
        return await super().pre_launch(cmd=[], **kwargs)

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Fork a kernel, and return its connection; `cmd` is not used.

        Raises:
            CourseError: the fork servers or the kernel do not start.
        """
        connection = dict(self.connection_info)
        connection["key"] = key.decode() if isinstance(key := connection["key"], bytes) else key
        limits = Limits()
        request = {
            "connection": {key: value for key, value in connection.items() if isinstance(value, str | int)},
            "memory_mb": limits.memory_mb,
            "scratch_mb": limits.scratch_mb,
            "cpu_seconds": 24 * 3600,  # its client decides when it ends
            "folder": str(kwargs.get("cwd") or ""),
        }
        listeners = listen(connection)

        def start() -> ForkedProcess:
            process = servers().fork("student", request, [item.fileno() for item in listeners])
            _ = process.pid  # waits until it runs
            return process

        try:
            self._process = await asyncio.to_thread(start)
        finally:
            for item in listeners:
                item.close()
        return self.connection_info

    async def poll(self) -> int | None:
        """Return the kernel's exit status, None while it runs; 0 without a kernel, -1 if its guardian died."""
        if self._process is None:
            return 0
        try:
            ended = self._process.poll()
        except ServerLost:
            return -1
        return None if ended is None else ended[1]

    async def wait(self) -> int | None:
        """Wait for the kernel's end, and return its exit status."""
        while (status := await self.poll()) is None:
            await asyncio.sleep(POLL_SECONDS)
        await self.kill()
        self._process = None
        return status

    async def send_signal(self, signum: int) -> None:
        """Send a signal to the kernel; SIGKILL and SIGTERM also end everything that it has started."""
        if self._process is None:
            return
        if signum in (signal.SIGKILL, signal.SIGTERM):
            await asyncio.to_thread(self._process.close, True)  # a restarted kernel uses the same ports
        elif signum:
            self._process.signal(signum)

    async def kill(self, restart: bool = False) -> None:
        """End the kernel with everything that it has started."""
        await self.send_signal(signal.SIGKILL)

    async def terminate(self, restart: bool = False) -> None:
        """End the kernel, as `kill` does."""
        await self.send_signal(signal.SIGTERM)

    async def cleanup(self, restart: bool = False) -> None:
        """Do nothing: the guardian removes everything."""
