"""Holds numbers that a reader cannot hold: of ten thousand digits, 1e999999, NaN and Infinity, as points, ids and counts."""

import json


def attack(submission):
    submission.cell("softmax_rows")["metadata"]["nbgrader"]["points"] = "DIGITS"
    submission.cell("softmax_axis")["metadata"]["nbgrader"]["points"] = "GREAT"
    submission.cell("softmax_large")["metadata"]["nbgrader"]["points"] = float("nan")
    submission.notebook["nbformat_minor"] = "GREAT"
    text = json.dumps(submission.notebook).replace('"DIGITS"', "9" * 4000).replace('"GREAT"', "1e999999")
    submission.data = text.encode()


SHOWS = {"status": "repaired", "repairs": {"points_restored"}, "flags": {"points_tampered"}}
