"""Prints without end: to the cell, to descriptors 1 and 2 and as pictures."""

BAIT_CELL = r"""
import os, sys, threading
from IPython.display import display, Image

tried(
    lambda: display({"image/png": "A" * (30 << 20)}, raw=True),
    lambda: display({"text/plain": "x" * (40 << 20)}, raw=True),
)
for number in range(50):
    sys.stdout.write("y" * (2 << 20))
    sys.stderr.write("z" * (1 << 20))
    os.write(1, b"w" * 60000)
    reached(number == 4)
while True:
    print("x" * 10000, flush=True)
"""
