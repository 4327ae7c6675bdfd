"""Renames, replaces and removes its own scratch folder and those of others beside it."""

BAIT_CELL = r"""
import os, shutil

mine = os.path.expanduser("~")
beside = os.path.dirname(mine)
tried(
    lambda: os.rename(mine, mine + bait["trace"]),
    lambda: os.rmdir(mine),
    lambda: os.symlink("/", mine),
    lambda: os.listdir(beside),
    lambda: os.rename(mine, bait["paths"]["course"]),
    lambda: shutil.rmtree(bait["paths"]["tmp"]),
    lambda: os.mkdir(os.path.join(beside, bait["trace"])),
    lambda: os.link(os.path.join(mine, "x"), os.path.join(beside, bait["trace"])),
)
shutil.rmtree(mine, ignore_errors=True)
os.makedirs(os.path.join(mine, "again"), exist_ok=True)
"""
