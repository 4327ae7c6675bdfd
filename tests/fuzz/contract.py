"""docs/result.md as a check: every sentence of the contract that can be tested on one result."""

import json
import re
from pathlib import Path

import jsonschema

from coursekit.engine.shared.master import TEST, Master
from coursekit.engine.shared.result import Result

ROOT = Path(__file__).parent.parent.parent
# Every field with its type, and no other; tests/test_result.py holds that it is current.
SCHEMA = json.loads((ROOT / "docs" / "result.schema.json").read_text(encoding="utf-8"))


def check_result(result: Result, master: Master) -> None:
    """Raise an exception unless this is a result of that master by the contract."""
    text = result.to_json()
    text.encode("utf-8")
    assert text.endswith("}\n")
    data = json.loads(text, parse_constant=_no_constant)
    jsonschema.validate(data, SCHEMA)
    assert Result.from_json(text) == result and Result.from_json(text).to_json() == text
    assert data["week"] == master.week and data["seconds"] >= 0

    cells = [cell for cell in master.cells if cell.role == TEST]
    assert [(item["id"], item["question"], item["points"], item["hidden"]) for item in data["tests"]] == [
        (cell.grade_id, cell.question, cell.points, cell.hidden) for cell in cells
    ]
    for item in data["tests"]:
        passed = item["outcome"] == "passed"
        assert item["score"] == (item["points"] if passed else 0)
        assert (item["reason"] is None) == passed and bool(item["message"]) != passed
        assert len(item["message"]) <= 2000 and len(item["trace"].split()) <= 1000
        assert item["trace"] == "" or item["outcome"] in ("failed", "error")
        assert re.fullmatch("([0-9a-f]{64})?", item["digest"])
        if item["comparison"] is not None:
            assert item["outcome"] == "failed"
            tables = [item["comparison"][name] for name in ("found_table", "expected_table", "marked")]
            assert len({tuple(map(len, table)) for table in tables}) == 1 and len(tables[0]) <= 12

    questions = [(item.id, item.title, item.max_score) for item in master.questions]
    assert [(item["id"], item["title"], item["max_score"]) for item in data["questions"]] == questions
    for item, question in zip(data["questions"], master.questions, strict=True):
        earned = sum(test["score"] for test in data["tests"] if test["question"] == item["id"])
        assert item["score"] in ((None, 0) if question.written else (earned,))

    assert data["score"] == sum(item["score"] for item in data["tests"])
    assert data["max_score"] == sum(item["points"] for item in data["tests"]) == master.test_points
    for note in (*data["repairs"], *data["flags"], *data["stops"]):
        assert re.fullmatch(r"[a-z_]+", note["kind"])
    waiting = any(item["score"] is None for item in data["questions"])
    assert data["needs_review"] == (bool(data["flags"]) or waiting)
    if data["status"] in ("graded", "repaired"):
        assert bool(data["repairs"]) == (data["status"] == "repaired")
    if data["status"] == "unreadable":
        assert data["score"] == 0 and {item["outcome"] for item in data["tests"]} == {"not_run"}
        assert any(note["kind"] == "unreadable" and note["values"]["reason"] for note in data["flags"])
    # The fourth, of the notebook beside it, comes with the file.
    assert set(data["hashes"]) - {"notebook"} == {"master", "submission", "engine"}
    assert all(re.fullmatch("[0-9a-f]{64}", value) for value in data["hashes"].values())
    assert all(re.fullmatch("[0-9a-f]{12}", value) for value in data["receipts"].values())


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")
