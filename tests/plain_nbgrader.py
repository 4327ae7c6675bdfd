"""nbgrader's own command, beside ours."""

import os
import subprocess
import sys
from pathlib import Path


def nbgrader(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    """Run it in a course folder, with this interpreter's programs on PATH: it starts others by name."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    return subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=folder,
        env=os.environ | {"PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
    )
