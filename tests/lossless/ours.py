"""The processes of a run of `course grade`, by what they are: for tests that kill them."""

import os
import re
from pathlib import Path

import psutil

SERVER = re.compile(r"/course-servers-\w+/(\w+)\.sock$")


def processes_of(coordinator: int) -> dict[str, list[int]]:
    """{kind: numbers} of what a process has started, itself too: coordinator, worker, student server, examiner server
    (and what other servers there are), guardian, kernel, examiner."""
    found: dict[str, list[int]] = {"coordinator": [coordinator]}
    try:
        descendants = psutil.Process(coordinator).children(recursive=True)
    except psutil.NoSuchProcess:
        return {}
    listening = _listening()
    kinds: dict[int, str] = {}
    for process in descendants:  # parents before children
        try:
            above = kinds.get(process.ppid(), "")
            command = process.cmdline()
        except psutil.Error:
            continue
        if name := _served(process.pid, listening):
            kind = f"{name} server"
        elif above.endswith(" server"):
            kind = f"guardian/{above.split()[0]}"
        elif above.startswith("guardian/"):
            kind = above.partition("/")[2].replace("student", "kernel")
        elif any("multiprocessing" in word for word in command) and not above:
            kind = "worker" if "spawn_main" in " ".join(command) else ""
        else:
            kind = ""
        kinds[process.pid] = kind
        if kind:
            found.setdefault(kind.partition("/")[0], []).append(process.pid)
    return found


def _listening() -> dict[str, str]:
    """{inode: server's name} of the sockets on which fork servers listen."""
    rows = (line.split() for line in Path("/proc/net/unix").read_text().splitlines()[1:])
    return {
        row[6]: found[1]
        for row in rows
        if len(row) > 7 and row[3] == "00010000" and (found := SERVER.search(row[7]))
    }


def _served(pid: int, listening: dict[str, str]) -> str:
    try:
        for name in os.listdir(f"/proc/{pid}/fd"):
            target = os.readlink(f"/proc/{pid}/fd/{name}")
            if target.startswith("socket:["):
                server = listening.get(target[8:-1])
                if server:
                    return server
    except OSError:
        pass
    return ""
