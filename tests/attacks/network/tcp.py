"""Connects and listens, on loopback and elsewhere, IPv4 and IPv6, with fast open and through other programs."""

BAIT_CELL = r"""
import socket, subprocess, threading

ports = bait["ports"]


def fast():
    with socket.socket() as link:
        return link.sendto(b"x", socket.MSG_FASTOPEN, ("127.0.0.1", ports["tcp"]))


tried(
    lambda: socket.create_connection(("127.0.0.1", ports["tcp"]), 1),
    lambda: socket.create_connection(("::1", ports.get("tcp6", 1)), 1),
    fast,
    lambda: socket.create_server(("127.0.0.1", 0)),
    lambda: socket.create_connection(("192.0.2.1", 80), 1),
    lambda: subprocess.run(["bash", "-c", f"echo x > /dev/tcp/127.0.0.1/{ports['tcp']}"], check=True),
)
thread = threading.Thread(target=lambda: tried(fast))
thread.start()
thread.join()
"""
