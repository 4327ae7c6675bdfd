"""Plain data between the student kernel and the examiner, rebuilt from bytes with the types that tests compare.

A value of a subclass, such as a named tuple or a member of an `IntEnum`, arrives as a value of its base class.

Values are packed by msgpack and sent as frames (`frames.py`). Types that msgpack does not have are sent as extension
types; so are tensors where the course has torch, see `library`. Decoding never calls code that the sender chose: no
pickle, no eval, no class that is looked up by name; a dtype is looked up in a table, and a shape must agree with the
number of bytes. Both ends may supply hooks for values that stay where they are (see `Codec`).
"""

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

import msgpack
import numpy as np

from coursekit.engine.shared import library
from coursekit.engine.shared.frames import MAX_FRAME, WireError

MAX_ITEMS = 200_000  # entries of one list, set or dict
MAX_DEPTH = 40  # extensions inside extensions; msgpack itself limits lists and dicts inside each other
# Limits on decoding one frame: msgpack's C code cannot be interrupted, so its work is bounded.
MAX_WORK = 2_000_000  # entries of all its containers together, and EXTENSION_WORK for each extension
EXTENSION_WORK = 10
MAX_UNPACKED = 4 * MAX_FRAME  # bytes; those of an extension count again at each level

# Extension codes. 0 to 9 are plain data, from 10 on references; 7 and 8 are torch's (`torch_values`).
TUPLE, SET, FROZENSET, BIG_INT, COMPLEX, ARRAY, SCALAR = range(7)
MASKED = 9
REFERENCE, FUNCTION = 10, 11

_ARRAY_DTYPES = {
    np.dtype(name).str: np.dtype(name)
    for name in (
        *("bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"),
        *("f2", "f4", "f8", "c8", "c16"),
    )
}


class Codec:
    """Turns values into bytes and back.

    Args:
        refer: called with an object that is not plain data; returns (REFERENCE or FUNCTION, number, type name).
            Raises TypeError if such an object may not be sent.
        resolve: called with the same triple when a frame is decoded; returns the object that represents it.
        keep_requires_grad: send a tensor's requires_grad flag. The examiner does; what the student kernel sends is
            detached.

    >>> codec = Codec()
    >>> codec.decode(codec.encode((1, 2.5, {"a": [True, None]})))
    (1, 2.5, {'a': [True, None]})
    """

    def __init__(
        self,
        refer: Callable[[Any], tuple[int, int, str]] | None = None,
        resolve: Callable[[int, int, str], Any] | None = None,
        keep_requires_grad: bool = False,
    ):
        self._keep_grad = keep_requires_grad
        self._work = self._bytes = 0  # left for the frame that is being decoded
        self._refer = refer or _refuse
        self._resolve = resolve or _refuse_reference

    def encode(self, value: Any) -> bytes:
        """Return the bytes of a value.

        Raises:
            TypeError: something in it cannot be sent.
            WireError: it is too large, or nested too deeply.
        """
        try:
            data = self._pack(value, 0)
        except (ValueError, OverflowError, RecursionError) as error:
            raise WireError(f"a value cannot be sent: {error}") from error
        if len(data) > MAX_FRAME:
            raise WireError(f"a value of {len(data) >> 20} MiB is too large to be sent")
        return data

    def decode(self, data: bytes) -> Any:
        """Return the value from bytes that may come from hostile code.

        Raises:
            WireError: the frame is malformed or too large.
        """
        if len(data) > MAX_FRAME:
            raise WireError("a frame is too large")
        self._work, self._bytes = MAX_WORK, MAX_UNPACKED
        try:
            return self._unpack(data, 0)
        except WireError:
            raise
        except Exception as error:  # malformed bytes can cause any exception
            raise WireError(f"malformed frame: {type(error).__name__}") from error

    def _pack(self, value: Any, depth: int) -> bytes:
        if depth > MAX_DEPTH:
            raise ValueError("it is nested too deeply")
        packed: bytes = msgpack.packb(
            value,
            strict_types=True,
            unicode_errors="surrogatepass",
            default=lambda other: self._extend(other, depth),
        )
        return packed

    def _extend(self, value: Any, depth: int) -> Any:
        """Return a value that msgpack can pack in place of one that it cannot."""
        kind = type(value)

        def ext(code: int, payload: Any) -> msgpack.ExtType:
            return msgpack.ExtType(code, self._pack(payload, depth + 1))

        if isinstance(value, tuple):  # also a named tuple: its class is not sent
            return ext(TUPLE, list(tuple.__iter__(value)))
        if kind in (Counter, OrderedDict, defaultdict) or _is_renamed(kind, dict):
            return dict(dict.items(value))
        if _is_renamed(kind, list):
            return list(list.__iter__(value))
        if kind is set or _is_renamed(kind, set):
            return ext(SET, list(set.__iter__(value)))
        if kind is frozenset or _is_renamed(kind, frozenset):
            return ext(FROZENSET, list(frozenset.__iter__(value)))
        if kind is int:
            if value.bit_length() > 4096:
                raise ValueError("it holds an integer of more than 4096 bits")
            return ext(BIG_INT, value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))
        if kind is complex:
            return ext(COMPLEX, [value.real, value.imag])
        if isinstance(value, np.ma.MaskedArray):
            return ext(MASKED, [np.ndarray.view(value, np.ndarray), np.ma.getmaskarray(value)])
        if isinstance(value, np.ndarray) and value.dtype.newbyteorder("<").str in _ARRAY_DTYPES:
            array = value.view(np.ndarray)
            array = array.astype(array.dtype.newbyteorder("<"), copy=False)
            return ext(ARRAY, [array.dtype.str, list(array.shape), array.tobytes()])
        if isinstance(value, np.generic) and value.dtype.str in _ARRAY_DTYPES and kind is value.dtype.type:
            return ext(SCALAR, [value.dtype.str, value.tobytes()])
        for base, as_base in _AS_BASE.items():  # a member of an `IntEnum`, for example
            if isinstance(value, base) and kind is not base:
                return as_base(value)
        if (packed := library.current.pack(value, self._keep_grad)) is not None:
            return ext(*packed)
        code, number, name = self._refer(value)
        return ext(code, [number, name])

    def _unpack(self, data: bytes, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise WireError("a frame is nested too deeply")
        self._bytes -= len(data)
        self._spend(EXTENSION_WORK)
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
        """Count the work of a list or dict as soon as it is complete, and return it."""
        self._spend(1 + len(container))
        return container

    def _spend(self, work: int) -> None:
        self._work -= work
        if self._work < 0 or self._bytes < 0:
            raise WireError("a frame holds too much")

    def _restore(self, code: int, payload: bytes, depth: int) -> Any:
        value = self._unpack(payload, depth + 1)
        if code in (TUPLE, SET, FROZENSET):
            return {TUPLE: tuple, SET: set, FROZENSET: frozenset}[code](expect(value, list))
        if code == BIG_INT:
            return int.from_bytes(expect(value, bytes)[:520], "big", signed=True)
        if code == COMPLEX:
            real, imaginary = expect(value, list)
            return complex(expect(real, float), expect(imaginary, float))
        if code == ARRAY:
            name, shape, data = expect(value, list)
            return _array(_ARRAY_DTYPES[name], shape, expect(data, bytes))
        if code == MASKED:
            array, mask = (expect(part, np.ndarray) for part in expect(value, list))
            if mask.dtype != np.bool_ or mask.shape != array.shape:
                raise WireError("a mask does not fit its array")
            return np.ma.MaskedArray(array, mask)
        if code == SCALAR:
            name, data = expect(value, list)
            return _array(_ARRAY_DTYPES[name], [], expect(data, bytes))[()]
        if code in (REFERENCE, FUNCTION):
            number, name = expect(value, list)
            return self._resolve(code, expect(number, int), expect(name, str)[:200])
        return library.current.restore(code, value)


# {immutable type: function that converts a value of a subclass to it}
_AS_BASE: dict[type, Any] = {
    str: str.__str__,
    int: int.__int__,
    float: float.__float__,
    bytes: bytes.__bytes__,
}
_OF_EVERY_CLASS = {
    "__module__",
    "__doc__",
    "__dict__",
    "__weakref__",
    "__qualname__",
    "__annotations__",
    "__slots__",
}


def _is_renamed(kind: type, base: type) -> bool:
    """Return whether a class is a subclass of `base` that adds nothing to it but its name."""
    return base in kind.__mro__[1:] and all(
        _OF_EVERY_CLASS.issuperset(vars(parent)) for parent in kind.__mro__[: kind.__mro__.index(base)]
    )


def _refuse(value: Any) -> tuple[int, int, str]:
    raise TypeError(f"a {type(value).__name__} is not plain data and cannot be sent")


def _refuse_reference(code: int, number: int, name: str) -> Any:
    raise WireError("a reference where none is allowed")


def expect(value: Any, kind: type) -> Any:
    """Return the value if it is of exactly this type.

    Raises:
        WireError: it is not.
    """
    if type(value) is not kind:
        raise WireError(f"expected {kind.__name__}, got {type(value).__name__}")
    return value


def checked_shape(shape: Any, itemsize: int, data: bytes) -> tuple[int, ...]:
    """Return the shape if it agrees with the number of bytes.

    Raises:
        WireError: it does not.
    """
    count = 1
    for size in expect(shape, list):
        if expect(size, int) < 0 or size > MAX_FRAME:
            raise WireError("a shape is out of range")
        count *= size
    if len(shape) > 32 or count * itemsize != len(data):
        raise WireError("a shape does not agree with its bytes")
    return tuple(shape)


def _array(dtype: np.dtype, shape: Any, data: bytes) -> np.ndarray:
    shape = checked_shape(shape, dtype.itemsize, data)
    if dtype == np.bool_:  # any byte may be sent; only 0 and 1 are booleans
        truths: np.ndarray = np.frombuffer(data, np.uint8) != 0
        return truths.reshape(shape)
    values: np.ndarray = np.frombuffer(data, dtype)
    return values.reshape(shape).copy()
