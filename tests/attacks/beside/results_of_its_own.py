"""Hands in the grader's own files, already filled in: result.json with full marks, a graded notebook, a gradebook, a page."""

import json


def attack(submission):
    result = {
        "schema": 1,
        "student": submission.student,
        "week": "week1_attention",
        "status": "graded",
        "score": 26.0,
        "max_score": 26.0,
        "needs_review": False,
        "questions": [],
        "tests": [],
        "repairs": [],
        "flags": [],
        "seconds": 0.1,
        "hashes": {},
    }
    data = json.dumps(result).encode()
    for name in (
        "result.json",
        "../result.json",
        "autograded/result.json",
        ".result.json.1.part",
        "attention.ipynb.json",
    ):
        submission.files[name] = data
    submission.files["gradebook.db"] = b"SQLite format 3\0"
    submission.files["attention.html"] = b"<b>26 of 26</b>"
    submission.files["timestamp.txt"] = b"1970-01-01 00:00:00 UTC"


SHOWS = {"status": "graded", "repairs": set(), "flags": set()}
