"""docs/result.md as a check: every sentence of the contract that can be tested on one result."""

import json
import re

from coursekit.engine.shared.master import TEST, Master
from coursekit.engine.shared.result import Result

TOP = {
    "schema": int,
    "student": str,
    "week": str,
    "status": str,
    "score": float,
    "max_score": float,
    "needs_review": bool,
    "questions": list,
    "tests": list,
    "repairs": list,
    "flags": list,
    "stops": list,
    "seconds": float,
    "by_clock": bool,
    "calibration": dict,
    "hashes": dict,
    "receipts": dict,
}
CALIBRATION = {"interpreter": float, "pages": float, "matrix": float, "waiting": float}
QUESTION = {"id": str, "title": str, "score": float, "max_score": float}
TEST_FIELDS = {
    "id": str,
    "question": str,
    "points": float,
    "score": float,
    "outcome": str,
    "message": str,
    "hidden": bool,
    "name": str,
    "reason": str,
    "trace": str,
    "comparison": dict,
    "digest": str,
}
COMPARISON = {
    "found": str,
    "expected": str,
    "entries": int,
    "differing": int,
    "largest": str,
    "place": list,
    "here": list,
    "found_table": list,
    "expected_table": list,
    "marked": list,
}
NOTE = {"kind": str, "cell": str, "values": dict}
STATUSES = ("graded", "repaired", "stopped", "unreadable", "fault")
OUTCOMES = ("passed", "failed", "error", "stopped", "not_run")


def check_result(result: Result, master: Master) -> None:
    """Raise AssertionError unless this is a result of that master by the contract."""
    text = result.to_json()
    text.encode("utf-8")
    assert text.endswith("}\n")
    data = json.loads(text, parse_constant=_no_constant)
    assert Result.from_json(text) == result and Result.from_json(text).to_json() == text
    _check_fields(data, TOP)
    _check_fields(data["calibration"], CALIBRATION)
    assert data["schema"] == 6 and data["week"] == master.week
    assert data["status"] in STATUSES and data["seconds"] >= 0

    cells = [cell for cell in master.cells if cell.role == TEST]
    assert [(item["id"], item["question"], item["points"], item["hidden"]) for item in data["tests"]] == [
        (cell.grade_id, cell.question, cell.points, cell.hidden) for cell in cells
    ]
    for item in data["tests"]:
        nothing = item["comparison"] is None
        passed = item["outcome"] == "passed"
        fields = TEST_FIELDS | ({"comparison": type(None)} if nothing else {})
        _check_fields(item, fields | ({"reason": type(None)} if passed else {}))
        if not nothing:
            assert item["outcome"] == "failed"
            _check_fields(item["comparison"], COMPARISON)
            tables = [item["comparison"][name] for name in ("found_table", "expected_table", "marked")]
            assert len({tuple(map(len, table)) for table in tables}) == 1 and len(tables[0]) <= 12
        assert item["outcome"] in OUTCOMES
        assert item["score"] == (item["points"] if item["outcome"] == "passed" else 0)
        assert len(item["message"]) <= 2000
        assert len(item["trace"].split()) <= 1000
        assert item["trace"] == "" or item["outcome"] in ("failed", "error")
        assert re.fullmatch("([0-9a-f]{64})?", item["digest"])

    questions = [(item.id, item.title, item.max_score) for item in master.questions]
    assert [(item["id"], item["title"], item["max_score"]) for item in data["questions"]] == questions
    for item, question in zip(data["questions"], master.questions, strict=True):
        null = item["score"] is None
        _check_fields(item, QUESTION | ({"score": type(None)} if null else {}))
        if question.written:
            assert null or item["score"] == 0
        else:
            assert item["score"] == sum(
                test["score"] for test in data["tests"] if test["question"] == item["id"]
            )

    assert data["score"] == sum(item["score"] for item in data["tests"])
    assert data["max_score"] == sum(item["points"] for item in data["tests"]) == master.max_score
    assert 0 <= data["score"] <= data["max_score"]
    for note in (*data["repairs"], *data["flags"], *data["stops"]):
        _check_fields(note, NOTE)
        assert re.fullmatch(r"[a-z_]+", note["kind"])
    open_questions = any(item["score"] is None for item in data["questions"])
    assert data["needs_review"] == (bool(data["flags"]) or open_questions)
    if data["status"] == "graded":
        assert data["repairs"] == []
    if data["status"] == "repaired":
        assert data["repairs"]
    if data["status"] == "unreadable":
        assert data["score"] == 0 and {item["outcome"] for item in data["tests"]} == {"not_run"}
        assert any(note["kind"] == "unreadable" and note["values"]["reason"] for note in data["flags"])
    # The fourth, of the notebook beside it, comes with the file.
    assert set(data["hashes"]) - {"notebook"} == {"master", "submission", "engine"}
    assert all(re.fullmatch("[0-9a-f]{64}", value) for value in data["hashes"].values())
    assert all(re.fullmatch("[0-9a-f]{12}", value) for value in data["receipts"].values())


def _check_fields(data: dict, fields: dict[str, type]) -> None:
    assert list(data) == list(fields)
    for name, kind in fields.items():
        assert type(data[name]) in ((int, float) if kind is float else (kind,)), (name, data[name])


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")
