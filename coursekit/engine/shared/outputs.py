"""The kept outputs of cells: text and pictures in nbformat's form, up to a limit."""

import json
import re
from typing import Any

# Text that differs between two equal runs: memory addresses, the scratch folder's name, and a process's number in the
# name under which its cells are compiled. Python shows an address after " at "; where hex(id(x)) shows it, it has the
# twelve digits of Linux's heap or mapped memory. Other numbers, such as 0xdeadbeef, are kept.
RUN_DEPENDENT = re.compile(
    r"(?<= at 0x)[0-9a-f]{6,}|(?<=0x)[5-7][0-9a-f]{11}(?![0-9a-f])|(?<=course-scratch-)\w+|(?<=ipykernel_)\d+"
)

MAX_PIECES = 5000  # messages kept of a submission; a loop that shows its progress sends a few hundred
PARSED_SHARE = (
    8  # bytes that may be parsed for each byte of the budget: much of a message may be something else
)
BLOCK = 1 << 18  # characters of text in one output, at most: each small piece that is added to it copies it
MAX_BRACKETS = 10_000  # lists and dictionaries in one message
# Matches one bracket more than that, outside of strings; it never backtracks.
TOO_MANY_BRACKETS = re.compile(
    rb'(?:(?:[^"\[{]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+[\[{]){%d}+' % (MAX_BRACKETS + 1), re.DOTALL
)
KINDS = ("stream", "display_data", "execute_result", "error")


def parse(data: bytes) -> dict[str, Any]:
    """Return the content of a kernel's message; {} if it is malformed, or would make very many objects.

    >>> parse(b'{"name": "stdout"}'), parse(b"[" * 100_000)
    ({'name': 'stdout'}, {})
    """
    if data.count(b"[") + data.count(b"{") > MAX_BRACKETS and TOO_MANY_BRACKETS.match(data):
        return {}
    try:
        content = json.loads(data.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        return {}
    return content if type(content) is dict else {}


def mask_run_dependent(value: Any) -> Any:
    """Return a string, or outputs, with "…" for the parts of text that differ between two equal runs.

    >>> mask_run_dependent([{"text": "<f at 0x7f0123456789>"}])
    [{'text': '<f at 0x…>'}]
    """
    if isinstance(value, str):
        return RUN_DEPENDENT.sub("…", value)
    if isinstance(value, dict):
        return {key: item if key == "image/png" else mask_run_dependent(item) for key, item in value.items()}
    return [mask_run_dependent(item) for item in value] if isinstance(value, list) else value


class OutputBudget:
    """The limit on the outputs of a submission that are kept. The rest is dropped as it streams in.

    Args:
        kilobytes: KiB of text and pictures for the whole submission; a character counts as a byte.
    """

    def __init__(self, kilobytes: int):
        self._left = kilobytes * 1024
        self._kilobytes = kilobytes
        self._unparsed = PARSED_SHARE * self._left  # bytes that may still be parsed
        self._pieces = MAX_PIECES

    @property
    def used_kb(self) -> float:
        """The KiB that are kept so far; the whole budget once it is exceeded or closed."""
        return self._kilobytes - max(self._left, 0) / 1024

    @property
    def left(self) -> tuple[int, int]:
        """The characters and messages that may still be kept. The kernel gets these numbers and sends hardly more."""
        return (self._left, self._pieces) if self._left >= 0 else (0, 0)

    def put_message(self, outputs: list[dict[str, Any]], kind: str, data: bytes) -> None:
        """Add one iopub message. Its content is parsed only if there is budget left."""
        if kind not in KINDS or self._left < 0:
            return
        self._pieces -= 1
        if self._unparsed <= 0 or self._pieces < 0:
            self.close(outputs)
        else:
            self._unparsed -= len(data)
            self.put(outputs, kind, parse(data))

    def close(self, outputs: list[dict[str, Any]]) -> None:
        """Keep nothing more, and add a notice."""
        if self._left >= 0:
            self._left = -1
            self._add_notice(outputs)

    def put_saved(self, outputs: list[dict[str, Any]], saved: list[Any]) -> None:
        """Add outputs of the notebook file that was handed in, in which a string may be a list of lines."""
        for item in saved:
            if isinstance(item, dict):
                content = {key: _joined(value) for key, value in item.items()}
                if isinstance(content.get("data"), dict):
                    content["data"] = {mime: _joined(value) for mime, value in content["data"].items()}
                self.put(outputs, item.get("output_type"), content)

    def put(self, outputs: list[dict[str, Any]], kind: Any, content: dict[str, Any]) -> None:
        """Add an iopub message to a cell's outputs. `content` may have any fields; {}: it was too large to read."""
        output = _checked(kind, content)
        if output is None or self._left < 0:
            return
        last = outputs[-1] if outputs else {}
        # A stream may be split anywhere: the kept text must not depend on it.
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
            self._add_notice(outputs)

    def _add_notice(self, outputs: list[dict[str, Any]]) -> None:
        most = f"{self._kilobytes} KiB, or in more than {MAX_PIECES} pieces"
        note = f"[Output left out: this notebook printed more than {most}.]\n"
        outputs.append({"output_type": "stream", "name": "stdout", "text": note})


def _checked(kind: Any, content: dict[str, Any]) -> dict[str, Any] | None:
    """Return the output with the allowed fields, or a notice without content; None if it is malformed."""
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
                # Only text and pictures: pages show nothing else, and scripts are not allowed on them.
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
    """Return a list of lines as one string, and any other value unchanged."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "".join(value)
    return value


def _size(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(map(_size, value.values()))
    return sum(map(_size, value)) if isinstance(value, list) else 8
