"""What is kept of a cell's output: text and pictures, as nbformat has them, up to a limit."""

import json
import re
from typing import Any

# What differs between two equal runs: addresses in memory, the scratch folder's name, a process's number in the
# name under which its cells are compiled. Python shows an address behind " at "; by itself, as hex(id(x)) gives it,
# it has the twelve digits of Linux' heap or of what is mapped. Another number, 0xdeadbeef, is what a test says.
CHANCE = re.compile(
    r"(?<= at 0x)[0-9a-f]{6,}|(?<=0x)[5-7][0-9a-f]{11}(?![0-9a-f])|(?<=course-scratch-)\w+|(?<=ipykernel_)\d+"
)

PIECES = 5000  # messages of a submission that are kept; a loop that shows its progress sends a few hundred
HEARD = 8  # so many times as many bytes as are kept are parsed: much of a message may be something else
BLOCK = 1 << 18  # characters of a text in one output: what comes in small pieces is copied for each of them
MAX_BRACKETS = 10_000  # lists and dictionaries in one message
# As many and one more, outside of strings; it never goes back.
TOO_MANY = re.compile(
    rb'(?:(?:[^"\[{]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+[\[{]){%d}+' % (MAX_BRACKETS + 1), re.DOTALL
)
KINDS = ("stream", "display_data", "execute_result", "error")


def parse(data: bytes) -> dict[str, Any]:
    """The content of a kernel's message; {} for what is none, or would make very many objects.

    >>> parse(b'{"name": "stdout"}'), parse(b"[" * 100_000)
    ({'name': 'stdout'}, {})
    """
    if data.count(b"[") + data.count(b"{") > MAX_BRACKETS and TOO_MANY.match(data):
        return {}
    try:
        content = json.loads(data.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        return {}
    return content if type(content) is dict else {}


def steady(value: Any) -> Any:
    """A text, or outputs with all their texts, without what is chance.

    >>> steady([{"text": "<f at 0x7f0123456789>"}])
    [{'text': '<f at 0x…>'}]
    """
    if isinstance(value, str):
        return CHANCE.sub("…", value)
    if isinstance(value, dict):
        return {key: item if key == "image/png" else steady(item) for key, item in value.items()}
    return [steady(item) for item in value] if isinstance(value, list) else value


class OutputBudget:
    """How much output of a submission is kept. What goes beyond that is dropped as it streams in.

    Args:
        kilobytes: KiB of text and pictures for the whole submission.
    """

    def __init__(self, kilobytes: int):
        self._left = kilobytes * 1024
        self._most = kilobytes
        self._unheard = HEARD * self._left  # bytes that may still be parsed
        self._pieces = PIECES

    @property
    def used_kb(self) -> float:
        """KiB that are kept."""
        return self._most - max(self._left, 0) / 1024

    @property
    def left(self) -> tuple[int, int]:
        """Characters and messages that may still be kept: what a kernel is told, which sends hardly more."""
        return (self._left, self._pieces) if self._left >= 0 else (0, 0)

    def put_message(self, outputs: list[dict[str, Any]], kind: str, data: bytes) -> None:
        """Add one iopub message, whose content is still to be parsed: where there is no room it is not."""
        if kind not in KINDS or self._left < 0:
            return
        self._pieces -= 1
        if self._unheard <= 0 or self._pieces < 0:
            self.close(outputs)
        else:
            self._unheard -= len(data)
            self.put(outputs, kind, parse(data))

    def close(self, outputs: list[dict[str, Any]]) -> None:
        """Keep nothing more, and say so."""
        if self._left >= 0:
            self._left = -1
            self._say_so(outputs)

    def put_saved(self, outputs: list[dict[str, Any]], saved: list[Any]) -> None:
        """Add what a notebook was handed in with: outputs as a file has them, some texts as lists of lines."""
        for item in saved:
            if isinstance(item, dict):
                content = {key: _joined(value) for key, value in item.items()}
                if isinstance(content.get("data"), dict):
                    content["data"] = {mime: _joined(value) for mime, value in content["data"].items()}
                self.put(outputs, item.get("output_type"), content)

    def put(self, outputs: list[dict[str, Any]], kind: Any, content: dict[str, Any]) -> None:
        """Add one iopub message to a cell's outputs. Its fields may be anything; none: it was too large to be read."""
        output = _checked(kind, content)
        if output is None or self._left < 0:
            return
        last = outputs[-1] if outputs else {}
        # A text comes in pieces that chance cuts: what is kept must not depend on them.
        if output["output_type"] == "stream":
            text = output["text"][: self._left]
            self._left -= len(output["text"])
            if last.get("output_type") == "stream" and last["name"] == output["name"]:
                space = max(0, BLOCK - len(last["text"]))
                last["text"] += text[:space]
                text = text[space:]
            for start in range(0, len(text), BLOCK):
                outputs.append(output | {"text": text[start : start + BLOCK]})
        else:
            self._left -= _size(output)
            if self._left >= 0:
                outputs.append(output)
        if self._left < 0:
            self._say_so(outputs)

    def _say_so(self, outputs: list[dict[str, Any]]) -> None:
        most = f"{self._most} KiB, or in more than {PIECES} pieces"
        note = f"[Output left out: this notebook printed more than {most}.]\n"
        outputs.append({"output_type": "stream", "name": "stdout", "text": note})


def _checked(kind: Any, content: dict[str, Any]) -> dict[str, Any] | None:
    """The output with the fields that it may have, or None."""
    match kind:
        case "stream" | "display_data" | "execute_result" | "error" if not content:
            text = "[Output left out: a single one was too large.]\n"
            return {"output_type": "stream", "name": "stdout", "text": text}
        case "stream":
            name, words = content.get("name"), content.get("text")
            if name in ("stdout", "stderr") and isinstance(words, str):
                return {"output_type": "stream", "name": name, "text": words}
        case "display_data" | "execute_result":
            data = content.get("data")
            if isinstance(data, dict):
                kept = {}
                # Pictures and text; pages show nothing else, and scripts have no business in a mark.
                if isinstance(words := data.get("text/plain"), str):
                    kept["text/plain"] = words
                if isinstance(picture := data.get("image/png"), str):
                    kept["image/png"] = "".join(picture.split())
                output = {"output_type": kind, "data": kept, "metadata": {}}
                return output | ({"execution_count": None} if kind == "execute_result" else {})
        case "error":
            trace = content.get("traceback")
            return {
                "output_type": "error",
                "ename": _words(content.get("ename"))[:200],
                "evalue": _words(content.get("evalue"))[:4000],
                "traceback": [_words(line)[:8000] for line in trace[:40]] if isinstance(trace, list) else [],
            }
    return None


def _words(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _joined(value: Any) -> Any:
    """Lines of a text, as a file keeps them, in one piece."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "".join(value)
    return value


def _size(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(map(_size, value.values()))
    return sum(map(_size, value)) if isinstance(value, list) else 8
