"""What the fuzz tests draw: JSON of any shape, notebooks after any sequence of edits, values, broken bytes."""

import copy
import json

import numpy as np
import torch
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

KEYS = (
    "cells",
    "cell_type",
    "metadata",
    "source",
    "outputs",
    "id",
    "nbgrader",
    "tags",
    "worksheets",
    "nbformat",
)
KEYS += ("grade", "grade_id", "points", "solution", "locked", "task", "schema_version", "attachments", "x")
KINDS = ("code", "markdown", "raw", "heading", "CODE", "")

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from([*KEYS, *KINDS, "double", "triple", "double_values", "\ud800"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=8,
)


@st.composite
def edited(draw, notebook: dict, most: int = 8) -> bytes:
    """The bytes of a notebook after some edits: of its cells, of its JSON, of its bytes."""
    notebook = copy.deepcopy(notebook)
    for _ in range(draw(st.integers(0, most))):
        edit = draw(st.sampled_from(EDITS))
        cells = notebook.get("cells") if isinstance(notebook, dict) else None
        if edit is inject or not isinstance(cells, list) or not cells:
            notebook = inject(draw, notebook)
        else:
            edit(draw, cells, draw(st.integers(0, len(cells) - 1)))
    text = json.dumps(notebook, ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 1])))
    if deep := draw(st.sampled_from([0] * 12 + [900, 3000, 100_000])):
        text = text.replace(draw(st.sampled_from(["{}", "null", "[]", "4"])), "[" * deep + "]" * deep, 1)
    encoding = draw(st.sampled_from(["utf-8"] * 6 + ["utf-8-sig", "utf-16", "utf-16-be", "latin-1"]))
    data = text.encode(encoding, "backslashreplace")
    if draw(st.integers(0, 5)) == 0:
        data = draw(broken(data))
    return data


def delete(draw, cells, place):
    del cells[place]


def duplicate(draw, cells, place):
    cells.insert(draw(st.integers(0, len(cells))), copy.deepcopy(cells[place]))


def move(draw, cells, place):
    cells.insert(draw(st.integers(0, len(cells) - 1)), cells.pop(place))


def split(draw, cells, place):
    source = _source(cells[place])
    cut = draw(st.integers(0, len(source)))
    rest = copy.deepcopy(cells[place])
    if isinstance(rest, dict):
        cells[place]["source"], rest["source"] = source[:cut], source[cut:]
        if draw(st.booleans()):
            rest["metadata"] = {}
    cells.insert(place + 1, rest)


def merge(draw, cells, place):
    other = cells.pop(draw(st.integers(0, len(cells) - 1)))
    if cells and isinstance(target := cells[min(place, len(cells) - 1)], dict):
        target["source"] = _source(target) + "\n" + _source(other)


def retype(draw, cells, place):
    _set(cells[place], "cell_type", draw(st.sampled_from(KINDS) | json_values))


def edit_metadata(draw, cells, place):
    value = draw(json_values)
    metadata = cells[place].get("metadata") if isinstance(cells[place], dict) else None
    if isinstance(metadata, dict) and draw(st.booleans()):
        grader = metadata.get("nbgrader")
        target = grader if isinstance(grader, dict) and draw(st.booleans()) else metadata
        target[draw(st.sampled_from(KEYS))] = value
    else:
        _set(cells[place], "metadata", value)


def edit_ids(draw, cells, place):
    other = cells[draw(st.integers(0, len(cells) - 1))]
    theirs = other.get("id") if isinstance(other, dict) else None
    _set(cells[place], "id", draw(st.sampled_from([theirs, "", "double", "setup"]) | json_values))


def edit_source(draw, cells, place):
    lines = _source(cells[place]).splitlines(keepends=True)
    _set(cells[place], "source", draw(st.sampled_from([lines, [], "", "\x00", "def f(:"]) | json_values))


def add_cell(draw, cells, place):
    more = draw(st.dictionaries(st.sampled_from(KEYS), json_values, max_size=3))
    cells.insert(place, {"cell_type": "code", "source": draw(st.text(max_size=30)), **more})


def inject(draw, notebook):
    """Put JSON anywhere, at any depth; sometimes deep itself."""
    value = draw(json_values)
    for _ in range(draw(st.sampled_from([0] * 8 + [30, 200]))):
        value = {"x": value}
    place = notebook
    while isinstance(place, dict | list) and place:
        keys = list(place) if isinstance(place, dict) else range(len(place))
        key = keys[draw(st.integers(0, len(keys) - 1))]
        if not isinstance(place[key], dict | list) or not place[key] or draw(st.integers(0, 3)) == 0:
            place[key] = value
            return notebook
        place = place[key]
    return value


EDITS = (delete, duplicate, move, split, merge, retype, edit_metadata, edit_metadata, edit_ids, edit_source)
EDITS += (add_cell, inject)


def _source(cell) -> str:
    source = cell.get("source") if isinstance(cell, dict) else ""
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))


def _set(cell, key, value) -> None:
    if isinstance(cell, dict):
        cell[key] = value


@st.composite
def broken(draw, data: bytes) -> bytes:
    """Bytes cut off, changed, repeated or put in."""
    data = bytearray(data)
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(data)))
        some = slice(place, place + draw(st.integers(1, 40)))
        match draw(st.sampled_from(["cut", "flip", "put in", "repeat", "leave out"])):
            case "cut":
                del data[place:]
            case "flip" if place < len(data):
                data[place] ^= 1 << draw(st.integers(0, 7))
            case "put in":
                data[place:place] = draw(st.binary(max_size=8))
            case "repeat":
                data[place:place] = data[some]
            case "leave out":
                del data[some]
    return bytes(data)


numbers = st.integers(-(2**200), 2**200) | st.floats(allow_nan=False)
hashable = st.recursive(
    st.none() | st.booleans() | numbers | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner, max_size=3),
    max_leaves=4,
)
arrays = hnp.arrays(
    st.sampled_from(["?", "i1", "<i8", ">i4", "u2", "f2", "f4", "f8", "c8", "c16"]),
    hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
)
TORCH = (
    *(torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64),
    *(torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128),
)


@st.composite
def tensors(draw) -> torch.Tensor:
    numbers = draw(hnp.arrays("i2", hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)))
    tensor = torch.from_numpy(np.ascontiguousarray(numbers)).to(draw(st.sampled_from(TORCH)))
    return tensor.transpose(0, -1) if tensor.dim() and draw(st.booleans()) else tensor


plain = st.recursive(
    hashable
    | st.floats()
    | st.complex_numbers()
    | arrays
    | arrays.filter(lambda array: array.size).map(lambda array: array.reshape(-1)[0])
    | tensors()
    | st.sampled_from(TORCH),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(hashable, inner, max_size=4)
        | st.sets(hashable, max_size=4)
    ),
    max_leaves=12,
)
