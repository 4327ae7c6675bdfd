"""torch's part in the engine, for courses whose kernels import it. Besides this module, only these import torch:

shared/torch_values           tensors and dtypes between the student kernel and the examiner
kernel/torch_operators        the blocked equivalents of torch's functions, and the blocking
kernel/torch_modules          modules and gradients of reference definitions, in the student kernel
examiner/torch_definitions    the same, in the examiner
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch

from coursekit.engine.examiner import torch_definitions
from coursekit.engine.kernel import torch_modules, torch_operators
from coursekit.engine.kernel.from_scratch import BlockedEquivalent
from coursekit.engine.shared import torch_values
from coursekit.engine.shared.library import Library

_GENERATOR = torch.default_generator  # before any student code can replace it


def _compile(model: Callable[..., Any] | None = None, **_: Any) -> Any:
    """Return the model itself, in place of `torch.compile`, which is also a decorator with arguments."""
    return model if model is not None else lambda model: model


def _compile_in_place(self: torch.nn.Module, *_: Any, **__: Any) -> None:
    """Do nothing, in place of `Module.compile`."""


class Torch(Library):
    """The engine's support for torch. The base class says what each method does."""

    def warm_up(self) -> None:
        torch.set_num_threads(1)  # an OpenMP pool would not survive the fork
        torch.softmax(torch.randn(4, 4) @ torch.randn(4, 4), -1).sum()
        # This records its callers' source lines for each kind of device; now they are read and cached.
        torch.manual_seed(torch.initial_seed())

    def warm_up_late(self) -> None:
        torch.broadcast_shapes((2, 1), (1, 3))  # the first call imports sympy
        with self.default_modes():
            pass

    def prepare_kernels(self) -> None:
        torch_operators.prepare()
        # The compiler takes minutes of CPU time, and compiled code computes the same values.
        torch.compile = _compile
        torch.nn.Module.compile = _compile_in_place  # type: ignore[method-assign]

    def start_kernel(self) -> None:
        torch.set_num_threads(1)  # the cores are shared out among submissions

    def pack(self, value: Any, keep_requires_grad: bool) -> tuple[int, Any] | None:
        return torch_values.pack(value, keep_requires_grad)

    def restore(self, code: int, value: Any) -> Any:
        return torch_values.restore(code, value)

    @contextlib.contextmanager
    def default_modes(self) -> Iterator[None]:
        dtype, device = torch.get_default_dtype(), torch.get_default_device()
        threads, strict = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
        with (
            torch.inference_mode(False),
            torch.enable_grad(),
            torch.autograd.set_detect_anomaly(False),
        ):
            torch.set_default_dtype(torch.float32)
            if threads != 1:
                torch.set_num_threads(1)
            if strict:
                torch.use_deterministic_algorithms(False)
            if device.type != "cpu":
                torch.set_default_device("cpu")
            try:
                yield
            finally:
                torch.set_default_dtype(dtype)
                if threads != 1:
                    torch.set_num_threads(threads)
                if strict:
                    torch.use_deterministic_algorithms(True)
                if device.type != "cpu":
                    torch.set_default_device(device)

    def seed_rngs(self) -> None:
        _GENERATOR.manual_seed(0)

    @contextlib.contextmanager
    def preserved_rng_state(self) -> Iterator[None]:
        state = _GENERATOR.get_state()
        try:
            yield
        finally:
            _GENERATOR.set_state(state)

    def equivalents(self, names: Iterable[str]) -> dict[str, list[BlockedEquivalent]]:
        return torch_operators.equivalents(names)

    def blocking(self, entries: dict[Any, Callable[..., Any]]) -> contextlib.AbstractContextManager[None]:
        return torch_operators.blocking(entries)

    def compute(self, calls: Any, name: str, positional: tuple[Any, ...], named: dict[str, Any]) -> Any:
        return torch_modules.compute(calls, [name], state={}, modes=[], args=positional, kwargs=named)

    def reference_class(self, calls: Any, name: str) -> type:
        return torch_modules.reference_class(calls, name)

    def definitions_class(self, definitions: type) -> type:
        return torch_definitions.TorchDefinitions
