"""Tensors and dtypes as the plain data that `wire` sends between the student kernel and the examiner."""

from typing import Any

import torch

from coursekit.engine.shared.frames import WireError
from coursekit.engine.shared.wire import checked_shape, expect

TENSOR, DTYPE = 7, 8  # extension codes
DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        *(torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64),
        *(torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128),
    )
}


def pack(value: Any, keep_requires_grad: bool) -> tuple[int, Any] | None:
    """Return a tensor or a dtype as an extension code and plain data.

    None for any other value, and for what is not sent: sparse tensors, those without data, and other dtypes.
    """
    if isinstance(value, torch.Tensor):  # also a parameter, or of a subclass of the student's
        value = value.as_subclass(torch.Tensor)
        name = str(value.dtype).removeprefix("torch.")
        if name in DTYPES and value.layout is torch.strided and not value.is_meta:
            flat = value.detach().cpu().resolve_conj().resolve_neg().contiguous().reshape(-1)
            data = flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b""
            return TENSOR, [name, list(value.shape), data, keep_requires_grad and value.requires_grad]
    if type(value) is torch.dtype and str(value).removeprefix("torch.") in DTYPES:
        return DTYPE, str(value).removeprefix("torch.")
    return None


def restore(code: int, value: Any) -> Any:
    """Return the tensor or the dtype that `pack` packed.

    Raises:
        WireError: the code is neither's, or the data do not fit the shape.
        Exception: the data are not what `pack` returns; the caller reports any exception as a malformed frame.
    """
    if code == TENSOR:
        name, shape, data, requires_grad = expect(value, list)
        tensor = _tensor(DTYPES[name], shape, expect(data, bytes))
        if expect(requires_grad, bool) and (tensor.is_floating_point() or tensor.is_complex()):
            tensor.requires_grad_(True)
        return tensor
    if code == DTYPE:
        return DTYPES[value]
    raise WireError(f"unknown extension {code}")


def _tensor(dtype: torch.dtype, shape: Any, data: bytes) -> torch.Tensor:
    shape = checked_shape(shape, dtype.itemsize, data)
    if not data:
        return torch.empty(shape, dtype=dtype)
    if dtype == torch.bool:  # any byte may come in; only 0 and 1 are booleans
        return (torch.frombuffer(bytearray(data), dtype=torch.uint8) != 0).reshape(shape)
    return torch.frombuffer(bytearray(data), dtype=dtype).reshape(shape)
