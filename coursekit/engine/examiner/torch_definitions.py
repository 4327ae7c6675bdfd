"""Reference definitions in the examiner that are modules of torch, and the gradients of their results."""

from typing import Any

import torch
from torch import nn

from coursekit.engine.examiner.reference_definitions import Definitions
from coursekit.engine.shared.reference_definitions import MODULE

PLAIN = (bool, int, float, str, tuple, type(None))


class TorchDefinitions(Definitions):
    """The reference definitions of one test: also classes of `nn.Module`, and gradients of results."""

    def __init__(self, setup: dict[str, Any], code: bytes, names: list[str]):
        super().__init__(setup, code, names)
        self._modules: list[nn.Module] = []
        # Inputs that may have gradients, and results, of each call that has such inputs.
        self._calls: list[tuple[list[Any], list[Any]]] = []
        # The modules' dropout and first weights are the same however many tests ran before.
        torch.manual_seed(0)

    def _kind(self, name: str, value: Any) -> tuple[str, Any]:
        if isinstance(value, type) and issubclass(value, nn.Module):
            return MODULE, None
        return super()._kind(name, value)

    def make(self, name: str, args: list[Any], kwargs: dict[str, Any]) -> tuple[int, str, dict[str, Any]]:
        """Make a module; return its number, the path "" within it, and its content (see `_tree`)."""
        module = self._definitions[name](*args, **kwargs)
        self._modules.append(module)
        return len(self._modules) - 1, "", _tree(module)

    def call(
        self,
        target: list[Any],
        state: dict[str, Any],
        modes: list[Any],
        args: list[Any],
        kwargs: dict[str, Any],
        differentiable: list[Any],
    ) -> tuple[int, Any]:
        """Compute a call; return its number for `gradients`, if some input is differentiable, and its result.

        Args:
            target: [a function's name]; or [a module's number, the path of the submodule in it that is called].
            state: the module's parameters and buffers as they are now, by name.
            modes: whether it and each of its submodules is in training mode, in the order of `modules()`.
            differentiable: [group, key] of each tensor whose gradient may be asked for. Group 0 is `state`, 1 `args`,
                2 `kwargs`; tensors nested in an argument get no gradient.
        """
        inputs = [(state, args, kwargs)[group][key].requires_grad_() for group, key in differentiable]
        with torch.set_grad_enabled(bool(differentiable)):
            if len(target) == 1:
                result = self._definitions[target[0]](*args, **kwargs)
            else:
                module = self._modules[target[0]].get_submodule(target[1])
                for submodule, training in zip(module.modules(), modes, strict=True):
                    submodule.training = training
                result = torch.func.functional_call(module, state, tuple(args), kwargs, strict=True)
        if differentiable:
            self._calls.append((inputs, list(result) if isinstance(result, tuple) else [result]))
        return len(self._calls) - 1, _detached(result)

    def gradients(self, call_number: int, grad_outputs: list[Any]) -> list[Any]:
        """Return the gradients of an earlier call's inputs (None: unused), given those of its results."""
        inputs, results = self._calls[call_number]
        pairs = [
            (result, grad_output)
            for result, grad_output in zip(results, grad_outputs, strict=True)
            if grad_output is not None and isinstance(result, torch.Tensor) and result.requires_grad
        ]
        input_grads = torch.autograd.grad(
            [result for result, _ in pairs],
            inputs,
            [grad_output for _, grad_output in pairs],
            retain_graph=True,
            allow_unused=True,
        )
        return list(input_grads)


def _tree(module: nn.Module) -> dict[str, Any]:
    """Return a module's class name, plain attributes, parameters, buffers and submodules."""
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


def _detached(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_detached, value))
    return value.detach() if isinstance(value, torch.Tensor) else value
