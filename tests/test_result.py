"""result.json is read only where it is what docs/result.md says, and docs/result.schema.json says the same."""

import json
import math
import string
from pathlib import Path

import jsonschema
import pytest
from small_course import result

from coursekit.engine.coordinator import sentences
from coursekit.engine.shared.reasons import (
    NOTE_VALUES,
    UNREADABLE_VALUES,
    Flag,
    Repair,
    Stop,
    TestReason,
    Unreadable,
)
from coursekit.engine.shared.result import Note, Result, json_bytes, json_schema

SCHEMA = Path(__file__).parent.parent / "docs" / "result.schema.json"
CONTRACT = SCHEMA.with_name("result.md").read_text(encoding="utf-8")
GOOD = result("ada", flags=[Note("several_answers", cell="double", values={"count": 2})])


def without(*path):
    def change(data):
        for step in path[:-1]:
            data = data[step]
        data.pop(path[-1])

    return change


def put(value, *path):
    def change(data):
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = value

    return change


WRONG = [
    *(without(name) for name in json.loads(GOOD.to_json())),
    *(without("tests", 0, name) for name in json.loads(GOOD.to_json())["tests"][0]),
    put(1, "schema"),
    put(None, "student"),
    put("lost", "status"),
    put(True, "score"),
    put("odd", "tests", 0, "outcome"),
    put("more", "tests", 0, "colour"),
    put("more", "colour"),
    put([["several_answers", "double", {"count": 2}]], "flags"),
    put([2], "flags", 0, "values", "count"),
    put("odd", "tests", 0, "reason"),
    put(["master"], "hashes"),
]


def test_the_schema_in_the_docs_is_current():
    assert SCHEMA.read_text(encoding="utf-8") == json_schema(), (
        "Run `.venv/bin/python -m coursekit.engine.shared.result > docs/result.schema.json`."
    )


def test_what_is_written_is_read_and_agrees_with_the_schema():
    for some in (GOOD, result("bo", status="unreadable"), Result("", "w", "graded", 0, 0, False)):
        assert Result.from_json(some.to_json()) == some
        jsonschema.validate(json.loads(some.to_json()), json.loads(SCHEMA.read_text()))


@pytest.mark.parametrize("change", WRONG)
def test_what_is_not_a_result_is_refused_by_reader_and_schema(change, tmp_path):
    data = json.loads(GOOD.to_json())
    change(data)
    with pytest.raises(ValueError, match="not a result of schema 7"):
        Result.from_json(json.dumps(data))
    (tmp_path / "result.json").write_text(json.dumps(data))
    assert Result.read(tmp_path / "result.json") is None
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, json.loads(SCHEMA.read_text()))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "3", "[" * 100_000])
def test_what_is_no_object_is_no_result(text, tmp_path):
    (tmp_path / "result.json").write_text(text)
    assert Result.read(tmp_path / "result.json") is None


def test_half_a_surrogate_pair_and_nan_are_written_all_the_same():
    assert json_bytes({"text": "ä\ud800"}) == '{"text":"ä?"}'.encode()
    assert json.loads(json_bytes(["\udfff", 10**40, math.nan]))[:2] == ["?", 10**40]


CODES = [*Repair, *Flag, *Stop]


@pytest.mark.parametrize("code", CODES, ids=lambda code: f"{type(code).__name__}-{code}")
def test_each_kind_of_note_has_a_sentence_that_names_its_values(code):
    if code == Flag.UNREADABLE:
        return
    assert named_in(sentences.NOTES[code]) == set(NOTE_VALUES.get(code, ()))
    assert f"`{code}`" in CONTRACT


def test_each_reason_has_a_sentence_and_is_in_the_contract():
    assert set(sentences.UNREADABLE) == set(Unreadable) and set(sentences.MESSAGES) == set(TestReason)
    for code in Unreadable:
        assert named_in(sentences.UNREADABLE[code]) == set(UNREADABLE_VALUES.get(code, ()))
    for code in (*Unreadable, *TestReason):
        assert f"`{code}`" in CONTRACT
    assert set(sentences.NOTES) == set(CODES) - {Flag.UNREADABLE}


def named_in(template):
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_a_note_of_another_version_has_no_sentence():
    for note in (Note("brand_new"), Note("renamed_file"), Note("unreadable", values={"reason": "odd"})):
        assert sentences.sentence(note) == ""
    assert sentences.sentence(Note("renamed_file", values={"name": "{x}"})).endswith("as '{x}'.")
