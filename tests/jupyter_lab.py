"""JupyterLab on this machine, for tests that open it in a browser."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

import pytest

TOKEN = "a-token-for-tests"
# For an audio element: decode it, play it for a moment, and say what came of that.
PLAYED = """async (player) => {
    if (player.readyState < 1) await new Promise((done) => player.addEventListener("loadedmetadata", done));
    player.muted = true;
    await player.play();
    await new Promise((done) => setTimeout(done, 700));
    return {seconds: player.duration, heard: player.currentTime, rate: player.playbackRate, from: player.src};
}"""


@contextmanager
def served(root, home):
    """Jupyter's server with JupyterLab in a folder, with a home of its own; yields its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "IPYTHON"))
    }
    environment |= {"HOME": str(home), "JUPYTER_TOKEN": TOKEN, "JUPYTER_PLATFORM_DIRS": "0"}
    log = home / "server.log"
    with open(log, "wb") as output:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "jupyter_server",
                "--no-browser",
                "--allow-root",
                "--ip=127.0.0.1",
                f"--port={port}",
            ],
            cwd=root,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        end = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"{address}/api", timeout=5).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > end:
                    pytest.fail("The server did not start:\n" + log.read_text(errors="replace"))
                time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait(20)
