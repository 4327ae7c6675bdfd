"""Draws pictures that no page and no memory holds, and hands in a small file that unpacks to a huge one."""

BAIT_CELL = r"""
import base64, struct, zlib
import matplotlib.pyplot as plt
from IPython.display import display


def picture():
    figure = plt.figure(figsize=(600, 600), dpi=100)
    figure.text(0, 0, "x")
    plt.show()


def bomb():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 0, 0, 0, 0)
    data = (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(bytes(60_000 * 600)))
        + chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(1 << 25)))
        + chunk(b"IEND", b"")
    )
    display({"image/png": base64.b64encode(data).decode()}, raw=True)


tried(bomb, picture)
plt.close("all")
"""
