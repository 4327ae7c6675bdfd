"""JupyterLab on this machine, for tests that open it in a browser."""

import contextlib
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

TOKEN = "a-token-for-tests"
# For an audio element: decode it, play it for a moment, and say what came of that.
PLAYED = """async (player) => {
    if (player.readyState < 1) await new Promise((done) => player.addEventListener("loadedmetadata", done));
    player.muted = true;
    await player.play();
    await new Promise((done) => setTimeout(done, 700));
    return {seconds: player.duration, heard: player.currentTime, rate: player.playbackRate, from: player.src};
}"""


@contextlib.contextmanager
def served(root, home):
    """Jupyter's server with JupyterLab in a folder, with a home of its own; yields its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    names = [name for name in os.environ if not name.startswith(("JUPYTER", "IPYTHON"))]
    environment = {name: os.environ[name] for name in names}
    environment |= {"HOME": str(home), "JUPYTER_TOKEN": TOKEN, "JUPYTER_PLATFORM_DIRS": "0"}
    log = home / "server.log"
    command = [sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root", "--ip=127.0.0.1"]
    command.append(f"--port={port}")
    with open(log, "wb") as output:
        process = subprocess.Popen(
            command, cwd=root, env=environment, stdout=output, stderr=subprocess.STDOUT
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


def run_cell(page, title):
    """Run the code cell in which `title` stands, and wait until it has ended.

    A notebook that is still being laid out moves under the pointer, and a kernel that is still starting takes nothing:
    where the cell shows no sign of running, it is asked again. Where it was asked before there was a kernel at all,
    JupyterLab asks which one it shall be: the one that it offers.
    """
    cell = page.locator(".jp-Notebook .jp-CodeCell", has_text=title).first
    prompt = cell.locator(".jp-InputPrompt").first
    dialog = page.locator(".jp-Dialog")
    offered = dialog.filter(has_text="Select Kernel").locator(".jp-mod-accept")
    end = time.monotonic() + 120
    while "[ ]" in (prompt.text_content() or "[ ]"):
        assert time.monotonic() < end, (
            f"the cell {title!r} does not run; in front of it: {dialog.all_inner_texts()}"
        )
        with contextlib.suppress(PlaywrightTimeoutError):  # of what came in between
            if offered.count():
                offered.first.click(timeout=5000)
            cell.scroll_into_view_if_needed(timeout=5000)
            cell.click(timeout=5000)
            page.keyboard.press("Control+Enter")
        page.wait_for_timeout(2000)
    while not re.search(r"\[\d+\]", prompt.text_content() or ""):
        assert time.monotonic() < end, f"the cell {title!r} does not end"
        page.wait_for_timeout(200)
