"""Reference definitions, in the examiner: the reference answers to earlier questions, computed for the student kernel.

Their code is only in this process, and only values leave it. The student kernel calls them by `ReferenceCalls`, see
`engine.shared.reference_definitions`; those that are an `nn.Module` are in `engine.examiner.torch_definitions`.
"""

import marshal
from collections.abc import Callable
from typing import Any

from coursekit.engine.shared.reference_definitions import FUNCTION, VALUE


class Definitions:
    """The reference definitions of one test.

    Args:
        setup: the setup cells' names.
        code: the definitions and everything that they need, compiled and marshalled.
        names: those that the student's code may use.
    """

    def __init__(self, setup: dict[str, Any], code: bytes, names: list[str]):
        self._namespace = dict(setup)
        exec(marshal.loads(code), self._namespace)
        self._definitions = {name: self._namespace[name] for name in names}

    @property
    def kinds(self) -> dict[str, tuple[str, Any]]:
        """{name: (FUNCTION, VALUE or, with torch, MODULE; the value of a VALUE, else None)}.

        Raises:
            TypeError: a definition is another class.
        """
        return {name: self._kind(name, value) for name, value in self._definitions.items()}

    def _kind(self, name: str, value: Any) -> tuple[str, Any]:
        if isinstance(value, type):
            raise TypeError(f"{name} is a class but no nn.Module: later questions cannot build on it")
        return (FUNCTION, None) if callable(value) else (VALUE, value)

    @property
    def services(self) -> list[Callable[..., Any]]:
        """The functions that the student kernel may call: the fields of `ReferenceCalls`, in their order."""
        return [self.make, self.call, self.gradients]

    def make(self, name: str, args: list[Any], kwargs: dict[str, Any]) -> tuple[int, str, dict[str, Any]]:
        """Raise TypeError: only a course with torch has modules."""
        raise TypeError(f"{name} is no module")

    def call(
        self,
        target: list[Any],
        state: dict[str, Any],
        modes: list[Any],
        args: list[Any],
        kwargs: dict[str, Any],
        differentiable: list[Any],
    ) -> tuple[int, Any]:
        """Compute a call of a function; return 0, for a call without gradients, and its result.

        Args:
            target: [the function's name].
            state, modes, differentiable: empty, since only torch has modules and gradients.
        """
        (name,) = target
        return 0, self._definitions[name](*args, **kwargs)

    def gradients(self, call_number: int, grad_outputs: list[Any]) -> list[Any]:
        """Raise TypeError: only torch has gradients."""
        raise TypeError("plain values have no gradients")
