"""Hands in what Python runs at its start: sitecustomize, usercustomize, .pth files, pyvenv.cfg."""

RUN = b"import os, sys\nopen('/tmp/attack-started', 'a').write('x')\nprint('passed')\n"
FILES = {
    f"{folder}{name}": RUN
    for folder in ("", ".local/lib/python3.11/site-packages/", "lib/python3.11/site-packages/")
    for name in ("sitecustomize.py", "usercustomize.py", "__init__.py")
} | {
    "attack.pth": b"import os; open('/tmp/attack-started', 'a').write('x')\n",
    "pyvenv.cfg": b"home = .\ninclude-system-site-packages = true\n",
    "python._pth": b".\n",
    ".env": b"PYTHONSTARTUP=sitecustomize.py\nPYTHONPATH=.\nPYTHONINSPECT=1\n",
}
CELL = """
import sys, subprocess
print(subprocess.run([sys.executable, "-c", "print(7)"], capture_output=True))
reached()
"""
