"""Reference definitions in the examiner that are modules of torch, and the gradients of what they compute."""

from typing import Any

import torch
from torch import nn

from coursekit.engine.examiner.reference_definitions import Definitions
from coursekit.engine.shared.reference_definitions import MODULE

PLAIN = (bool, int, float, str, tuple, type(None))


class TorchDefinitions(Definitions):
    """The reference definitions of one test: also classes of `nn.Module`, and gradients of what is computed."""

    def __init__(self, setup: dict[str, Any], code: bytes, names: list[str]):
        super().__init__(setup, code, names)
        self._modules: list[nn.Module] = []
        # Inputs that may have gradients, and results, of each call.
        self._calls: list[tuple[list[Any], list[Any]]] = []
        # Their dropout and their first weights are the same however many tests ran before.
        torch.manual_seed(0)

    def _kind(self, name: str, value: Any) -> tuple[str, Any]:
        if isinstance(value, type) and issubclass(value, nn.Module):
            return MODULE, None
        return super()._kind(name, value)

    def make(
        self, name: str, positional: list[Any], named: dict[str, Any]
    ) -> tuple[int, str, dict[str, Any]]:
        """Make a module: its number, the path "" within it, and what it has."""
        module = self._definitions[name](*positional, **named)
        self._modules.append(module)
        return len(self._modules) - 1, "", _tree(module)

    def call(
        self,
        target: list[Any],
        state: dict[str, Any],
        modes: list[Any],
        positional: list[Any],
        named: dict[str, Any],
        wanting: list[Any],
    ) -> tuple[int, Any]:
        """Compute a call: a number by which its gradients can be asked for, and what it gives.

        Args:
            target: a function's name; or a module's number and the path of the submodule in it that is called.
            state: the module's parameters and buffers as they are now, by name.
            modes: whether it and each of its submodules is in training mode, in the order of `modules()`.
            wanting: [place, key] of each tensor that may be asked for its gradient: in 0 the state, 1 the positional
                arguments, 2 the named ones.
        """
        inputs = [(state, positional, named)[place][key].requires_grad_() for place, key in wanting]
        with torch.set_grad_enabled(bool(wanting)):
            if len(target) == 1:
                result = self._definitions[target[0]](*positional, **named)
            else:
                module = self._modules[target[0]].get_submodule(target[1])
                for submodule, training in zip(module.modules(), modes, strict=True):
                    submodule.training = training
                result = torch.func.functional_call(module, state, tuple(positional), named, strict=True)
        if wanting:
            self._calls.append((inputs, list(result) if isinstance(result, tuple) else [result]))
        return len(self._calls) - 1, _plain(result)

    def gradients(self, number: int, slopes: list[Any]) -> list[Any]:
        """Gradients to the inputs of an earlier call, given those of its results."""
        inputs, results = self._calls[number]
        pairs = [
            (result, slope)
            for result, slope in zip(results, slopes, strict=True)
            if slope is not None and isinstance(result, torch.Tensor) and result.requires_grad
        ]
        found = torch.autograd.grad(
            [result for result, _ in pairs],
            inputs,
            [slope for _, slope in pairs],
            retain_graph=True,
            allow_unused=True,
        )
        return list(found)


def _tree(module: nn.Module) -> dict[str, Any]:
    """Return what a module holds, as plain data."""
    return {
        "kind": type(module).__name__,
        "plain": {
            name: value
            for name, value in vars(module).items()
            if type(value) in PLAIN and name != "training" and not name.startswith("_")
        },
        "parameters": dict(module._parameters),
        "buffers": {
            name: (value, name not in module._non_persistent_buffers_set)
            for name, value in module._buffers.items()
        },
        "parts": {name: _tree(submodule) for name, submodule in module.named_children()},
    }


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return value.detach() if isinstance(value, torch.Tensor) else value
