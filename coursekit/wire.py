"""Plain data between the student kernel and the examiner: exact types, rebuilt from bytes.

Values are packed by msgpack and sent as frames (`frames.py`). What msgpack has no word for travels as an extension
type. Decoding never calls code that the other side chose: no pickle, no eval, no class names; a dtype is looked up
in a table, a shape must agree with the number of bytes. Both ends may put in hooks for values that stay where they
are (see `Codec`).
"""

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

import msgpack
import numpy as np
import torch

from coursekit.frames import MAX_FRAME, WireError

MAX_ITEMS = 200_000  # entries of one list, set or dict
MAX_DEPTH = 40  # containers inside containers
# What decoding one frame may cost: in C, where no time limit cuts it, so it has to end by itself.
MAX_WORK = 2_000_000  # entries of all its containers together; an extension counts as EXTENSION of them
EXTENSION = 10
MAX_UNPACKED = 4 * MAX_FRAME  # bytes, those of an extension inside an extension counted again

# Extension codes. 0 to 9 are plain data, from 10 on references.
TUPLE, SET, FROZENSET, BIG_INT, COMPLEX, ARRAY, SCALAR, TENSOR, DTYPE, MASKED = range(10)
REFERENCE, FUNCTION = 10, 11

_ARRAY_DTYPES = {
    np.dtype(name).str: np.dtype(name)
    for name in (
        *("bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"),
        *("f2", "f4", "f8", "c8", "c16"),
    )
}
_TENSOR_DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        *(torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64),
        *(torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128),
    )
}


class Codec:
    """Turns values into bytes and back.

    Args:
        refer: called with an object that is not plain data; gives (REFERENCE or FUNCTION, number, type name).
            Raises TypeError where such an object may not travel.
        resolve: called with the same triple when a frame is decoded; gives the object that stands for it.
        keep_grad: send a tensor's requires_grad flag. The examiner does; what comes back is detached.

    >>> codec = Codec()
    >>> codec.decode(codec.encode((1, 2.5, {"a": [True, None]})))
    (1, 2.5, {'a': [True, None]})
    """

    def __init__(
        self,
        refer: Callable[[Any], tuple[int, int, str]] | None = None,
        resolve: Callable[[int, int, str], Any] | None = None,
        keep_grad: bool = False,
    ):
        self._keep_grad = keep_grad
        self._work = self._bytes = 0  # what the frame that is being decoded may still cost
        self._refer = refer or _refuse
        self._resolve = resolve or _refuse_reference

    def encode(self, value: Any) -> bytes:
        """Bytes of a value.

        Raises:
            TypeError: something in it cannot travel.
            WireError: it is too large, or too deep.
        """
        try:
            data = self._pack(value, 0)
        except (ValueError, OverflowError, RecursionError) as error:
            raise WireError(f"a value cannot be sent: {error}") from error
        if len(data) > MAX_FRAME:
            raise WireError(f"a value of {len(data) >> 20} MiB is too large to be sent")
        return data

    def decode(self, data: bytes) -> Any:
        """The value behind bytes that may come from an enemy.

        Raises:
            WireError: anything that is not a well-formed frame.
        """
        if len(data) > MAX_FRAME:
            raise WireError("a frame is too large")
        self._work, self._bytes = MAX_WORK, MAX_UNPACKED
        try:
            return self._unpack(data, 0)
        except WireError:
            raise
        except Exception as error:  # whatever malformed bytes set off, it is the frame's fault
            raise WireError(f"malformed frame: {type(error).__name__}") from error

    def _pack(self, value: Any, depth: int) -> bytes:
        if depth > MAX_DEPTH:
            raise ValueError("it is nested too deeply")
        return msgpack.packb(
            value,
            strict_types=True,
            unicode_errors="surrogatepass",
            default=lambda other: self._extend(other, depth),
        )

    def _extend(self, value: Any, depth: int) -> msgpack.ExtType:
        kind = type(value)

        def ext(code: int, payload: Any) -> msgpack.ExtType:
            return msgpack.ExtType(code, self._pack(payload, depth + 1))

        if isinstance(value, tuple):  # a named tuple: what its class would say does not travel
            return ext(TUPLE, list(tuple.__iter__(value)))
        if kind in (Counter, OrderedDict, defaultdict):
            return dict(dict.items(value))
        if kind is set:
            return ext(SET, list(value))
        if kind is frozenset:
            return ext(FROZENSET, list(value))
        if kind is int:
            if value.bit_length() > 4096:
                raise ValueError("it holds an integer of more than 4096 bits")
            return ext(BIG_INT, value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))
        if kind is complex:
            return ext(COMPLEX, [value.real, value.imag])
        if kind is np.ndarray and value.dtype.newbyteorder("<").str in _ARRAY_DTYPES:
            array = value.astype(value.dtype.newbyteorder("<"), copy=False)
            return ext(ARRAY, [array.dtype.str, list(array.shape), array.tobytes()])
        if kind is np.ma.MaskedArray:
            return ext(MASKED, [np.ndarray.view(value, np.ndarray), np.ma.getmaskarray(value)])
        if isinstance(value, np.generic) and value.dtype.str in _ARRAY_DTYPES and kind is value.dtype.type:
            return ext(SCALAR, [value.dtype.str, value.tobytes()])
        if kind is torch.Tensor or kind is torch.nn.Parameter:
            name = str(value.dtype).removeprefix("torch.")
            if name in _TENSOR_DTYPES and value.layout is torch.strided and not value.is_meta:
                flat = value.detach().cpu().resolve_conj().resolve_neg().contiguous().reshape(-1)
                data = flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b""
                return ext(TENSOR, [name, list(value.shape), data, self._keep_grad and value.requires_grad])
        if kind is torch.dtype and str(value).removeprefix("torch.") in _TENSOR_DTYPES:
            return ext(DTYPE, str(value).removeprefix("torch."))
        code, number, name = self._refer(value)
        return ext(code, [number, name])

    def _unpack(self, data: bytes, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise WireError("a frame is nested too deeply")
        self._bytes -= len(data)
        self._spend(EXTENSION)
        return msgpack.unpackb(
            data,
            ext_hook=lambda code, payload: self._restore(code, payload, depth),
            list_hook=self._count,
            object_hook=self._count,
            timestamp=1,  # msgpack's own type for a time: a float, not an object
            strict_map_key=False,
            unicode_errors="surrogatepass",
            max_array_len=MAX_ITEMS,
            max_map_len=MAX_ITEMS,
        )

    def _count(self, container: Any) -> Any:
        """Called with each list and dict as soon as it is complete."""
        self._spend(1 + len(container))
        return container

    def _spend(self, work: int) -> None:
        self._work -= work
        if self._work < 0 or self._bytes < 0:
            raise WireError("a frame holds too much")

    def _restore(self, code: int, payload: bytes, depth: int) -> Any:
        value = self._unpack(payload, depth + 1)
        if code in (TUPLE, SET, FROZENSET):
            return {TUPLE: tuple, SET: set, FROZENSET: frozenset}[code](_expect(value, list))
        if code == BIG_INT:
            return int.from_bytes(_expect(value, bytes)[:520], "big", signed=True)
        if code == COMPLEX:
            real, imaginary = _expect(value, list)
            return complex(_expect(real, float), _expect(imaginary, float))
        if code == ARRAY:
            name, shape, data = _expect(value, list)
            return _array(_ARRAY_DTYPES[name], shape, _expect(data, bytes))
        if code == MASKED:
            array, mask = (_expect(part, np.ndarray) for part in _expect(value, list))
            if mask.dtype != np.bool_ or mask.shape != array.shape:
                raise WireError("a mask does not fit its array")
            return np.ma.MaskedArray(array, mask)
        if code == SCALAR:
            name, data = _expect(value, list)
            return _array(_ARRAY_DTYPES[name], [], _expect(data, bytes))[()]
        if code == TENSOR:
            name, shape, data, requires_grad = _expect(value, list)
            tensor = _tensor(_TENSOR_DTYPES[name], shape, _expect(data, bytes))
            if _expect(requires_grad, bool) and (tensor.is_floating_point() or tensor.is_complex()):
                tensor.requires_grad_(True)
            return tensor
        if code == DTYPE:
            return _TENSOR_DTYPES[value]
        if code in (REFERENCE, FUNCTION):
            number, name = _expect(value, list)
            return self._resolve(code, _expect(number, int), _expect(name, str)[:200])
        raise WireError(f"unknown extension {code}")


def _refuse(value: Any) -> tuple[int, int, str]:
    raise TypeError(f"a {type(value).__name__} is not plain data and cannot be sent")


def _refuse_reference(code: int, number: int, name: str) -> Any:
    raise WireError("a reference where none is allowed")


def _expect(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise WireError(f"expected {kind.__name__}, got {type(value).__name__}")
    return value


def _checked_shape(shape: Any, itemsize: int, data: bytes) -> tuple[int, ...]:
    """The shape, once it agrees with the number of bytes."""
    count = 1
    for size in _expect(shape, list):
        if _expect(size, int) < 0 or size > MAX_FRAME:
            raise WireError("a shape is out of range")
        count *= size
    if len(shape) > 32 or count * itemsize != len(data):
        raise WireError("a shape does not agree with its bytes")
    return tuple(shape)


def _array(dtype: np.dtype, shape: Any, data: bytes) -> np.ndarray:
    shape = _checked_shape(shape, dtype.itemsize, data)
    if dtype == np.bool_:  # any byte may come in; only 0 and 1 are booleans
        return (np.frombuffer(data, np.uint8) != 0).reshape(shape)
    return np.frombuffer(data, dtype).reshape(shape).copy()


def _tensor(dtype: torch.dtype, shape: Any, data: bytes) -> torch.Tensor:
    shape = _checked_shape(shape, dtype.itemsize, data)
    if not data:
        return torch.empty(shape, dtype=dtype)
    if dtype == torch.bool:
        return (torch.frombuffer(bytearray(data), dtype=torch.uint8) != 0).reshape(shape)
    return torch.frombuffer(bytearray(data), dtype=dtype).reshape(shape)
