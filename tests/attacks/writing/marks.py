"""Writes full marks into its own result, the gradebook and a neighbour's result, and plants a database trigger."""

BAIT_CELL = r"""
import json, os, sqlite3
from pathlib import Path

for student in ("writing-marks", "a-neighbour"):
    folder = Path(bait["paths"]["autograded"], student, "week1_attention")
    tried(
        lambda: folder.mkdir(parents=True, exist_ok=True) or 1 / 0,
        lambda: (folder / "result.json").write_text(json.dumps({"score": 30, "schema": 1})),
        lambda: os.replace("fake", folder / "result.json"),
        lambda: (folder / "result.json").unlink(),
    )


def trigger():
    with sqlite3.connect(bait["paths"]["gradebook"], timeout=0.1) as book:
        return book.execute(
            "create trigger more after update on grade begin update grade set auto_score = 99; end"
        )


tried(
    trigger,
    lambda: open(bait["paths"]["gradebook"] + "-journal", "wb").write(b"x"),
    lambda: open(bait["paths"]["gradebook"], "r+b"),
    lambda: os.truncate(bait["paths"]["gradebook"], 0),
)
"""
