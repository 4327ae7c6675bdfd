"""The narration's audio: minutes, size, loudness of every file, and how much of it a recogniser understands.

    .venv/bin/python benchmarks/narration.py [--listen N] [--only week1_attention/02_softmax ...] [--json FILE]

`--listen N` has Whisper (the extra `listen`) write down N segments of each week, spread over it, and counts words:
those to replace, add or take away, for each word of the script. Both sides are written alike first (numbers as digits,
American spelling, no marks, "soft max" and "heat map" as one word); nothing else is forgiven, homophones neither.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

from coursekit.authoring.narration.files import decode
from coursekit.authoring.narration.manifest import read_manifest
from coursekit.authoring.narration.sound import measure
from coursekit.authoring.narration.transcription import Transcriber, normalized_words
from coursekit.course.config import open_course

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "narration"


def spread(names: list[str], count: int) -> list[str]:
    """`count` of the names at equal distances, the first and the last among them."""
    places = np.linspace(0, len(names) - 1, min(count, len(names))).round().astype(int)
    return [names[place] for place in dict.fromkeys(places)]


def transcribe(name: str, transcriber: Transcriber) -> dict:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    started = time.monotonic()
    transcription = transcriber.transcribe(decode((FOLDER / f"{name}.mp3").read_bytes()))
    words = len(normalized_words(text))
    return {
        "words": words,
        "wrong": round(transcription.error_rate(text) * words),
        "differences": transcription.differences(text),
        "seconds": round(time.monotonic() - started, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--listen", type=int, default=0, metavar="N", help="segments of each week")
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="WEEK/NN_slug", help="listen to these instead"
    )
    parser.add_argument("--json", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    entries = read_manifest(FOLDER)
    loud = {name: measure(decode((FOLDER / f"{name}.mp3").read_bytes())) for name in entries}
    print(f"{'week':<28}{'segments':>9}{'minutes':>9}{'MB':>7}{'LUFS, least':>13}{'most':>7}")
    weeks = [week.name for week in open_course(ROOT).weeks]
    of = {week: [name for name in entries if name.startswith(f"{week}/")] for week in weeks}
    for title, names in [*of.items(), ("all", list(entries))]:
        if names:
            minutes = sum(entries[name].seconds for name in names) / 60
            size = sum(entries[name].bytes for name in names) / 1e6
            levels = [loud[name] for name in names]
            print(
                f"{title:<28}{len(names):>9}{minutes:>9.1f}{size:>7.2f}{min(levels):>13.2f}{max(levels):>7.2f}"
            )
    chosen = arguments.only or [
        name for names in of.values() if arguments.listen for name in spread(names, arguments.listen)
    ]
    heard = {}
    transcriber = Transcriber() if chosen else None
    for name in chosen:
        heard[name] = transcribe(name, transcriber)
        print(
            f"{name}: {heard[name]['wrong']} of {heard[name]['words']}: {heard[name]['differences']}",
            flush=True,
        )
    if heard:
        wrong, words = (sum(row[key] for row in heard.values()) for key in ("wrong", "words"))
        print(f"{len(heard)} segments, {wrong} of {words} words misheard: {100 * wrong / words:.2f} %")
    if arguments.json:
        arguments.json.write_text(json.dumps({"loudness": loud, "heard": heard}, indent=1) + "\n")


if __name__ == "__main__":
    main()
