"""Tries every descriptor number: reads, seeks, opens it anew through /proc, and receives what waits on it."""

BAIT_CELL = r"""
import os, socket

for number in range(0, 256):
    try:
        target = os.readlink(f"/proc/self/fd/{number}")
        print(number, target, os.fstat(number).st_size)
    except OSError:
        continue
    if target.startswith(("/dev/null", "anon_inode")):
        continue
    if target.startswith("socket"):
        try:
            link = socket.socket(fileno=os.dup(number))
            print("GOT", link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12), link.recv(4096, 0x42))
        except OSError:
            pass
        continue
    try:
        os.set_blocking(number, False)
    except OSError:  # only a name of a file
        continue
    for door in (lambda: os.pread(number, 4096, 0), lambda: os.read(number, 4096)):
        try:
            print("GOT", door())
        except OSError:
            pass
    if target.startswith("/"):
        tried(lambda: open(f"/proc/self/fd/{number}", "rb").read(4096))
"""
