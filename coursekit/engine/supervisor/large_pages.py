"""Memory in large pages: less for the kernel to do when a warm server forks.

A fork copies an entry of its parent's page tables for each page, and its end clears each again: for a server's
200 MiB, that is most of what a fork that does nothing costs. In pages of 2 MiB there are 512 times fewer. A large page
that a fork writes to is split again, in that fork alone.
"""

import ctypes
from collections.abc import Iterable, Iterator

MADV_COLLAPSE = 25  # Linux 6.1; an older kernel refuses it, and everything stays as it is
SIZE = 2 << 20  # bytes


def collapse() -> Iterator[None]:
    """Put this process's own memory into large pages, as far as the kernel can, a page per step.

    It copies everything, which takes half a second: a warm server does it while nobody asks for a fork.
    """
    libc = ctypes.CDLL(None)
    libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    with open("/proc/self/maps") as file:
        mappings = list(own(file))
    for start, end in mappings:
        for place in range(-(-start // SIZE) * SIZE, end - SIZE + 1, SIZE):
            libc.madvise(place, SIZE, MADV_COLLAPSE)  # refused where nothing has been written yet
            yield


def own(maps: Iterable[str]) -> Iterator[tuple[int, int]]:
    """First address, and the one behind the last, of each writable mapping that belongs to no file and is no stack.

    Args:
        maps: lines of /proc/PID/maps.

    >>> list(own(["00400000-00800000 rw-p 00000000 00:00 0 [heap]", "00800000-00801000 rw-p 0 08:01 7 /lib/c.so"]))
    [(4194304, 8388608)]
    """
    for line in maps:
        span, mode, _, _, inode, *name = line.split()
        if inode == "0" and mode == "rw-p" and name in ([], ["[heap]"]):
            start, end = span.split("-")
            yield int(start, 16), int(end, 16)
