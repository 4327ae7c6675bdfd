"""Reference definitions, in the examiner: the reference answers to earlier questions, computed for the student kernel.

Their code is in this process only, and what leaves it are values. `engine.shared.reference_definitions` is the other
end; modules of torch are in `engine.examiner.torch_definitions`.
"""

import marshal
from collections.abc import Callable
from typing import Any

from coursekit.engine.shared.reference_definitions import FUNCTION, VALUE


class Definitions:
    """The reference definitions of one test.

    Args:
        setup: the setup cells' names.
        code: the definitions and all that these need, marshalled; see `coordinator.compiling`.
        names: those that the student's code may use.
    """

    def __init__(self, setup: dict[str, Any], code: bytes, names: list[str]):
        self._namespace = dict(setup)
        exec(marshal.loads(code), self._namespace)
        self._definitions = {name: self._namespace[name] for name in names}

    @property
    def kinds(self) -> dict[str, tuple[str, Any]]:
        """{name: (FUNCTION, MODULE or VALUE, the value of what is plain data)}.

        Raises:
            TypeError: a definition that can be none of them.
        """
        return {name: self._kind(name, value) for name, value in self._definitions.items()}

    def _kind(self, name: str, value: Any) -> tuple[str, Any]:
        if isinstance(value, type):
            raise TypeError(f"{name} is a class but no nn.Module: later questions cannot build on it")
        return (FUNCTION, None) if callable(value) else (VALUE, value)

    @property
    def services(self) -> list[Callable[..., Any]]:
        """The functions that the student kernel may call, in the order of `ReferenceCalls`."""
        return [self.make, self.call, self.gradients]

    def make(
        self, name: str, positional: list[Any], named: dict[str, Any]
    ) -> tuple[int, str, dict[str, Any]]:
        """Make a module."""
        raise TypeError(f"{name} is no module")

    def call(
        self,
        target: list[Any],
        state: dict[str, Any],
        modes: list[Any],
        positional: list[Any],
        named: dict[str, Any],
        wanting: list[Any],
    ) -> tuple[int, Any]:
        """Compute a call of a function: a number, and what it gives.

        Args:
            target: the function's name.
            state, modes, wanting: of modules and tensors, see `torch_definitions.TorchDefinitions`.
        """
        (name,) = target
        return 0, self._definitions[name](*positional, **named)

    def gradients(self, number: int, slopes: list[Any]) -> list[Any]:
        """Gradients to the inputs of an earlier call."""
        raise TypeError("plain values have no gradients")
