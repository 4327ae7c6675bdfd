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

from coursekit.engine.shared import library

FUNCTION, MODULE, VALUE = "function", "module", "value"


@dataclass(frozen=True)
class Lender:
    """The examiner's ends of it: three functions that are computed there, see `coursekit.engine.examiner.lending`."""

    make: Callable[..., Any]
    call: Callable[..., Any]
    gradients: Callable[..., Any]


def lend(lender: Lender, name: str, kind: str, value: Any) -> Any:
    """What the name means to the student's code: `value`, where it is plain data."""
    if kind == VALUE:
        return value
    if kind == MODULE:
        return library.current.lent_class(lender, name)

    def part(*positional: Any, **named: Any) -> Any:
        return library.current.compute(lender, [name], positional, named)

    part.__name__ = part.__qualname__ = name
    return part
