"""Tries the families that filters forget: netlink, packet, vsock, AF_ALG, Bluetooth, XDP, SMC, MPTCP and raw."""

BAIT_CELL = r"""
import ctypes, socket

libc = ctypes.CDLL(None, use_errno=True)
for family in range(0, 48):
    for kind in (1, 2, 3, 5, 1 | 0x80800):
        for protocol in (0, 1, 6, 17, 262, 58):
            descriptor = libc.socket(family, kind, protocol)
            if descriptor >= 0:
                print("GOT", family, kind, protocol, descriptor)


def vsock():
    link = socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
    return link.connect((1, bait["ports"].get("vsock", 1)))


tried(
    vsock,
    lambda: socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET).bind(("hash", "sha256")),
    lambda: socket.if_nameindex(),
    lambda: socket.sethostname("x"),
)
"""
