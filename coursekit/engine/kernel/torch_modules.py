"""Proxies in the student kernel for `nn.Module`s of the reference definitions, and gradients through definitions."""

from typing import Any

import torch
from torch import nn

from coursekit.engine.shared.reference_definitions import ReferenceCalls

CONTAINERS = {kind.__name__: kind for kind in (nn.ModuleList, nn.ModuleDict)}


def reference_class(calls: ReferenceCalls, name: str) -> type:
    """Return a class of proxies, which have the parameters, buffers and submodules of the examiner's modules."""
    return type(name, (_RootProxy,), {"_calls": calls})


class _Proxy(nn.Module):
    """A proxy for a module of the reference definitions, or for a submodule of one."""

    _calls: ReferenceCalls

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        state: dict[str, torch.Tensor] = dict(self.named_parameters(remove_duplicate=False))
        state |= dict(self.named_buffers(remove_duplicate=False))
        modes = [module.training for module in self.modules()]
        return compute(self._calls, [self._number, self._path], state, modes, args, kwargs)

    def _fill(self, number: int, path: str, tree: dict[str, Any]) -> None:
        """Take on the attributes, parameters, buffers and submodules of the examiner's module."""
        self._number, self._path = number, path
        for name, value in tree["plain"].items():
            setattr(self, name, value)
        for name, value in tree["parameters"].items():
            self.register_parameter(name, None if value is None else nn.Parameter(value, value.requires_grad))
        for name, (value, persistent) in tree["buffers"].items():
            self.register_buffer(name, value, persistent)
        for name, branch in tree["parts"].items():
            self.add_module(name, _submodule_proxy(self._calls, number, f"{path}.{name}".lstrip("."), branch))


class _RootProxy(_Proxy):
    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__()
        self._fill(*self._calls.make(type(self).__name__, list(args), kwargs))


def _submodule_proxy(calls: ReferenceCalls, number: int, path: str, tree: dict[str, Any]) -> nn.Module:
    if tree["kind"] in CONTAINERS:
        container: nn.Module = CONTAINERS[tree["kind"]]()
        for name, branch in tree["parts"].items():
            container.add_module(name, _submodule_proxy(calls, number, f"{path}.{name}", branch))
        return container
    part: _Proxy = type(tree["kind"], (_Proxy,), {"_calls": calls})()
    part._fill(number, path, tree)
    return part


def compute(
    calls: ReferenceCalls,
    target: list[Any],
    state: dict[str, Any],
    modes: list[Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """Have the examiner compute a call, and return its result; the arguments are those of `TorchDefinitions.call`.

    Every parameter, buffer and argument that requires a gradient gets one; tensors nested in an argument do not.
    """
    request = [target, state, modes, list(args), kwargs]
    groups: tuple[dict[Any, Any], ...] = (state, dict(enumerate(args)), kwargs)
    differentiable = [
        [group, key]
        for group, values in enumerate(groups)
        for key, value in values.items()
        if isinstance(value, torch.Tensor) and value.requires_grad and torch.is_grad_enabled()
    ]
    if not differentiable:
        return calls.call(*request, [])[1]
    tensors = [groups[group][key] for group, key in differentiable]
    return _Call.apply(calls, request, differentiable, *tensors)  # type: ignore[no-untyped-call]  # torch gives it no types


class _Call(torch.autograd.Function):
    """A call that asks the examiner for its gradients in `backward`; `tensors` are the differentiable inputs."""

    @staticmethod
    def forward(
        ctx: Any,
        calls: ReferenceCalls,
        request: list[Any],
        differentiable: list[list[Any]],
        *tensors: torch.Tensor,
    ) -> Any:
        ctx.calls, ctx.differentiable_count = calls, len(differentiable)
        ctx.call_number, result = calls.call(*request, differentiable)
        parts = result if isinstance(result, tuple) else (result,)
        ctx.mark_non_differentiable(
            *(part for part in parts if isinstance(part, torch.Tensor) and not part.is_floating_point())
        )
        return result

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        return None, None, None, *ctx.calls.gradients(ctx.call_number, list(grad_outputs))
