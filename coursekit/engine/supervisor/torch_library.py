"""torch's part in the engine, for courses whose kernels import it. Nothing else in the engine imports torch.

values     tensors and dtypes between the student kernel and the examiner
operators  ready-made functions by all their names, and refusing them below those
modules    modules of the reference definitions, as the student's code has them, and their gradients
parts      the same, in the examiner
relies_on  what is used of torch's inside
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch

from coursekit.engine.examiner import torch_definitions
from coursekit.engine.kernel import torch_modules, torch_operators
from coursekit.engine.kernel.from_scratch import Way
from coursekit.engine.shared import torch_values
from coursekit.engine.shared.library import Library

_GENERATOR = torch.default_generator  # as it is before any student code runs


def _compile(model: Callable[..., Any] | None = None, **_: Any) -> Any:
    """In place of `torch.compile`, also as a decorator with arguments."""
    return model if model is not None else lambda model: model


def _compile_in_place(self: torch.nn.Module, *_: Any, **__: Any) -> None:
    """In place of `Module.compile`."""


class Torch(Library):
    """See `library.Library`, for every method."""

    def warm_up(self) -> None:
        torch.set_num_threads(1)  # an OpenMP pool would not survive the fork
        torch.softmax(torch.randn(4, 4) @ torch.randn(4, 4), -1).sum()
        # Keeps the source lines of whoever called it, for each kind of device that may be used later.
        torch.manual_seed(torch.initial_seed())

    def practise(self) -> None:
        torch.broadcast_shapes((2, 1), (1, 3))  # imports sympy when it is first called
        with self.fresh_modes():
            pass

    def prepare_kernels(self) -> None:
        torch_operators.prepare()
        # The compiler takes minutes of processor time, and what it makes gives the same values.
        torch.compile = _compile
        torch.nn.Module.compile = _compile_in_place  # type: ignore[method-assign]

    def start_kernel(self) -> None:
        torch.set_num_threads(1)  # the grader fills the cores with submissions

    def pack(self, value: Any, keep_grad: bool) -> tuple[int, Any] | None:
        return torch_values.pack(value, keep_grad)

    def restore(self, code: int, value: Any) -> Any:
        return torch_values.restore(code, value)

    @contextlib.contextmanager
    def fresh_modes(self) -> Iterator[None]:
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

    def same_chance(self) -> None:
        _GENERATOR.manual_seed(0)

    @contextlib.contextmanager
    def kept_chance(self) -> Iterator[None]:
        kept = _GENERATOR.get_state()
        try:
            yield
        finally:
            _GENERATOR.set_state(kept)

    def other_ways(self, names: Iterable[str]) -> dict[str, list[Way]]:
        return torch_operators.other_ways(names)

    def refusing(self, places: dict[Any, Callable[..., Any]]) -> contextlib.AbstractContextManager[None]:
        return torch_operators.refusing(places)

    def compute(
        self, calls: Any, target: list[Any], positional: tuple[Any, ...], named: dict[str, Any]
    ) -> Any:
        return torch_modules.compute(calls, target, {}, [], positional, named)

    def reference_class(self, calls: Any, name: str) -> type:
        return torch_modules.reference_class(calls, name)

    def definitions_class(self, definitions: type) -> type:
        return torch_definitions.TorchDefinitions
