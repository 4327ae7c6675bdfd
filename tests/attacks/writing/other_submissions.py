"""Overwrites, empties, removes and shadows what a neighbour handed in."""

BAIT_CELL = r"""
import os, shutil
from pathlib import Path

folder = Path(bait["paths"]["submitted"], "a-neighbour", "week1_attention")
file = folder / "attention.ipynb"
tried(
    lambda: file.write_text("{}"),
    lambda: os.truncate(file, 3),
    lambda: file.unlink(),
    lambda: shutil.rmtree(folder.parent),
    lambda: (folder / "torch.py").write_text("x"),
    lambda: os.rename(folder, folder.parent / "gone"),
    lambda: os.symlink("/dev/zero", folder / "00.ipynb"),
    lambda: os.open(folder, os.O_TMPFILE | os.O_RDWR),
    lambda: os.mkfifo(folder / "0.ipynb"),
    lambda: open(bait["paths"]["submission"], "a").write("x"),
)
print("GOT", list(folder.glob("*")))
"""
