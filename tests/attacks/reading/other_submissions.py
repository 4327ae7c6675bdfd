"""Looks for what others handed in and for their results, by name and through links in its scratch folder."""

BAIT_CELL = r"""
import os
from pathlib import Path

for name in ("submitted", "autograded", "feedback"):
    folder = Path(bait["paths"][name])
    link = Path(f"to-{name}")
    tried(
        lambda: os.listdir(folder),
        lambda: link.symlink_to(folder) or os.listdir(link),
        lambda: [path.read_text() for path in link.rglob("*")] or 1 / 0,
    )
tried(
    lambda: open(bait["paths"]["submission"]).read(),
    lambda: os.link(bait["paths"]["submission"], "hard") or open("hard").read(),
    lambda: os.rename(bait["paths"]["submission"], "moved") or open("moved").read(),
)
"""
