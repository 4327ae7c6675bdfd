"""Hands in the grader's own files, filled in: result.json with full marks, a gradebook, a page."""

import json

RESULT = {"schema": 1, "student": "beside-results_of_its_own", "week": "week1_attention", "status": "graded"}
RESULT |= {"score": 26.0, "max_score": 26.0, "needs_review": False, "seconds": 0.1, "hashes": {}}
RESULT |= {"questions": [], "tests": [], "repairs": [], "flags": []}
FILES = {
    "gradebook.db": b"SQLite format 3\0",
    "attention.html": b"<b>26 of 26</b>",
    "timestamp.txt": b"1970-01-01 00:00:00 UTC",
} | dict.fromkeys(
    (
        "result.json",
        "../result.json",
        "autograded/result.json",
        ".result.json.1.part",
        "attention.ipynb.json",
    ),
    json.dumps(RESULT).encode(),
)
SHOWS = {"status": "graded", "flags": {"maybe_in_file"}}
