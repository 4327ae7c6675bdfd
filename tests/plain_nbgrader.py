"""nbgrader's own command, beside ours."""

import os
import subprocess
import sys
from pathlib import Path

from coursekit.gradebook.settings import ALLOW


def nbgrader(folder: Path, *arguments: str, told: bool = True) -> subprocess.CompletedProcess:
    """Run it in a course folder, with this interpreter's programs on PATH: it starts others by name.

    Args:
        told: that it may grade there, and write pages, in place of `course`.
    """
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    return subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=folder,
        env=os.environ | {"PATH": path} | ({ALLOW: "1"} if told else {}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
    )
