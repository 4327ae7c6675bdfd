"""Puts the page together: assets/explorer/index.html, one file that needs no network.

    python -m assets.explorer.build            writes it
    python -m assets.explorer.build --check    exits with 1 if it is not what would be written

The claims of the steps are computed here, and a claim that is not true stops the build. Two runs give the same bytes.
"""

import base64
import hashlib
import html
import json
import re
import sys
import tomllib
from pathlib import Path

import torch

from assets.explorer import measure, storage
from assets.explorer.encoder import Settings, run

HERE = Path(__file__).parent
PAGE = HERE / "index.html"
SCRIPTS = [
    "parts",
    "model",
    "state",
    "compare",
    "arithmetic",
    "view",
    "main",
]  # in the order in which they are read
LIMIT = 500_000  # bytes


def runner(stored: dict) -> measure.Run:
    """A function (words, settings) -> run that uses PyTorch, with both of the stored encoders."""
    readers = {name: storage.unpack(packed) for name, packed in stored["models"].items()}

    def compute(words: list[str], settings: dict) -> dict:
        settings = dict(settings)
        reader = readers[settings.pop("model", "trained")]
        return run(reader, words, Settings(**settings))

    return compute


def steps(content: dict, stored: dict) -> list[dict]:
    """The steps with their numbers filled in, as the page needs them.

    Raises:
        ValueError: a step claims what is not true.
    """
    compute = runner(stored)
    ready, problems = [], []
    for step in content["steps"]:
        values, wrong = measure.findings(step, compute, stored["training"])
        problems += wrong
        kept = {key: step[key] for key in ("title", "ask", "sentence", "show")}
        ready.append(kept | {"settings": step.get("settings", {}), "found": measure.sentence(step, values)})
    if problems:
        raise ValueError("The page would claim what is not true:\n" + "\n".join(problems))
    return ready


def page() -> str:
    """The whole page."""
    torch.set_num_threads(1)
    stored = storage.read()
    content = json.loads((HERE / "content.json").read_text(encoding="utf-8"))
    # What the page does not need of the training stays out of it; "<" could end the script element.
    data = {key: stored[key] for key in ("sizes", "unit", "vocabulary", "special", "answers", "models")}
    data |= {"sentences": content["sentences"], "steps": steps(content, stored)}
    style = (HERE / "page" / "page.css").read_text(encoding="utf-8")
    scripts = "\n".join((HERE / "page" / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)
    script = f'(() => {{\n"use strict";\n{scripts}}})();\n'
    course = tomllib.loads((HERE.parent.parent / "course.toml").read_text(encoding="utf-8"))
    parts = {
        "style": style,
        "script": script,
        "style_hash": _hash(style),
        "script_hash": _hash(script),
        "data": json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        "title": html.escape(course["title"]),
        "layers": str(stored["sizes"]["layers"]),
        "heads": str(stored["sizes"]["heads"]),
    }
    template = (HERE / "page" / "page.html").read_text(encoding="utf-8")
    return re.sub(r"\{(\w+)\}", lambda match: parts[match[1]], template)


def _hash(text: str) -> str:
    """What the page's policy says of the one script, and the one style, that may be used."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def main(arguments: list[str]) -> int:
    text = page()
    size = len(text.encode())
    if size >= LIMIT:
        print(f"The page has {size:,} bytes; it should have less than {LIMIT:,}.")
        return 1
    if "--check" in arguments:
        stale = not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != text
        print("The page is not up to date." if stale else "The page is up to date.")
        return int(stale)
    PAGE.write_text(text, encoding="utf-8")
    print(f"assets/explorer/index.html: {size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
