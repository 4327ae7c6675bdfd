"""Writes code to where Python, IPython, the shell and Jupyter look at their next start, in every home."""

BAIT_CELL = r"""
import os
from pathlib import Path

code = "open('/tmp/%s-ran', 'w')" % bait["trace"]
names = '''
    .bashrc .profile .pythonrc.py .config/matplotlib/matplotlibrc .config/autostart/x.desktop .ssh/authorized_keys
    .ipython/profile_default/startup/00.py .local/lib/python3.11/site-packages/usercustomize.py
    .jupyter/jupyter_config.py .local/share/jupyter/kernels/python3/kernel.json
'''
for home in (bait["paths"]["home"], "/root", os.path.expanduser("~root"), "/home"):
    for name in names.split():
        path = Path(home, name)
        tried(lambda: path.parent.mkdir(parents=True), lambda: path.open("a").write(code))
"""
