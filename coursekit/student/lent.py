"""Parts of the course's own, lent to the student's code while a test runs: their values are computed in the examiner.

A later question builds on earlier ones (an encoder block on layer norm). So that one wrong answer does not cost the
later ones too, the names of the earlier questions mean, for as long as a test of the later one runs, what is made here:
a function, or a class of `nn.Module` with the parameters, buffers and parts of the original. What they compute stays
with the examiner, and so does their code.

    part = LayerNorm(6)       asks the examiner to make one, and gets its parameters
    part(x)                   sends x and the parameters as they are now, and gets the result
    part(x).sum().backward()  asks for the gradients of that call
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

FUNCTION, MODULE, VALUE = "function", "module", "value"
CONTAINERS = {kind.__name__: kind for kind in (nn.ModuleList, nn.ModuleDict)}


@dataclass(frozen=True)
class Lender:
    """The examiner's ends of it: three functions that are computed there, see `coursekit.examiner.lending`."""

    make: Callable
    call: Callable
    gradients: Callable


def lend(lender: Lender, name: str, kind: str, value: Any) -> Any:
    """What the name means to the student's code: `value`, where it is plain data."""
    if kind == VALUE:
        return value
    if kind == MODULE:
        return type(name, (_Outer,), {"_lender": lender})

    def part(*positional: Any, **named: Any) -> Any:
        return _compute(lender, [name], {}, [], positional, named)

    part.__name__ = part.__qualname__ = name
    return part


class _Part(nn.Module):
    """A lent module, or a part of one."""

    _lender: Lender

    def forward(self, *positional: Any, **named: Any) -> Any:
        state = dict(self.named_parameters(remove_duplicate=False))
        state |= dict(self.named_buffers(remove_duplicate=False))
        modes = [module.training for module in self.modules()]
        return _compute(self._lender, [self._number, self._path], state, modes, positional, named)

    def _fill(self, number: int, path: str, tree: dict) -> None:
        """Take on what the examiner's module has."""
        self._number, self._path = number, path
        for name, value in tree["plain"].items():
            setattr(self, name, value)
        for name, value in tree["parameters"].items():
            self.register_parameter(name, None if value is None else nn.Parameter(value, value.requires_grad))
        for name, (value, persistent) in tree["buffers"].items():
            self.register_buffer(name, value, persistent)
        for name, branch in tree["parts"].items():
            self.add_module(name, _part(self._lender, number, f"{path}.{name}".lstrip("."), branch))


class _Outer(_Part):
    def __init__(self, *positional: Any, **named: Any):
        super().__init__()
        self._fill(*self._lender.make(type(self).__name__, list(positional), named))


def _part(lender: Lender, number: int, path: str, tree: dict) -> nn.Module:
    if tree["kind"] in CONTAINERS:
        container = CONTAINERS[tree["kind"]]()
        for name, branch in tree["parts"].items():
            container.add_module(name, _part(lender, number, f"{path}.{name}", branch))
        return container
    part = type(tree["kind"], (_Part,), {"_lender": lender})()
    part._fill(number, path, tree)
    return part


def _compute(
    lender: Lender, target: list, state: dict, modes: list, positional: tuple, named: dict[str, Any]
) -> Any:
    """Have a call computed, with gradients to every tensor that wants one."""
    asked = [target, state, modes, list(positional), named]
    wanting = [
        [place, key]
        for place, values in enumerate((state, dict(enumerate(positional)), named))
        for key, value in values.items()
        if isinstance(value, torch.Tensor) and value.requires_grad and torch.is_grad_enabled()
    ]
    if not wanting:
        return lender.call(*asked, [])[1]
    tensors = [(state, positional, named)[place][key] for place, key in wanting]
    return _Call.apply(lender, asked, wanting, *tensors)


class _Call(torch.autograd.Function):
    """A call whose gradients are asked for when they are wanted. `tensors` are what it may have gradients to."""

    @staticmethod
    def forward(ctx, lender, asked, wanting, *tensors):
        ctx.lender, ctx.wanting = lender, len(wanting)
        ctx.number, result = lender.call(*asked, wanting)
        parts = result if isinstance(result, tuple) else (result,)
        ctx.mark_non_differentiable(
            *(part for part in parts if isinstance(part, torch.Tensor) and not part.is_floating_point())
        )
        return result

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, *slopes):
        return None, None, None, *ctx.lender.gradients(ctx.number, list(slopes))
