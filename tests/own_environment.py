"""Virtual environments for what `make setup` does not install."""

import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
PINNED = ("-c", str(ROOT / "requirements.txt"), "-c", str(ROOT / ".ci" / "voices.txt"))  # pip's constraints


def extra(name: str) -> list[str]:
    """Return pip's arguments for what one of the package's extras asks for, at the versions that are locked."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*PINNED, *project["optional-dependencies"][name]]


def make_environment(folder: Path, *packages: str, beside: bool = True) -> str:
    """Install packages (pip's arguments) into an environment of its own; gives its interpreter.

    The pip that runs the tests does it, so Python need not be able to put another one there (Debian's python3-venv).

    Args:
        beside: it also finds the packages of the environment that runs the tests, and the course.
    """
    venv.create(folder)
    python = folder / "bin" / "python"
    if beside:
        ask = [python, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"]
        pure = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
        (Path(pure) / "course.pth").write_text(f"{sysconfig.get_paths()['purelib']}\n{ROOT}\n")
    # What is imported is compiled then: to compile everything takes as long as the rest.
    pip = [sys.executable, "-m", "pip", "--python", python, "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--no-compile", *packages], check=True)
    return str(python)
