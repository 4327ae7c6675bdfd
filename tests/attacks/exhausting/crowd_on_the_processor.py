"""Has forty children and as many threads compute at once, so that a neighbour's time limit passes."""

BAIT_CELL = r"""
import os, threading, hashlib


def burn():
    while True:
        hashlib.sha256(bytes(1 << 20)).digest()


for _ in range(40):
    if os.fork() == 0:
        reached()
        burn()
for _ in range(40):
    threading.Thread(target=burn, daemon=True).start()
burn()
"""
