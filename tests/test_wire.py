"""The wire carries plain data exactly, and nothing else."""

import collections
import contextlib
import math
import socket
from concurrent.futures import ThreadPoolExecutor

import msgpack
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from quick import first

from coursekit.engine.shared import frames, torch_values, wire
from coursekit.engine.shared.frames import WireError

hashable = st.none() | st.booleans() | st.integers() | st.text() | st.binary() | st.floats(allow_nan=False)
plain = st.recursive(
    hashable | st.floats() | st.complex_numbers(allow_nan=False),
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(hashable, inner)
        | st.sets(hashable)
        | st.frozensets(hashable)
    ),
    max_leaves=20,
)
arrays = hnp.arrays(
    st.sampled_from(["?", "i1", "<i8", ">i4", "u2", "f2", "f4", "f8", "c16"]),
    hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
)


def round_trip(value):
    codec = wire.Codec()
    return codec.decode(codec.encode(value))


def same(one, other) -> bool:
    """Equal in value and in exact type, all the way down."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return len(one) == len(other) and all(key in other and same(one[key], other[key]) for key in one)
    if isinstance(one, float) and math.isnan(one):
        return math.isnan(other)
    return one == other


@given(plain)
def test_plain_data_comes_back_the_same(value):
    assert same(round_trip(value), value)


@given(arrays)
def test_arrays_keep_values_dtype_and_shape(array):
    back = round_trip(array)
    assert type(back) is np.ndarray and back.shape == array.shape
    assert back.dtype == array.dtype.newbyteorder("<")
    np.testing.assert_array_equal(back, array)
    back[...] = 0  # it is the receiver's own


@pytest.mark.parametrize("dtype", torch_values.DTYPES.values())
@pytest.mark.parametrize("shape", [(), (0, 3), (2, 3, 4)])
def test_tensors_keep_values_dtype_and_shape(dtype, shape):
    tensor = (torch.arange(math.prod(shape)).reshape(shape) % 5).to(dtype)
    back = round_trip(tensor)
    assert type(back) is torch.Tensor and back.dtype == dtype and back.shape == tensor.shape
    assert torch.equal(back, tensor)


def test_a_transposed_tensor_and_a_parameter_are_sent_by_value():
    tensor = torch.arange(6.0).reshape(2, 3).T
    assert torch.equal(round_trip(tensor), tensor)
    back = round_trip(torch.nn.Parameter(tensor.clone()))
    assert type(back) is torch.Tensor and not back.requires_grad
    codec = wire.Codec(keep_grad=True)
    assert codec.decode(codec.encode(tensor.clone().requires_grad_())).requires_grad


def test_numpy_scalars_and_shapes():
    for scalar in (np.float32(0.5), np.int64(-3), np.bool_(True)):
        back = round_trip(scalar)
        assert type(back) is type(scalar) and back == scalar
    assert round_trip(torch.zeros(2, 3).shape) == (2, 3)
    assert round_trip(torch.float64) is torch.float64


class Liar(float):
    def __eq__(self, other):
        return True

    __hash__ = float.__hash__


@pytest.mark.parametrize("kind", [collections.Counter, collections.OrderedDict])
def test_the_library_s_own_dicts_travel_as_a_dict(kind):
    found = wire.Codec().decode(wire.Codec().encode(kind({"b": 1, "a": 2})))
    assert type(found) is dict and list(found.items()) == [("b", 1), ("a", 2)]


def test_masked_arrays_keep_their_mask():
    found = wire.Codec().decode(wire.Codec().encode(np.ma.masked_less(np.arange(6.0).reshape(2, 3), 2)))
    assert type(found) is np.ma.MaskedArray and found.tolist() == [[None, None, 2.0], [3.0, 4.0, 5.0]]
    forged = wire.msgpack.ExtType(wire.MASKED, wire.Codec().encode([np.zeros(2), np.zeros(3, bool)]))
    with pytest.raises(WireError):
        wire.Codec().decode(wire.msgpack.packb(forged))


@pytest.mark.parametrize(
    "value",
    [
        Liar(1.0),
        np.array([object()]),
        type("Sub", (np.ma.MaskedArray,), {})([1.0]),
        type("Sub", (collections.Counter,), {})("aab"),
        torch.nn.Linear(1, 1),
        object(),
        print,
        int,
        type("Sub", (torch.Tensor,), {})(),
        type("Sub", (list,), {})([1]),
        type("Sub", (dict,), {})(),
        [1, [Liar(2.0)]],
    ],
)
def test_what_is_not_plain_data_does_not_travel(value):
    with pytest.raises(TypeError):
        wire.Codec().encode(value)


@settings(max_examples=500)
@given(st.binary(max_size=200))
def test_any_bytes_decode_or_are_refused(data):
    with contextlib.suppress(WireError):
        wire.Codec().decode(data)


def ext(code, payload):
    return msgpack.packb(msgpack.ExtType(code, msgpack.packb(payload)))


@pytest.mark.parametrize("examples", first(1, [100, 500]))
def test_any_extension_decodes_or_is_refused(examples):
    @settings(max_examples=examples)
    @given(st.integers(0, 12), plain.filter(_packs))
    def decode(code, payload):
        with contextlib.suppress(WireError):
            wire.Codec().decode(ext(code, payload))

    decode()


def _packs(value) -> bool:
    try:
        msgpack.packb(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


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
    """Each list of it is within its own limit; together they would cost seconds and gigabytes."""
    monkeypatch.setattr(wire, "MAX_WORK", 10_000)
    lists = [[[]] * 90] * 90
    with pytest.raises(WireError, match="holds too much"):
        wire.Codec().decode(msgpack.packb([lists] * 2))
    assert wire.Codec().decode(msgpack.packb(lists[:40])) == lists[:40]
    many = [msgpack.ExtType(wire.TUPLE, msgpack.packb([]))] * (10_000 // wire.EXTENSION)
    with pytest.raises(WireError, match="holds too much"):
        wire.Codec().decode(msgpack.packb(many))


def test_bytes_inside_an_extension_count_at_every_depth(monkeypatch):
    monkeypatch.setattr(wire, "MAX_UNPACKED", 10_000)
    for depth, refused in ((2, False), (12, True)):
        value = bytes(1000)
        for _ in range(depth):
            value = (value,)
        data = wire.Codec().encode(value)
        if refused:
            with pytest.raises(WireError, match="holds too much"):
                wire.Codec().decode(data)
        else:
            assert wire.Codec().decode(data) == value


@pytest.mark.parametrize(("depth", "refused"), [(wire.MAX_DEPTH - 2, False), (wire.MAX_DEPTH + 2, True)])
def test_extensions_inside_extensions_have_a_depth(depth, refused):
    data = msgpack.packb([])
    for _ in range(depth):
        data = msgpack.packb(msgpack.ExtType(wire.TUPLE, b"\x91" + data))
    if refused:
        with pytest.raises(WireError, match="nested too deeply"):
            wire.Codec().decode(data)
    else:
        assert type(wire.Codec().decode(data)) is tuple


def test_whoever_sends_or_reads_no_frame_is_not_waited_for():
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
        (b"\0\0\0\2abc", WireError),  # and something behind it
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
