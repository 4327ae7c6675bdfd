"""A course folder whose scripts are read by a program that makes a tone: what a voice is, without a model."""

import json
import sys
from pathlib import Path

from coursekit.course.config import Course, open_course

WEEK = "week1_attention"
# A tone as long as the sentence. Sentences with `fail`, `hang` or `mute` in them show what a voice can do wrong.
TONE = """
import math, struct, sys, time, wave
text, path = sys.stdin.read(), sys.argv[1]
if "fail" in text:
    sys.exit("no words for it")
if "hang" in text:
    time.sleep(60)
loud = 0 if "mute" in text else 9000
with wave.open(path, "wb") as file:
    file.setnchannels(1)
    file.setsampwidth(2)
    file.setframerate(16000)
    count = 16000 // 25 * len(text)
    file.writeframes(b"".join(struct.pack("<h", int(loud * math.sin(n * 0.2))) for n in range(count)))
"""
SCRIPTS = {
    "01_first": "Scores are opinions. Weights are shares.\n\nA weight is a part\nof a whole.\n",
    "02_second": "Softmax turns the first into the second. Is that all?\n",
}
COURSE = """title = "Spoken"
{narration}
[repository]
owner = "somebody"
name = "course"
[[weeks]]
name = "week1_attention"
notebook = "attention"
title = "Attention"
minutes = 10
"""
NARRATION = """[narration]
engines = {engines}
[narration.command]
line = {line}
voice = "a tone"
licence = "CC0-1.0"
[narration.archive]
sha256 = "{sha256}"
mirrors = {mirrors}
"""


def configure(root: Path, narration: str | None = None, **settings) -> Course:
    """Write course.toml anew and open it: with this text for the narration, or with these settings of `NARRATION`."""
    values = {
        "engines": ["command"],
        "line": [sys.executable, "-S", str(root / "tone.py"), "{wav}"],
        "mirrors": [],
        **settings,
    }
    texts = {name: json.dumps(value) for name, value in values.items()} | {
        "sha256": settings.get("sha256", "")
    }
    text = NARRATION.format(**texts) if narration is None else narration
    (root / "course.toml").write_text(COURSE.format(narration=text))
    return open_course(root)


def make_spoken_course(root: Path) -> Course:
    """The folder with scripts and a lexicon; there is no audio yet."""
    folder = root / "narration" / WEEK
    folder.mkdir(parents=True)
    (root / "tone.py").write_text(TONE)
    (root / "narration" / "lexicon.toml").write_text('[said]\n"softmax" = "soft max"\n')
    for name, text in SCRIPTS.items():
        (folder / f"{name}.md").write_text(text)
    return configure(root)
