"""Walks through all process numbers and reads command lines, working folders and open files."""

BAIT_CELL = r"""
import os, subprocess

found = []
others = {1, os.getppid(), bait["grader"], bait["victim"], *range(max(2, os.getpid() - 300), os.getpid() + 50)}
for pid in others - {os.getpid()}:
    for name in ("cmdline", "comm", "status", "maps", "environ", "stack", "syscall", "wchan", "mountinfo"):
        try:
            found.append((pid, name, open(f"/proc/{pid}/{name}", "rb").read(300)))
        except OSError:
            pass
    for name in ("cwd", "exe", "root"):
        try:
            found.append((pid, os.readlink(f"/proc/{pid}/{name}")))
        except OSError:
            pass
print("GOT", found)
tried(
    lambda: subprocess.check_output(["ps", "-eo", "args"]),
    lambda: os.listdir("/proc"),
    lambda: subprocess.check_output(["pgrep", "-fa", "bait-"]),
)
"""
