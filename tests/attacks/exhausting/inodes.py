"""Makes folders and links, which take no space, and a tree so deep that no path reaches its bottom."""

BAIT_CELL = r"""
import os

home = os.getcwd()
for number in range(30_000):
    os.mkdir(f"f{number}")
    os.symlink("x", f"l{number}")
    reached(number > 1000)
while True:
    os.mkdir("d" * 250)
    os.chdir("d" * 250)
"""
