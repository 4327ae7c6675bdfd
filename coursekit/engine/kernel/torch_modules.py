"""Modules of the reference definitions as the student's code sees them, and gradients through these definitions."""

from typing import Any

import torch
from torch import nn

from coursekit.engine.shared.reference_definitions import ReferenceCalls

CONTAINERS = {kind.__name__: kind for kind in (nn.ModuleList, nn.ModuleDict)}


def reference_class(calls: ReferenceCalls, name: str) -> type:
    """Return a class of modules that have the parameters, buffers and submodules of the original."""
    return type(name, (_Outer,), {"_calls": calls})


class _Part(nn.Module):
    """A module of the reference definitions, or a submodule of one."""

    _calls: ReferenceCalls

    def forward(self, *positional: Any, **named: Any) -> Any:
        state: dict[str, torch.Tensor] = dict(self.named_parameters(remove_duplicate=False))
        state |= dict(self.named_buffers(remove_duplicate=False))
        modes = [module.training for module in self.modules()]
        return compute(self._calls, [self._number, self._path], state, modes, positional, named)

    def _fill(self, number: int, path: str, tree: dict[str, Any]) -> None:
        """Take on what the examiner's module has."""
        self._number, self._path = number, path
        for name, value in tree["plain"].items():
            setattr(self, name, value)
        for name, value in tree["parameters"].items():
            self.register_parameter(name, None if value is None else nn.Parameter(value, value.requires_grad))
        for name, (value, persistent) in tree["buffers"].items():
            self.register_buffer(name, value, persistent)
        for name, branch in tree["parts"].items():
            self.add_module(name, _part(self._calls, number, f"{path}.{name}".lstrip("."), branch))


class _Outer(_Part):
    def __init__(self, *positional: Any, **named: Any):
        super().__init__()
        self._fill(*self._calls.make(type(self).__name__, list(positional), named))


def _part(calls: ReferenceCalls, number: int, path: str, tree: dict[str, Any]) -> nn.Module:
    if tree["kind"] in CONTAINERS:
        container: nn.Module = CONTAINERS[tree["kind"]]()
        for name, branch in tree["parts"].items():
            container.add_module(name, _part(calls, number, f"{path}.{name}", branch))
        return container
    part: _Part = type(tree["kind"], (_Part,), {"_calls": calls})()
    part._fill(number, path, tree)
    return part


def compute(
    calls: ReferenceCalls,
    target: list[Any],
    state: dict[str, Any],
    modes: list[Any],
    positional: tuple[Any, ...],
    named: dict[str, Any],
) -> Any:
    """Have a call computed, with gradients to every tensor that wants one."""
    asked = [target, state, modes, list(positional), named]
    places: tuple[dict[Any, Any], ...] = (state, dict(enumerate(positional)), named)
    wanting = [
        [place, key]
        for place, values in enumerate(places)
        for key, value in values.items()
        if isinstance(value, torch.Tensor) and value.requires_grad and torch.is_grad_enabled()
    ]
    if not wanting:
        return calls.call(*asked, [])[1]
    tensors = [places[place][key] for place, key in wanting]
    return _Call.apply(calls, asked, wanting, *tensors)  # type: ignore[no-untyped-call]  # torch gives it no types


class _Call(torch.autograd.Function):
    """A call whose gradients are asked for when they are wanted. `tensors` are what it may have gradients to."""

    @staticmethod
    def forward(
        ctx: Any, calls: ReferenceCalls, asked: list[Any], wanting: list[list[Any]], *tensors: torch.Tensor
    ) -> Any:
        ctx.calls, ctx.wanting = calls, len(wanting)
        ctx.number, result = calls.call(*asked, wanting)
        parts = result if isinstance(result, tuple) else (result,)
        ctx.mark_non_differentiable(
            *(part for part in parts if isinstance(part, torch.Tensor) and not part.is_floating_point())
        )
        return result

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, *slopes: Any) -> Any:
        return None, None, None, *ctx.calls.gradients(ctx.number, list(slopes))
