"""What is kept of a cell's output: text and pictures, as nbformat has them, up to a limit."""

import re
from typing import Any

# What differs between two equal runs: addresses in memory, the scratch folder's name, a process's number in the
# name under which its cells are compiled.
CHANCE = re.compile(r"(?<=0x)[0-9a-f]{6,}|(?<=course-scratch-)\w+|(?<=ipykernel_)\d+")


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


class Room:
    """How much output of a submission is kept. What is over is dropped, while it streams.

    Args:
        kilobytes: KiB of text and pictures for the whole submission.
    """

    def __init__(self, kilobytes: int):
        self._left = kilobytes * 1024
        self._most = kilobytes

    def put_saved(self, outputs: list[dict], saved: list) -> None:
        """Add what a notebook was handed in with: outputs as a file has them, some texts as lists of lines."""
        for item in saved:
            if isinstance(item, dict):
                content = {key: _joined(value) for key, value in item.items()}
                if isinstance(content.get("data"), dict):
                    content["data"] = {mime: _joined(value) for mime, value in content["data"].items()}
                self.put(outputs, item.get("output_type"), content)

    def put(self, outputs: list[dict], kind: Any, content: dict) -> None:
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
                last["text"] += text
            elif text:
                outputs.append(output | {"text": text})
        else:
            self._left -= _size(output)
            if self._left >= 0:
                outputs.append(output)
        if self._left < 0:
            note = f"[Output left out: this notebook printed more than {self._most} KiB.]\n"
            outputs.append({"output_type": "stream", "name": "stdout", "text": note})


def _checked(kind: Any, content: dict) -> dict | None:
    """The output with the fields that it may have, or None."""
    match kind:
        case "stream" | "display_data" | "execute_result" | "error" if not content:
            text = "[Output left out: a single one of many MiB.]\n"
            return {"output_type": "stream", "name": "stdout", "text": text}
        case "stream":
            name, text = content.get("name"), content.get("text")
            if name in ("stdout", "stderr") and isinstance(text, str):
                return {"output_type": "stream", "name": name, "text": text}
        case "display_data" | "execute_result":
            data = content.get("data")
            if isinstance(data, dict):
                kept = {}
                # Pictures and text; pages show nothing else, and scripts have no business in a mark.
                if isinstance(text := data.get("text/plain"), str):
                    kept["text/plain"] = text
                if isinstance(picture := data.get("image/png"), str):
                    kept["image/png"] = "".join(picture.split())
                output = {"output_type": kind, "data": kept, "metadata": {}}
                return output | ({"execution_count": None} if kind == "execute_result" else {})
        case "error":
            trace = content.get("traceback")
            return {
                "output_type": "error",
                "ename": str(content.get("ename"))[:200],
                "evalue": str(content.get("evalue"))[:4000],
                "traceback": [str(line)[:8000] for line in trace[:40]] if isinstance(trace, list) else [],
            }
    return None


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
