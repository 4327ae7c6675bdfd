"""Collects every environment that it can see: its own, the kernel's block, its parents' and everybody's."""

BAIT_CELL = r"""
import ctypes, glob, os, subprocess

environ = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")


def block():
    found, place = [], 0
    while environ and environ[place]:
        found.append(environ[place])
        place += 1
    return found


tried(
    lambda: dict(os.environ),
    block,
    lambda: open("/proc/self/environ").read(),
    lambda: open(f"/proc/{os.getppid()}/environ").read(),
    lambda: open(f"/proc/{bait['grader']}/environ").read(),
    lambda: open(f"/proc/{bait['victim']}/environ").read(),
    lambda: subprocess.check_output(["ps", "auxwwe"]),
    lambda: [open(path, "rb").read() for path in glob.glob("/proc/[0-9]*/environ")] or 1 / 0,
    lambda: open("/proc/1/environ").read(),
)
"""
