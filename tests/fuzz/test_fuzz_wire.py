"""The wire: any bytes give plain data or a WireError, soon and in little memory; what can travel comes back equal."""

import math
import time
import tracemalloc

import msgpack
import numpy as np
import pytest
import torch
from amount import amount
from hypothesis import event, example, given
from hypothesis import strategies as st
from strategies import broken, plain

from coursekit.engine.shared import wire
from coursekit.engine.shared.frames import MAX_FRAME, WireError

PLAIN = (type(None), bool, int, float, complex, str, bytes, list, tuple, set, frozenset, dict)


class Reference:
    """What the examiner's hook makes of a reference: of our own making, whatever the other side sent."""

    def __init__(self, code, number, name):
        assert type(code) is int and type(number) is int and type(name) is str


def check_plain(value) -> None:
    """Raise AssertionError unless all of a value is of the types that may travel, exactly."""
    kind = type(value)
    if kind in (list, tuple, set, frozenset):
        for item in value:
            check_plain(item)
    elif kind is dict:
        check_plain(list(value.items()))
    elif kind is np.ndarray or isinstance(value, np.generic):
        assert value.dtype.kind in "biufc" and (kind is np.ndarray or kind is value.dtype.type)
    elif kind is torch.Tensor:
        assert value.layout is torch.strided and value.device.type == "cpu" and value.grad_fn is None
    else:
        assert kind in PLAIN or kind in (torch.dtype, Reference), kind


def same(one, other) -> bool:
    """Whether two values are equal in value and in exact type at every depth; nan equals nan."""
    if type(one) is not type(other):
        return False
    if isinstance(one, torch.Tensor):
        return one.dtype == other.dtype and torch.equal(_bits(one), _bits(other)) and one.shape == other.shape
    if isinstance(one, np.ndarray | np.generic):
        ours, theirs = (item.astype(item.dtype.newbyteorder("<")) for item in (one, other))
        return (
            ours.dtype == theirs.dtype and ours.shape == theirs.shape and ours.tobytes() == theirs.tobytes()
        )
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return len(one) == len(other) and all(key in other and same(one[key], other[key]) for key in one)
    if isinstance(one, complex):
        return same(one.real, other.real) and same(one.imag, other.imag)
    if isinstance(one, float) and math.isnan(one):
        return math.isnan(other)
    return one == other


def _bits(tensor: torch.Tensor) -> torch.Tensor:
    flat = tensor.contiguous().reshape(-1)
    return flat.view(torch.uint8) if flat.numel() else flat.to(torch.uint8)


def decoded(data: bytes):
    """What comes of a frame; the time and the types are checked."""
    started = time.process_time()
    try:
        value = wire.Codec(resolve=Reference).decode(data)
    except WireError:
        event("refused")
        return None
    finally:
        assert time.process_time() - started < 1
    event("decoded")
    check_plain(value)
    return value


def ext(code: int, payload: bytes) -> bytes:
    return msgpack.packb(msgpack.ExtType(code, payload))


def _raw_ext(code: int, payload: bytes) -> bytes:
    return b"\xc9" + len(payload).to_bytes(4, "big") + bytes([code & 255]) + payload


payloads = st.recursive(
    st.binary(max_size=12) | plain.map(lambda value: wire.Codec().encode(value)),
    lambda inner: (
        st.just(msgpack.packb(msgpack.Timestamp(1, 2)))
        | st.builds(_raw_ext, st.integers(-128, 127) | st.integers(0, 12), inner)
        | st.lists(inner, max_size=3).map(lambda items: bytes([0x90 + len(items)]) + b"".join(items))
        | st.lists(inner, max_size=3).map(lambda items: bytes([0x80 + len(items) // 2]) + b"".join(items))
    ),
    max_leaves=8,
)


@amount(150, 1500)
def test_any_bytes(tries):
    @tries
    @example(b"\xd6\xff\x00\x00\x00\x01")  # msgpack's own timestamp
    @example(b"\xc7\x0c\xff" + b"\xff" * 12)
    @example(b"\x81\x90\x00")  # a list as a key
    @example(b"\x82\x01\x00\xc3\x00")  # two keys that are equal
    @given(st.binary(max_size=300) | payloads)
    def check(data):
        decoded(data)

    check()


@amount(100, 1000)
def test_broken_frames(tries):
    @tries
    @given(plain.map(lambda value: wire.Codec().encode(value)).flatmap(broken))
    def check(data):
        decoded(data)

    check()


@amount(100, 1000)
def test_what_can_travel_comes_back_equal(tries):
    @tries
    @given(plain)
    def check(value):
        codec = wire.Codec()
        back = codec.decode(codec.encode(value))
        check_plain(back)
        assert same(back, value)

    check()


def nested(code: int, payload: bytes, depth: int) -> bytes:
    for _ in range(depth):
        payload = ext(code, payload)
    return payload


FULL = MAX_FRAME - 1024
ROW = b"\xdd" + wire.MAX_ITEMS.to_bytes(4, "big")


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: nested(0, msgpack.packb(b"x" * FULL), 8), id="large inside many"),
        pytest.param(lambda: nested(0, b"\x90", 5000), id="five thousand deep"),
        pytest.param(lambda: b"\xdc\x00\x90" + (ROW + b"\x90" * wire.MAX_ITEMS) * 0x90, id="empty lists"),
        pytest.param(lambda: b"\xdc\x00\x90" + (ROW + b"\x80" * wire.MAX_ITEMS) * 0x90, id="empty dicts"),
        pytest.param(lambda: b"\x94" + (ROW + ext(3, b"\xc4\x01\x01") * wire.MAX_ITEMS) * 4, id="numbers"),
        pytest.param(lambda: b"\x91" * FULL, id="one in one in one"),
        pytest.param(lambda: b"\xdf\xff\xff\xff\xff" * 1000, id="dicts of four billion"),
    ],
)
def test_what_a_frame_costs_is_bounded(make):
    """In time, since no limit cuts what runs in C, and in memory, at most a few times that of the largest frame."""
    data = make()
    assert len(data) <= MAX_FRAME
    tracemalloc.start()
    started = time.process_time()
    try:
        with pytest.raises(WireError):
            wire.Codec().decode(data)
        seconds, (_, peak) = time.process_time() - started, tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert seconds < 20, seconds
    assert peak < 12 * MAX_FRAME, peak
