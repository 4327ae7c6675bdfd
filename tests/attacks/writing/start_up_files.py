"""Writes code to where Python, IPython, the shell and Jupyter look at their next start, in every home."""

BAIT_CELL = r"""
import os
from pathlib import Path

code = "open('/tmp/%s-ran', 'w')" % bait["trace"]
for home in (bait["paths"]["home"], "/root", os.path.expanduser("~root"), "/home"):
    for name in (
        ".ipython/profile_default/startup/00.py",
        ".bashrc",
        ".profile",
        ".pythonrc.py",
        ".jupyter/jupyter_config.py",
        ".local/lib/python3.11/site-packages/usercustomize.py",
        ".config/matplotlib/matplotlibrc",
        ".local/share/jupyter/kernels/python3/kernel.json",
        ".config/autostart/x.desktop",
        ".ssh/authorized_keys",
    ):

        def write():
            path = Path(home, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a") as file:
                return path, file.write(code)

        try:
            print("GOT", write())
        except OSError:
            pass
"""
