"""Lends parts of the course's own to the student's code: makes them, and computes what they give.

The parts are the reference answers to earlier questions. Their code is in this process alone, and what leaves it are
values. `engine.shared.lent` is the other end; modules of torch are in `engine.examiner.torch_parts`.
"""

import marshal
from collections.abc import Callable
from typing import Any

from coursekit.engine.shared.lent import FUNCTION, VALUE


class Parts:
    """What is lent during one test.

    Args:
        setup: the setup cells' names.
        code: definitions of the parts and of what they need, marshalled; see `examiner.program.compile_loan`.
        names: which of them are lent.
    """

    def __init__(self, setup: dict[str, Any], code: bytes, names: list[str]):
        self._namespace = dict(setup)
        exec(marshal.loads(code), self._namespace)
        self._parts = {name: self._namespace[name] for name in names}

    @property
    def kinds(self) -> dict[str, tuple[str, Any]]:
        """{name: (FUNCTION, MODULE or VALUE, the value of a part that is plain data)}.

        Raises:
            TypeError: a part that can be none of them.
        """
        return {name: self._kind(name, part) for name, part in self._parts.items()}

    def _kind(self, name: str, part: Any) -> tuple[str, Any]:
        if isinstance(part, type):
            raise TypeError(f"{name} is a class but no nn.Module: it cannot be lent to a later question")
        return (FUNCTION, None) if callable(part) else (VALUE, part)

    @property
    def services(self) -> list[Callable[..., Any]]:
        """What the student kernel may call, in the order of `student.lent.Lender`."""
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
            state, modes, wanting: of modules and tensors, see `tensors.parts.TensorParts`.
        """
        (name,) = target
        return 0, self._parts[name](*positional, **named)

    def gradients(self, number: int, slopes: list[Any]) -> list[Any]:
        """Gradients to the inputs of an earlier call."""
        raise TypeError("plain values have no gradients")
