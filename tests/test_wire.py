"""The wire: what travels and what does not. tests/fuzz/test_fuzz_wire.py tries any value and any bytes."""

import collections
import contextlib
import enum
import socket
from concurrent.futures import ThreadPoolExecutor

import msgpack
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from coursekit.engine.shared import frames, torch_values, wire
from coursekit.engine.shared.frames import WireError


def round_trip(value):
    codec = wire.Codec()
    return codec.decode(codec.encode(value))


def test_a_transposed_tensor_and_a_parameter_are_sent_by_value():
    tensor = torch.arange(6.0).reshape(2, 3).T
    assert torch.equal(round_trip(tensor), tensor)
    back = round_trip(torch.nn.Parameter(tensor.clone()))
    assert type(back) is torch.Tensor and not back.requires_grad
    codec = wire.Codec(keep_requires_grad=True)
    assert codec.decode(codec.encode(tensor.clone().requires_grad_())).requires_grad


def test_a_shape_is_a_tuple_and_an_array_is_the_receivers_own():
    assert round_trip(torch.zeros(2, 3).shape) == (2, 3)
    back = round_trip(np.ones(2))
    back[0] = 0
    assert back.tolist() == [0, 1]


class Liar(float):
    def __eq__(self, other):
        return True

    __hash__ = float.__hash__


def test_the_librarys_own_dicts_travel_as_a_dict():
    for kind in (collections.Counter, collections.OrderedDict):
        found = round_trip(kind({"b": 1, "a": 2}))
        assert type(found) is dict and list(found.items()) == [("b", 1), ("a", 2)]


class Weekday(enum.IntEnum):
    MONDAY = 1


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Liar(1.0), 1.0),
        ([1, [Liar(2.0)]], [1, [2.0]]),
        (Weekday.MONDAY, 1),
        (enum.StrEnum("Word", ["CAT"]).CAT, "cat"),
        (type("Sub", (bytes,), {})(b"1"), b"1"),
        (type("Sub", (list,), {})([1]), [1]),
        (type("Sub", (dict,), {})(a=1), {"a": 1}),
        (type("Sub", (set,), {})({1}), {1}),
    ],
)
def test_a_value_of_a_subclass_is_sent_as_one_of_its_base(value, expected):
    """Nothing of the class is sent, so it cannot lie about the value."""
    found = round_trip(value)
    assert type(found) is type(expected) and found == expected


def test_an_array_or_a_tensor_of_a_subclass_is_sent_as_one():
    class Mask(torch.Tensor):
        def __eq__(self, other):
            return True

    found = round_trip(torch.ones(2, 3).bool().as_subclass(Mask))
    assert type(found) is torch.Tensor and found.tolist() == [[True] * 3] * 2
    found = round_trip(np.matrix([[1.0, 2.0]]))
    assert type(found) is np.ndarray and found.tolist() == [[1.0, 2.0]]


def test_masked_arrays_keep_their_mask():
    found = round_trip(np.ma.masked_less(np.arange(6.0).reshape(2, 3), 2))
    assert type(found) is np.ma.MaskedArray and found.tolist() == [[None, None, 2.0], [3.0, 4.0, 5.0]]
    forged = wire.msgpack.ExtType(wire.MASKED, wire.Codec().encode([np.zeros(2), np.zeros(3, bool)]))
    with pytest.raises(WireError):
        wire.Codec().decode(wire.msgpack.packb(forged))


@pytest.mark.parametrize(
    "value",
    [
        np.array([object()]),
        type("Sub", (collections.Counter,), {})("aab"),
        torch.nn.Linear(1, 1),
        object(),
        print,
        int,
        type("Sub", (list,), {"__iter__": lambda self: iter([2])})([1]),
        type("Sub", (dict,), {"look_up": dict.get})(),
    ],
)
def test_what_is_not_plain_data_does_not_travel(value):
    with pytest.raises(TypeError):
        wire.Codec().encode(value)


def ext(code, payload):
    return msgpack.packb(msgpack.ExtType(code, msgpack.packb(payload)))


@pytest.mark.parametrize(
    "frame",
    [
        ext(wire.ARRAY, ["<f4", [1000, 1000], b"1234"]),
        ext(wire.ARRAY, ["<f4", [-1], b""]),
        ext(wire.ARRAY, ["<f4", [2**40, 0], b""]),
        ext(wire.ARRAY, ["|O", [1], b"12345678"]),
        ext(wire.ARRAY, ["<f4", [1] * 40, b"1234"]),
        ext(torch_values.TENSOR, ["float32", [2], b"1234", False]),
        ext(torch_values.TENSOR, ["quint8", [4], b"1234", False]),
        ext(wire.REFERENCE, [0, "x"]),
        ext(99, 0),
        msgpack.packb([[]] * (wire.MAX_ITEMS + 1)),
        b"\xdd\xff\xff\xff\xff",  # an array that claims four billion entries
        b"\x91" * 10_000,  # nested ten thousand deep
    ],
)
def test_frames_that_lie_are_refused(frame):
    with pytest.raises(WireError):
        wire.Codec().decode(frame)


def test_a_boolean_of_any_byte_is_a_boolean():
    array = wire.Codec().decode(ext(wire.ARRAY, ["|b1", [2], b"\x00\x07"]))
    assert array.tolist() == [False, True] and array.view(np.uint8).tolist() == [0, 1]
    tensor = wire.Codec().decode(ext(torch_values.TENSOR, ["bool", [2], b"\x00\x07", False]))
    assert tensor.tolist() == [False, True] and (~tensor).tolist() == [True, False]


def test_too_large_a_value_is_refused_before_it_is_sent():
    with pytest.raises(WireError, match="too large"):
        wire.Codec().encode(np.zeros(wire.MAX_FRAME // 8 + 1))


def test_a_frame_of_very_many_values_is_refused_though_it_is_small(monkeypatch):
    """Each of its lists is within its own limit; together they would cost seconds and gigabytes."""
    monkeypatch.setattr(wire, "MAX_WORK", 10_000)
    lists = [[[]] * 90] * 90
    many = [msgpack.ExtType(wire.TUPLE, msgpack.packb([]))] * (10_000 // wire.EXTENSION_WORK)
    for value in ([lists] * 2, many):
        with pytest.raises(WireError, match="holds too much"):
            wire.Codec().decode(msgpack.packb(value))
    assert wire.Codec().decode(msgpack.packb(lists[:40])) == lists[:40]


def test_bytes_inside_an_extension_count_at_every_depth(monkeypatch):
    monkeypatch.setattr(wire, "MAX_UNPACKED", 10_000)
    value = ((bytes(1000),),)
    assert round_trip(value) == value
    for _ in range(10):
        value = (value,)
    with pytest.raises(WireError, match="holds too much"):
        round_trip(value)


def test_extensions_inside_extensions_have_a_depth():
    data = msgpack.packb([])
    for depth in range(wire.MAX_DEPTH + 2):
        if depth == wire.MAX_DEPTH - 2:
            assert type(wire.Codec().decode(data)) is tuple
        data = msgpack.packb(msgpack.ExtType(wire.TUPLE, b"\x91" + data))
    with pytest.raises(WireError, match="nested too deeply"):
        wire.Codec().decode(data)


@pytest.mark.slow
def test_a_peer_that_sends_or_reads_no_frame_is_not_waited_for():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        frames.set_time_out(ours, 1)
        with pytest.raises(BlockingIOError):
            frames.receive(ours)
        with pytest.raises(BlockingIOError):
            frames.send(ours, bytes(1 << 24))


@given(
    size=st.sampled_from([0, 1, 8187, 8188, 8189, 100_000]) | st.integers(0, 50_000),
    pieces=st.lists(st.integers(1, 9_000)),
)
def test_a_reply_is_read_whole_in_whatever_pieces_it_comes(size, pieces):
    reply = bytes(range(256)) * (size // 256) + bytes(size % 256)
    rest = len(reply).to_bytes(4, "big") + reply
    ours, theirs = socket.socketpair()
    with ours, theirs, ThreadPoolExecutor(1) as pool:
        came = pool.submit(frames.receive_reply, ours, size)
        for piece in pieces:
            theirs.sendall(rest[:piece])
            rest = rest[piece:]
        theirs.sendall(rest)
        assert came.result(10) == reply


@pytest.mark.parametrize(
    ("sent", "wrong"),
    [
        (b"\0\0\0\2ab", None),
        (b"\0\0\0\3abc", WireError),  # larger than it may be
        (b"\xff\xff\xff\xff", WireError),
        (b"\0\0\0\2abc", WireError),  # and something after it
        (b"\0\0\0\1a\0\0\0\1b", WireError),
        (b"\0\0\0\2a", EOFError),
        (b"\0\0\0", EOFError),
        (b"", EOFError),
    ],
)
def test_a_reply_is_one_frame_and_nothing_more(sent, wrong):
    ours, theirs = socket.socketpair()
    with ours:
        theirs.sendall(sent)
        theirs.close()
        with pytest.raises(wrong) if wrong else contextlib.nullcontext():
            assert frames.receive_reply(ours, 2) == b"ab"
