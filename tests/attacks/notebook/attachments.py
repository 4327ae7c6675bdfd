"""Fills attachments, outputs and metadata with marks, paths and pictures that are none."""

from nbformat.v4 import new_output

SHOWS = {"status": "graded", "flags": {"picture_not_shown"}}


def attack(submission):
    for cell in submission.cells:
        cell["attachments"] = {
            "../../gradebook.db": {"image/png": "AAAA"},
            "x.ipynb": {"text/html": ["<b>26 / 26</b>"]},
            "y": 7,
        }
        cell["metadata"].update(
            score=1,
            auto_score=26,
            manual_score=26,
            extra_credit=100,
            late_submission_penalty=-26,
            max_score=0,
            checksum="passed",
        )
        if cell["cell_type"] == "code":
            cell["execution_count"] = -1
            cell["outputs"] = [
                new_output("execute_result", {"text/plain": "1.0"}, execution_count=1),
                {
                    "output_type": "display_data",
                    "data": {"image/png": {"a": 1}, "text/plain": 3},
                    "metadata": [],
                },
                {"output_type": ["stream"], "name": {}, "text": 5},
                "passed",
                None,
                7,
                [],
            ]
