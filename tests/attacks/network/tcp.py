"""Connects and listens, on loopback and elsewhere, IPv4 and IPv6, with fast open and through other programs."""

BAIT_CELL = r"""
import socket, subprocess, urllib.request

ports = bait["ports"]


def fast():
    with socket.socket() as link:
        return link.sendto(b"x", socket.MSG_FASTOPEN, ("127.0.0.1", ports["tcp"]))


tried(
    lambda: socket.create_connection(("127.0.0.1", ports["tcp"]), 1),
    lambda: socket.create_connection(("::1", ports.get("tcp6", 1)), 1),
    fast,
    lambda: urllib.request.urlopen(f"http://127.0.0.1:{ports['tcp']}/", timeout=1),
    lambda: socket.create_server(("127.0.0.1", 0)),
    lambda: socket.create_connection(("192.0.2.1", 80), 1),
    lambda: subprocess.run(["bash", "-c", f"echo x > /dev/tcp/127.0.0.1/{ports['tcp']}"], check=True),
    lambda: subprocess.run(["curl", "-m1", f"http://127.0.0.1:{ports['tcp']}/"], check=True),
    lambda: subprocess.run(
        [
            "perl",
            "-MIO::Socket::INET",
            "-e",
            f"IO::Socket::INET->new('127.0.0.1:{ports['tcp']}') or exit 1",
        ],
        check=True,
    ),
)
import asyncio


async def link():
    return await asyncio.open_connection("127.0.0.1", ports["tcp"])


def run():
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(link())
    finally:
        loop.close()


import threading

thread = threading.Thread(target=lambda: tried(run))
thread.start()
thread.join()
"""
