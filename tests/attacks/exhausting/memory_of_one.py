"""Asks for all memory in one piece, in many, in one list without end, in page tables and through torch."""

BAIT_CELL = r"""
import ctypes, mmap, torch

hoard = []
tried(
    lambda: np.ones((1 << 40,)),
    lambda: torch.ones(1 << 38),
    lambda: bytearray(1 << 42),
    lambda: " " * (1 << 36),
    lambda: [0] * (1 << 34),
    lambda: np.zeros((1 << 20, 1 << 20)),
    lambda: mmap.mmap(-1, 1 << 40),
    lambda: torch.empty(1 << 31).fill_(1).sum(),
    lambda: 1 << (1 << 40),
)
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
print(libc.malloc(ctypes.c_size_t(1 << 50)))
try:
    while True:
        hoard.append(bytes(16 << 20))
except MemoryError:
    reached(len(hoard) > 10)
while True:
    try:
        hoard.append([hoard] * 1000)
    except MemoryError:
        pass
"""
CLOSED = "(RuntimeError, OverflowError)"
