"""Turns the sockets that it was given to other addresses, and sends descriptors and credentials over them."""

BAIT_CELL = r"""
import ctypes, os, socket, struct

libc = ctypes.CDLL(None, use_errno=True)


# An address of the internet, which Python would not hand to a socket of another family.
def elsewhere(link, call):
    address = struct.pack("=H", 2) + struct.pack(">H", bait["ports"]["tcp"]) + socket.inet_aton("127.0.0.1") + bytes(8)
    if call(link.fileno(), address, len(address)) < 0:
        raise OSError(ctypes.get_errno(), "refused")


# The peer of a socket that the kernel made for itself is the kernel: to kill that one would end the attack too soon.
def peer(link):
    if struct.unpack("3i", link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0] == os.getpid():
        raise OSError("this process itself")
    return struct.unpack("i", link.getsockopt(socket.SOL_SOCKET, 77, 4))[0]


# Python 3.12 has os.setns.
def setns(descriptor):
    if libc.setns(descriptor, 0x10000000) < 0:
        raise OSError(ctypes.get_errno(), "refused")


left, right = socket.socketpair()
tried(
    lambda: socket.send_fds(left, [b"x"], [0]),
    lambda: left.sendmsg([b"x"], [], 0, bait["sockets"]["path"]),
    lambda: left.sendto(b"x", bait["sockets"]["path"]),
    lambda: left.listen(),
    lambda: left.accept(),
)
for name in os.listdir("/proc/self/fd"):
    try:
        if not os.readlink(f"/proc/self/fd/{name}").startswith("socket:"):
            continue
        link = socket.socket(fileno=os.dup(int(name)))
    except OSError:
        continue
    for address in (bait["sockets"]["path"], bait["sockets"]["abstract"]):
        tried(lambda: link.connect(address), lambda: link.bind("own"))
    tried(lambda: elsewhere(link, libc.connect), lambda: elsewhere(link, libc.bind))
    tried(
        lambda: link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12),
        lambda: __import__("signal").pidfd_send_signal(peer(link), 9),
        lambda: setns(peer(link)),
    )
    reached()
"""
