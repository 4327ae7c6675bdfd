"""Connects to sockets in folders and in the abstract name space, and to those of the machine's services."""

BAIT_CELL = r"""
import socket


def stream(address):
    with socket.socket(socket.AF_UNIX) as link:
        return link.connect(address)


def datagram(address):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as link:
        return link.sendto(b"x", address)


def pair(address, kind):
    left, right = socket.socketpair(socket.AF_UNIX, kind)
    return left.sendto(b"x", address) if kind == socket.SOCK_DGRAM else left.connect(address)


for name, address in bait["sockets"].items():
    tried(
        lambda: stream(address),
        lambda: datagram(address),
        lambda: pair(address, socket.SOCK_STREAM),
        lambda: pair(address, socket.SOCK_DGRAM),
        lambda: pair(address, socket.SOCK_SEQPACKET),
    )
services = "/run/dbus/system_bus_socket /run/systemd/private /run/docker.sock /dev/log \0/tmp/.X11-unix/X0"
for address in services.split():
    tried(lambda: stream(address), lambda: datagram(address))
"""
