"""Saves outputs that are small in the file and large when unpacked, joined or shown, and 100,000 of them."""

import base64
import zlib

from nbformat.v4 import new_output


def attack(submission):
    bomb = base64.b64encode(zlib.compress(bytes(30_000_000))).decode()
    outputs = [
        *[new_output("display_data", {"image/png": bomb}, metadata={"image/png": {"width": 10**9}})] * 50,
        *[new_output("stream", text=["x\n"] * 20_000)] * 5,
        *[new_output("display_data", {"text/plain": "x"})] * 20_000,
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
    return next(cell for cell in submission.cells if "skip-grading" in cell["metadata"].get("tags", ()))


SHOWS = {"status": "graded"}
