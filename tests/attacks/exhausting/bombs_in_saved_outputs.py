"""Saves outputs that are small in the file and large when unpacked, joined or shown, and 100,000 of them."""

import base64
import zlib


def attack(submission):
    bomb = base64.b64encode(zlib.compress(bytes(30_000_000))).decode()
    outputs = [
        {
            "output_type": "display_data",
            "metadata": {"image/png": {"width": 10**9}},
            "data": {"image/png": bomb},
        }
    ] * 50
    outputs += [{"output_type": "stream", "name": "stdout", "text": ["x\n"] * 20_000}] * 5
    outputs += [
        {"output_type": "display_data", "metadata": {}, "data": {"text/plain": str(number)}}
        for number in range(20_000)
    ]
    outputs += [
        {"output_type": "execute_result", "data": {"text/plain": [[["x"]]]}},
        {"output_type": []},
        7,
        None,
        {"data": {}},
    ]
    # One cell whose saved outputs are shown, and one whose are made anew.
    for cell in (submission.cell("softmax"), _not_run(submission)):
        cell["outputs"] = outputs


def _not_run(submission):
    return next(
        cell for cell in submission.notebook["cells"] if "skip-grading" in cell["metadata"].get("tags", ())
    )


SHOWS = {"status": "graded"}
